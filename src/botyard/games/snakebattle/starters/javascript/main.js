// A bot for Snake Battle: eats what is nearest, and stays where there is room.
//
// It is started as `node main.js ADDRESS`, with the address of its board page:
//
//     http://HOST:PORT/codenjoy-contest/board/player/USER?code=CODE
//
// Every second it is sent the whole board and answers with a direction.
"use strict";

const { connect } = require("./link.js");

const WORDS = ["LEFT", "RIGHT", "UP", "DOWN"];
const HEADS = "◄►▲▼♥♠"; // in the order of WORDS; the last two are furious, and fly
const BODY = "═║╗╝╔╚╕╘╙╓";
const RIVALS = "<>˄˅♣♦";
const FOOD = "○$®©"; // apple, gold, fury pill, flying pill
const FREE = " " + FOOD;
const FAR = 1e6;

/** A square of signs, read row by row. */
class Board {
  constructor(text) {
    this.text = text;
    const side = Math.round(Math.sqrt(text.length));
    this.steps = [-1, 1, -side, side]; // in the order of WORDS; the border is wall: no step leaves the board
  }

  /** Whether one of these signs is in a cell. */
  has(cell, signs) {
    return signs.includes(this.text[cell] ?? "☼");
  }

  count(signs) {
    return [...this.text].filter((sign) => signs.includes(sign)).length;
  }

  besideRival(cell) {
    return this.steps.some((step) => this.has(cell + step, RIVALS));
  }

  /** How far it is from a cell to something to eat, and how many cells can be reached at all. */
  explore(start) {
    const away = new Map([[start, 0]]);
    let nearest = FAR;
    for (const [cell, distance] of away) { // a map hands out what is added while it is walked through
      if (this.has(cell, FOOD)) nearest = Math.min(nearest, distance);
      for (const step of this.steps) {
        const there = cell + step;
        if (!away.has(there) && this.has(there, FREE)) away.set(there, distance + 1);
      }
    }
    return [nearest, away.size];
  }
}

/** This is the place to make the bot better: the way that costs least is taken. */
function decide(board) {
  const head = [...board.text].findIndex((sign) => HEADS.includes(sign));
  if (head < 0) return ""; // asleep, dead, or hidden under another snake: straight on
  const looks = HEADS.indexOf(board.text[head]);
  const length = 1 + board.count(BODY);

  const cost = (there) => {
    if (board.has(there, BODY)) return 100 * FAR; // biting oneself is better than a wall
    const [nearest, room] = board.explore(there);
    return 10 * FAR * board.besideRival(there) + 2 * FAR * (room < length) + nearest;
  };
  let [best, least] = ["", Infinity];
  WORDS.forEach((word, at) => {
    const there = head + board.steps[at];
    const back = looks < WORDS.length && at === (looks ^ 1); // nobody turns on the spot
    if (back || !board.has(there, FREE + BODY)) return;
    if (cost(there) < least) [best, least] = [word, cost(there)];
  });
  return best;
}

const address = process.argv[2].replace("http", "ws").replace("board/player/", "ws?user=").replace("?code=", "&code=");
connect(address, (text) => (text.startsWith("board=") ? decide(new Board(text.slice("board=".length))) : undefined));
