// A bot for Hack-man: fetches the nearest snippet or weapon, and keeps clear of bugs.
//
// It reads lines from standard input and answers every `action move` with one word on standard output.
// console.log is an answer; for everything else there is console.error.
"use strict";

const STEPS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };

const settings = {}; // what `settings KEY VALUE` told
const told = {}; // what `update WHO KEY VALUE` told, as "WHO KEY"

function hear([kind, first, second, third]) {
  if (kind === "settings") settings[first] = second;
  if (kind === "update") told[`${first} ${second}`] = third;
}

/** The field: a list of cells, each a text of signs (x . C W 0 1 E, often several). */
class Field {
  constructor(text, width) {
    this.cells = text.split(",");
    this.width = width;
  }

  find(sign) {
    return [...this.cells.keys()].filter((cell) => this.cells[cell].includes(sign));
  }

  /** The open cells beside a cell, as [word, cell]. */
  beside(cell) {
    const [x, y] = [cell % this.width, Math.floor(cell / this.width)];
    return Object.entries(STEPS)
      .map(([word, [dx, dy]]) => [word, x + dx, y + dy])
      .filter(([, toX]) => toX >= 0 && toX < this.width)
      .map(([word, toX, toY]) => [word, toY * this.width + toX])
      .filter(([, there]) => this.cells[there] !== undefined && !this.cells[there].includes("x"));
  }

  /** The first word of the shortest way to a goal: a search that spreads from all first steps at once. */
  wayTo(firsts, goals, avoid) {
    const queue = [...firsts];
    const seen = new Set([...avoid, ...firsts.map(([, cell]) => cell)]);
    for (const [word, cell] of queue) {
      if (goals.has(cell)) return word;
      for (const [, there] of this.beside(cell)) {
        if (!seen.has(there)) {
          seen.add(there);
          queue.push([word, there]);
        }
      }
    }
    return undefined;
  }
}

/** This is the place to make the bot better. */
function decide() {
  const field = new Field(told["game field"], Number(settings.field_width));
  const me = settings.your_botid;
  const rival = me === "0" ? "1" : "0";
  const armed = (player) => told[`player${player} has_weapon`] === "true";
  const [here] = field.find(me);

  const feared = [...(armed(me) ? [] : field.find("E")), ...(armed(rival) ? field.find(rival) : [])];
  const danger = new Set(feared.flatMap((cell) => [cell, ...field.beside(cell).map(([, there]) => there)]));

  const firsts = field.beside(here).filter(([, cell]) => !danger.has(cell));
  const goals = new Set([...field.find("C"), ...field.find("W")]);
  const word = field.wayTo(firsts, goals, [here, ...feared]);
  if (word) return word;
  return danger.has(here) && firsts.length ? firsts[0][0] : "pass";
}

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const words = line.trim().split(/\s+/);
    if (words[0] === "action") console.log(decide());
    else hear(words);
  });
