// Shortest ways, found by Dijkstra's algorithm.
"use strict";

const { Direction } = require("./direction.js");
const { Group } = require("./element.js");

/**
 * The cheapest ways from one point to all others.
 *
 * What it costs to enter a cell is said by `cost`: a function of a point, or a Map of costs by element. Costs are not
 * negative. A cell whose cost is Ways.CLOSED, or whose element is not in the Map, is never entered. Without a `cost`,
 * free cells cost 1 and all others are closed. From your own head no way begins backwards, because no snake can turn on
 * the spot.
 */
class Ways {
  static CLOSED = Infinity;

  #board;
  #came = new Map(); // the point before, by point
  #costs = new Map();
  #reached = [];

  constructor(board, start, cost = FREE) {
    this.#board = board;
    if (!start.isOut(board.size)) this.#search(start, costFunction(board, cost), neckBehind(board, start));
  }

  /** Settles points in the order of their costs; of equal ones, first what was found first. */
  #search(start, cost, behind) {
    const queue = new Queue();
    const done = new Set();
    this.#costs.set(start, 0);
    queue.push(start, 0);
    for (let point = queue.pop(); point !== undefined; point = queue.pop()) {
      if (done.has(point)) continue;
      done.add(point);
      for (const there of point.beside()) {
        if (there.isOut(this.#board.size) || done.has(there) || (point === start && there === behind)) continue;
        const total = this.#costs.get(point) + cost(there);
        if (!(total < this.costTo(there))) continue;
        this.#costs.set(there, total);
        this.#came.set(there, point);
        queue.push(there, total);
      }
    }
    this.#reached = [...done];
  }

  /** What the way to a point costs; Ways.CLOSED if there is none. */
  costTo(point) {
    return this.#costs.get(point) ?? Ways.CLOSED;
  }

  /** All points that can be reached, nearest first; the start is the first. */
  reached() {
    return this.#reached;
  }

  /** The point with the cheapest way, or undefined if none can be reached. */
  nearest(points) {
    let best;
    for (const point of points) if (this.costTo(point) < (best ? this.costTo(best) : Ways.CLOSED)) best = point;
    return best;
  }

  /** The directions to go, one per step; none if there is no way. */
  wayTo(point) {
    const way = [];
    for (let here = point; this.#came.has(here); here = this.#came.get(here)) {
      way.unshift(Direction.between(this.#came.get(here), here));
    }
    return way;
  }

  /** The directions to the nearest of these points; none if none can be reached. */
  wayToNearest(points) {
    return this.wayTo(this.nearest(points));
  }
}

/** A heap: the cheapest comes out first, of equal ones the one that went in first. */
class Queue {
  #heap = [];
  #pushed = 0;

  push(point, cost) {
    const heap = this.#heap;
    const entry = { point, cost, turn: this.#pushed++ };
    let at = heap.length;
    while (at > 0 && before(entry, heap[(at - 1) >> 1])) {
      heap[at] = heap[(at - 1) >> 1];
      at = (at - 1) >> 1;
    }
    heap[at] = entry;
  }

  pop() {
    const heap = this.#heap;
    const top = heap[0];
    const entry = heap.pop();
    if (heap.length === 0) return top?.point;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && before(heap[child + 1], heap[child])) child++;
      if (!before(heap[child], entry)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = entry;
    return top.point;
  }
}

function before(one, other) {
  return one.cost < other.cost || (one.cost === other.cost && one.turn < other.turn);
}

const FREE = new Map(Group.FREE.map((element) => [element, 1]));

function costFunction(board, cost) {
  return typeof cost === "function" ? cost : (point) => cost.get(board.at(point)) ?? Ways.CLOSED;
}

/** Your neck if the ways begin at your head. */
function neckBehind(board, start) {
  return start === board.me() ? board.mySnake().neck : undefined;
}

module.exports = { Ways };
