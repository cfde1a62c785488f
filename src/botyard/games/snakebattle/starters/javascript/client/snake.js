// Snakes, put together from the signs of a board.
"use strict";

const { Direction } = require("./direction.js");

/** A snake with a living head, as far as the board shows it: another snake may lie over it. */
class Snake {
  constructor(board, head) {
    this.head = head;
    this.element = board.at(head);
    this.points = trace(board, head);
  }

  get length() {
    return this.points.length;
  }

  get tail() {
    return this.points[this.length - 1];
  }

  /** The cell behind the head, or undefined if it is hidden. */
  get neck() {
    return this.points[1];
  }

  /** Where it went last; STOP if neither its head nor its neck tells. */
  get direction() {
    const looks = Direction.moves().find((way) => this.element.name.endsWith(`HEAD_${way.name}`));
    return looks ?? (this.neck ? Direction.between(this.neck, this.head) : Direction.STOP);
  }

  isFurious() {
    return this.element.name.endsWith("HEAD_EVIL");
  }

  isFlying() {
    return this.element.name.endsWith("HEAD_FLY");
  }

  isAsleep() {
    return this.element.name.endsWith("HEAD_SLEEP");
  }
}

/** Follows a snake from its head to its tail, by the sides at which its cells join each other. */
function trace(board, head) {
  const mine = board.at(head).isMine();
  const points = new Set();
  let last = head;
  while (last) {
    points.add(last);
    const way = sides(board.at(last)).find((side) => {
      const there = side.apply(last);
      return !points.has(there) && leads(board.at(there), side, mine);
    });
    last = way?.apply(last);
  }
  return [...points];
}

/** Whether an element that is entered this way is the next cell of the snake. */
function leads(element, way, mine) {
  const same = mine ? element.isMine() : element.isEnemy();
  return same && !element.name.includes("HEAD") && sides(element).includes(way.inverted());
}

/** The sides at which a part of a snake joins its neighbours. */
function sides(element) {
  return SIDES[element.name.replace("ENEMY_", "")] ?? Direction.moves();
}

const { LEFT, RIGHT, UP, DOWN } = Direction;
const SIDES = {
  HEAD_LEFT: [RIGHT],
  HEAD_RIGHT: [LEFT],
  HEAD_UP: [DOWN],
  HEAD_DOWN: [UP],
  BODY_HORIZONTAL: [LEFT, RIGHT],
  BODY_VERTICAL: [UP, DOWN],
  BODY_LEFT_DOWN: [LEFT, DOWN],
  BODY_LEFT_UP: [LEFT, UP],
  BODY_RIGHT_DOWN: [RIGHT, DOWN],
  BODY_RIGHT_UP: [RIGHT, UP],
  TAIL_END_LEFT: [RIGHT],
  TAIL_END_RIGHT: [LEFT],
  TAIL_END_UP: [DOWN],
  TAIL_END_DOWN: [UP],
}; // a head that is furious, flies or sleeps, and the tail of a sleeper, may join at any side

module.exports = { Snake };
