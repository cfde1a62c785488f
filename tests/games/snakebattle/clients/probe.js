// Says what the client library in JavaScript makes of boards, as probe.py does in Python.
"use strict";

const { Board, Direction, Element, Group, Point, Snake, Ways } = require("./client");
const { Example } = require("./example.js");
const { Solver } = require("./solver.js");

const FREE = Group.FREE.map((element) => [element, 1]);
const STONY = new Map([...FREE, [Element.STONE, 3]]);
const BACKWARDS = new Map([...FREE, ...Group.MY_TAILS.map((element) => [element, 1])]);

const say = (what, values) => console.log([what, ...values].join(" "));
const points = (found) => found.map((point) => `${point.x},${point.y}`);
const named = (found) => found.map((element) => element.name);

/** Prints the names that an author can use, and every element. */
function library() {
  const board = new Board("☼╘► ");
  const at = Point.of(0, 0);
  for (const one of [Direction.UP, at, Element.GOLD, board, new Snake(board, at), new Ways(board, at)]) {
    const kind = one.constructor;
    const statics = Object.getOwnPropertyNames(kind).filter((name) => !(kind[name] instanceof kind));
    const names = [
      ...statics.filter((name) => !["length", "name", "prototype"].includes(name)),
      ...Object.getOwnPropertyNames(kind.prototype).filter((name) => !["constructor", "toString"].includes(name)),
      ...Object.keys(one),
    ];
    say("library", names.map((name) => `${kind.name}.${name}`));
  }
  say("library", Object.keys(Group).map((name) => `Group.${name}`));
  say("elements", Element.all().map((element) => `${element.name}=${element.sign.charCodeAt(0)}`));
  const words = [...Direction.moves(), Direction.ACT, Direction.STOP];
  say("directions", words.map((way) =>
    [way, way.inverted(), way.clockwise(), way.counterClockwise(), way.withAct()].join("/")));
}

function snake(one) {
  const states = { furious: one.isFurious(), flying: one.isFlying(), asleep: one.isAsleep() };
  return [one.direction, ...Object.keys(states).filter((state) => states[state]), ...points(one.points)];
}

function look(board) {
  say("size", [board.size]);
  say("names", named(board.points.map((point) => board.at(point))));
  say("rows", String(board).split("\n").map((row) => row.length));
  for (const what of ["walls", "barriers", "stones", "apples", "gold", "furyPills", "flyingPills", "food", "foeHeads"]) {
    say(what.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`), points(board[what]()));
  }
  say("free", points(board.points.filter((point) => board.isFreeAt(point))));
  say("over", [board.isGameOver() ? "yes" : "no"]);
  for (const foe of board.foes()) say("foe", snake(foe));
  say("answers", [new Example().get(board), new Solver().get(board)]);
  const me = board.mySnake();
  if (me) {
    say("mine", snake(me));
    around(board, me.head);
    ways(board, me.head);
  }
  console.log();
}

function around(board, head) {
  say("beside", named(board.beside(head)));
  say("near", named(board.near(head)));
  say("barriers-near", [board.countNear(head, ...Group.BARRIERS)]);
  const asked = [
    board.isNear(head, Element.STONE),
    board.isBeside(head, Element.STONE),
    board.isAt(head, ...Group.MY_HEADS),
  ];
  say("asked", asked.map((answer) => (answer ? "yes" : "no")));
}

function ways(board, head) {
  const food = board.food();
  const wary = (point) => (board.isFreeAt(point) ? (board.isNear(point, Element.STONE) ? 9 : 1) : Ways.CLOSED);
  for (const [what, cost] of Object.entries({ way: undefined, stony: STONY, wary, backwards: BACKWARDS })) {
    const found = new Ways(board, head, cost);
    const nearest = found.nearest(food);
    say(what, found.wayToNearest(food));
    say(`${what}-cost`, nearest ? [found.costTo(nearest), ...points([nearest])] : []);
    say(`${what}-room`, [found.reached().length]);
  }
}

library();
console.log();
for (const line of require("fs").readFileSync(0, "utf-8").split("\n")) if (line) look(new Board(line));
