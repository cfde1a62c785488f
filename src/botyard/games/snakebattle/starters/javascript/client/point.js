// Points of the board.
"use strict";

const known = new Map();

/**
 * A cell of the board: x grows to the right, y grows upwards, and (0, 0) is at the bottom left.
 *
 * Equal points are the same object, so that they can be compared with === and kept in sets and maps: take them from
 * `Point.of(x, y)`.
 */
class Point {
  constructor(x, y) {
    this.x = x;
    this.y = y;
    Object.freeze(this);
  }

  static of(x, y) {
    if (!known.has(x)) known.set(x, new Map());
    const column = known.get(x);
    if (!column.has(y)) column.set(y, new Point(x, y));
    return column.get(y);
  }

  left() {
    return Point.of(this.x - 1, this.y);
  }

  right() {
    return Point.of(this.x + 1, this.y);
  }

  up() {
    return Point.of(this.x, this.y + 1);
  }

  down() {
    return Point.of(this.x, this.y - 1);
  }

  /** The four neighbours: left, right, up, down. */
  beside() {
    return [this.left(), this.right(), this.up(), this.down()];
  }

  /** The eight neighbours: first those beside, then the corners. */
  around() {
    const [above, below] = [this.up(), this.down()];
    return [...this.beside(), above.left(), above.right(), below.left(), below.right()];
  }

  /** How many steps it is to another point if nothing stands in the way. */
  distance(other) {
    return Math.abs(this.x - other.x) + Math.abs(this.y - other.y);
  }

  /** Whether this is outside a board of that size. */
  isOut(size) {
    return this.x < 0 || this.x >= size || this.y < 0 || this.y >= size;
  }

  toString() {
    return `(${this.x}, ${this.y})`;
  }
}

module.exports = { Point };
