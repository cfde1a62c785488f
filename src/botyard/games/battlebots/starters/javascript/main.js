// A bot for BattleBots: steps out of the way of shots, and shoots what stands in line.
//
// It is started anew for every round. The arena is the last argument, the answer is what it prints. Nothing survives a
// round: no variable, no file.
"use strict";

const STEPS = {
  N: [0, -1], NE: [1, -1], E: [1, 0], SE: [1, 1], S: [0, 1], SW: [-1, 1], W: [-1, 0], NW: [-1, -1],
};
const REACH = { B: 3, M: 2 }; // squares that a bullet and a missile fly in a round

const moved = ([x, y], way, far = 1) => [x + far * STEPS[way][0], y + far * STEPS[way][1]];
const same = ([x, y], [u, v]) => x === u && y === v;
const apart = ([x, y], [u, v]) => Math.max(Math.abs(x - u), Math.abs(y - v));

/** The text of the arena: ten lines of board, then hit points, then every bullet, missile and mine. */
class Arena {
  constructor(text) {
    const lines = text.trim().split("\n");
    this.board = lines.filter((line) => !line.includes("="));
    this.danger = []; // the squares that hurt this round: everything moves first, then the shots fly
    for (const line of lines) {
      const found = line.match(/^([BML]) x=(\d+) y=(\d+)(?: dir=(\w+))?/);
      if (!found) continue;
      const [, kind, x, y, way] = found;
      const at = [Number(x), Number(y)];
      if (kind === "L") this.danger.push(at);
      for (let far = 1; far <= (REACH[kind] ?? 0); far++) this.danger.push(moved(at, way, far));
    }
  }

  find(sign) {
    const y = this.board.findIndex((line) => line.includes(sign));
    return [this.board[y].indexOf(sign), y];
  }

  inside([x, y]) {
    return this.board[y]?.[x] !== undefined;
  }

  deadly(square) {
    return this.danger.some((other) => same(other, square));
  }
}

/** The way to the enemy, if it stands in line. */
function aim(me, enemy) {
  return Object.keys(STEPS).find((way) => same(moved(me, way, apart(me, enemy)), enemy));
}

/** This is the place to make the bot better. */
function decide(arena) {
  const [me, enemy] = [arena.find("Y"), arena.find("X")];
  const [way, far] = [aim(me, enemy), apart(me, enemy)];
  if (way && !arena.deadly(me)) {
    if (far === REACH.M) return `M ${way}`; // nearer, the blast would hurt us too
    if (far <= REACH.B) return `B ${way}`;
  }
  const cost = (step) => {
    const there = moved(me, step);
    const distance = Math.abs(apart(there, enemy) - REACH.M);
    return 1000 * arena.deadly(there) + 10 * distance + !aim(there, enemy);
  };
  const steps = Object.keys(STEPS).filter((step) => arena.inside(moved(me, step)) && !same(moved(me, step), enemy));
  return steps.sort((one, other) => cost(one) - cost(other))[0] ?? "NO";
}

console.log(decide(new Arena(process.argv[process.argv.length - 1])));
