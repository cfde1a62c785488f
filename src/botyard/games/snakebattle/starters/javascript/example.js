// An example of a bot that is written with the library: it eats what is nearest, and stays where there is room.
"use strict";

const { Direction, Element, Group, Ways } = require("./client");

// Steps that it goes for them.
const WORTH = new Map([[Element.APPLE, 1], [Element.GOLD, 3], [Element.FURY_PILL, 1], [Element.FLYING_PILL, 1]]);
const TAILS = Group.MY_TAILS.filter((tail) => !Group.BARRIERS.includes(tail)); // gone by the time the head is there
const COSTS = new Map([...Group.FREE, ...TAILS].map((element) => [element, 1]));
const FAR = 1000;

/** Takes the step that worries it least. */
class Example {
  get(board) {
    const me = board.mySnake();
    if (!me || me.isAsleep()) return Direction.STOP;
    const ways = Direction.moves().filter((way) => way !== me.direction.inverted());
    const free = ways.filter((way) => COSTS.has(board.at(way.apply(me.head))));
    const bites = ways.filter((way) => board.isAt(way.apply(me.head), ...Group.MY_BODY));
    const stones = ways.filter((way) => board.isStoneAt(way.apply(me.head)));
    if (free.length === 0) return [...bites, ...stones, Direction.STOP][0]; // both hurt, but less than a wall
    const worries = free.map((way) => this.worry(board, me, way.apply(me.head)));
    return free[worries.indexOf(Math.min(...worries))];
  }

  /** How bad a step is: a foe's head beside it, then too little room, then how far it is to food. */
  worry(board, me, step) {
    const ways = new Ways(board, step, COSTS);
    const met = board.foes().some((foe) => this.wins(foe, me) && foe.head.distance(step) === 1);
    const cramped = ways.reached().length < me.length;
    const away = Math.min(FAR, ...board.food().map((food) => ways.costTo(food) / WORTH.get(board.at(food))));
    return 100 * FAR * met + 10 * FAR * cramped + away;
  }

  /** Whether a foe would kill this snake head on; whoever is longer by two cells lives. */
  wins(foe, me) {
    return foe.isFurious() || foe.length + 2 > me.length;
  }
}

module.exports = { Example };
