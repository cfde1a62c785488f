// Starts the bot, and answers every board with what its Solver says.
//
// It is started as `node main.js ADDRESS`, with the address of its board page:
//
//     http://HOST:PORT/codenjoy-contest/board/player/USER?code=CODE
"use strict";

const { Board } = require("./client");
const { connect } = require("./client/link.js");
const { Solver } = require("./solver.js");

const address = process.argv[2].replace("http", "ws").replace("board/player/", "ws?user=").replace("?code=", "&code=");
const solver = new Solver();
connect(address, (text) =>
  text.startsWith("board=") ? String(solver.get(new Board(text.slice("board=".length)))) : undefined);
