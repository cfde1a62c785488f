// Directions and the other words of an answer.
"use strict";

const { Point } = require("./point.js");

/** A word of an answer: four directions, ACT to drop a stone, STOP to go straight on. */
class Direction {
  constructor(name, value, dx, dy) {
    Object.assign(this, { name, value, dx, dy });
    Object.freeze(this);
  }

  static LEFT = new Direction("LEFT", 0, -1, 0);
  static RIGHT = new Direction("RIGHT", 1, 1, 0);
  static UP = new Direction("UP", 2, 0, 1);
  static DOWN = new Direction("DOWN", 3, 0, -1);
  static ACT = new Direction("ACT", 4, 0, 0);
  static STOP = new Direction("STOP", 5, 0, 0);

  /** The four directions, without ACT and STOP. */
  static moves() {
    return MOVES;
  }

  /** The direction from a point to its neighbour; STOP if they are no neighbours. */
  static between(point, neighbour) {
    return MOVES.find((way) => way.apply(point) === neighbour) ?? Direction.STOP;
  }

  /** The point one step further; y grows upwards. */
  apply(point) {
    return Point.of(point.x + this.dx, point.y + this.dy);
  }

  /** The opposite direction; ACT and STOP stay what they are. */
  inverted() {
    return INVERTED.get(this) ?? this;
  }

  /** The direction after a quarter turn to the right. */
  clockwise() {
    return CLOCKWISE.get(this) ?? this;
  }

  /** The direction after a quarter turn to the left. */
  counterClockwise() {
    return this.clockwise().inverted();
  }

  /** An answer that also drops a stone, such as "LEFT,ACT". */
  withAct() {
    return `${this.name},ACT`;
  }

  toString() {
    return this.name;
  }
}

const { LEFT, RIGHT, UP, DOWN } = Direction;
const MOVES = Object.freeze([LEFT, RIGHT, UP, DOWN]);
const INVERTED = new Map([[LEFT, RIGHT], [RIGHT, LEFT], [UP, DOWN], [DOWN, UP]]);
const CLOCKWISE = new Map([[LEFT, UP], [UP, RIGHT], [RIGHT, DOWN], [DOWN, LEFT]]);

module.exports = { Direction };
