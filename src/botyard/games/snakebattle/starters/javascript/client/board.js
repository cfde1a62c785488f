// The board of one turn.
"use strict";

const { Element, Group } = require("./element.js");
const { Point } = require("./point.js");
const { Snake } = require("./snake.js");

/** A square of elements, made from a board line. It does not change; every turn has a new one. */
class Board {
  constructor(line) {
    this.line = line;
    this.size = Math.floor(Math.sqrt(line.length));
    this.elements = Array.from(line, (sign) => Element.of(sign));
    this.points = this.elements.map((_, at) =>
      Point.of(at % this.size, this.size - 1 - Math.floor(at / this.size)));
  }

  /** Where a point of the board stands in `line`, `points` and `elements`. */
  index(point) {
    return (this.size - 1 - point.y) * this.size + point.x;
  }

  // Asking about a point

  /** The element there; outside the board everything is WALL. */
  at(point) {
    return point.isOut(this.size) ? Element.WALL : this.elements[this.index(point)];
  }

  /** Whether one of these elements is there. */
  isAt(point, ...elements) {
    return elements.includes(this.at(point));
  }

  /** Whether nothing is there, or something to eat. */
  isFreeAt(point) {
    return this.isAt(point, ...Group.FREE);
  }

  /** Whether something is there that no snake survives: a wall, a start cell, a sleeper. */
  isBarrierAt(point) {
    return this.isAt(point, ...Group.BARRIERS);
  }

  isStoneAt(point) {
    return this.isAt(point, Element.STONE);
  }

  /** The elements of the eight cells around a point. */
  near(point) {
    return point.around().map((there) => this.at(there));
  }

  /** How many of the eight cells around a point show one of these elements. */
  countNear(point, ...elements) {
    return this.near(point).filter((element) => elements.includes(element)).length;
  }

  isNear(point, ...elements) {
    return this.countNear(point, ...elements) > 0;
  }

  /** The elements of the four cells beside a point: left, right, up, down. */
  beside(point) {
    return point.beside().map((there) => this.at(there));
  }

  isBeside(point, ...elements) {
    return this.beside(point).some((element) => elements.includes(element));
  }

  // Searching

  /** The points of these elements, top row first. */
  find(...elements) {
    return this.points.filter((_, at) => elements.includes(this.elements[at]));
  }

  /** The first of these points, or undefined. */
  first(...elements) {
    return this.find(...elements)[0];
  }

  walls() {
    return this.find(Element.WALL);
  }

  barriers() {
    return this.find(...Group.BARRIERS);
  }

  stones() {
    return this.find(Element.STONE);
  }

  apples() {
    return this.find(Element.APPLE);
  }

  gold() {
    return this.find(Element.GOLD);
  }

  furyPills() {
    return this.find(Element.FURY_PILL);
  }

  flyingPills() {
    return this.find(Element.FLYING_PILL);
  }

  /** Apples, gold and pills. */
  food() {
    return this.find(...Group.FOOD);
  }

  // Snakes

  /** The point of your living head, or undefined: then you are dead, or another snake lies over your head. */
  me() {
    return this.first(...Group.MY_HEADS);
  }

  isGameOver() {
    return this.me() === undefined;
  }

  /** Your snake, or undefined if its head is not to be seen. */
  mySnake() {
    const head = this.me();
    return head && new Snake(this, head);
  }

  /** The heads of the others that are alive and awake. */
  foeHeads() {
    return this.find(...Group.ENEMY_HEADS).filter((head) => !this.isAt(head, Element.ENEMY_HEAD_SLEEP));
  }

  /** The snakes of the others that are alive and awake. */
  foes() {
    return this.foeHeads().map((head) => new Snake(this, head));
  }

  toString() {
    return this.line.match(new RegExp(`.{${this.size}}`, "gsu")).join("\n");
  }
}

module.exports = { Board };
