// Your bot. Write it here.
"use strict";

const { Example } = require("./example.js");

/** One object plays the whole game, so it may remember things from turn to turn. */
class Solver {
  example = new Example();

  /** Fill this in: it gets a Board every turn, and returns a Direction or a text such as "LEFT,ACT". */
  get(board) {
    return this.example.get(board);
  }
}

module.exports = { Solver };
