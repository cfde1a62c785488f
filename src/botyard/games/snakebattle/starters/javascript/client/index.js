// The client library: what a board shows, and the shortest ways on it. The README lists all of it.
"use strict";

const { Board } = require("./board.js");
const { Direction } = require("./direction.js");
const { Element, Group } = require("./element.js");
const { Point } = require("./point.js");
const { Snake } = require("./snake.js");
const { Ways } = require("./ways.js");

module.exports = { Board, Direction, Element, Group, Point, Snake, Ways };
