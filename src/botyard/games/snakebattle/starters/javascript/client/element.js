// Elements: the signs of a board by name.
"use strict";

/** What a cell of the board shows. */
class Element {
  constructor(name, sign) {
    Object.assign(this, { name, sign });
    Object.freeze(this);
  }

  static NONE = new Element("NONE", " ");
  static WALL = new Element("WALL", "☼");
  static START_FLOOR = new Element("START_FLOOR", "#");
  static OTHER = new Element("OTHER", "?");
  static APPLE = new Element("APPLE", "○");
  static STONE = new Element("STONE", "●");
  static FLYING_PILL = new Element("FLYING_PILL", "©");
  static FURY_PILL = new Element("FURY_PILL", "®");
  static GOLD = new Element("GOLD", "$");

  static HEAD_DOWN = new Element("HEAD_DOWN", "▼");
  static HEAD_LEFT = new Element("HEAD_LEFT", "◄");
  static HEAD_RIGHT = new Element("HEAD_RIGHT", "►");
  static HEAD_UP = new Element("HEAD_UP", "▲");
  static HEAD_DEAD = new Element("HEAD_DEAD", "☻");
  static HEAD_EVIL = new Element("HEAD_EVIL", "♥");
  static HEAD_FLY = new Element("HEAD_FLY", "♠");
  static HEAD_SLEEP = new Element("HEAD_SLEEP", "&");
  static BODY_HORIZONTAL = new Element("BODY_HORIZONTAL", "═");
  static BODY_VERTICAL = new Element("BODY_VERTICAL", "║");
  static BODY_LEFT_DOWN = new Element("BODY_LEFT_DOWN", "╗");
  static BODY_LEFT_UP = new Element("BODY_LEFT_UP", "╝");
  static BODY_RIGHT_DOWN = new Element("BODY_RIGHT_DOWN", "╔");
  static BODY_RIGHT_UP = new Element("BODY_RIGHT_UP", "╚");
  static TAIL_END_DOWN = new Element("TAIL_END_DOWN", "╙");
  static TAIL_END_LEFT = new Element("TAIL_END_LEFT", "╘");
  static TAIL_END_UP = new Element("TAIL_END_UP", "╓");
  static TAIL_END_RIGHT = new Element("TAIL_END_RIGHT", "╕");
  static TAIL_INACTIVE = new Element("TAIL_INACTIVE", "~");

  static ENEMY_HEAD_DOWN = new Element("ENEMY_HEAD_DOWN", "˅");
  static ENEMY_HEAD_LEFT = new Element("ENEMY_HEAD_LEFT", "<");
  static ENEMY_HEAD_RIGHT = new Element("ENEMY_HEAD_RIGHT", ">");
  static ENEMY_HEAD_UP = new Element("ENEMY_HEAD_UP", "˄");
  static ENEMY_HEAD_DEAD = new Element("ENEMY_HEAD_DEAD", "☺");
  static ENEMY_HEAD_EVIL = new Element("ENEMY_HEAD_EVIL", "♣");
  static ENEMY_HEAD_FLY = new Element("ENEMY_HEAD_FLY", "♦");
  static ENEMY_HEAD_SLEEP = new Element("ENEMY_HEAD_SLEEP", "ø");
  static ENEMY_BODY_HORIZONTAL = new Element("ENEMY_BODY_HORIZONTAL", "─");
  static ENEMY_BODY_VERTICAL = new Element("ENEMY_BODY_VERTICAL", "│");
  static ENEMY_BODY_LEFT_DOWN = new Element("ENEMY_BODY_LEFT_DOWN", "┐");
  static ENEMY_BODY_LEFT_UP = new Element("ENEMY_BODY_LEFT_UP", "┘");
  static ENEMY_BODY_RIGHT_DOWN = new Element("ENEMY_BODY_RIGHT_DOWN", "┌");
  static ENEMY_BODY_RIGHT_UP = new Element("ENEMY_BODY_RIGHT_UP", "└");
  static ENEMY_TAIL_END_DOWN = new Element("ENEMY_TAIL_END_DOWN", "¤");
  static ENEMY_TAIL_END_LEFT = new Element("ENEMY_TAIL_END_LEFT", "×");
  static ENEMY_TAIL_END_UP = new Element("ENEMY_TAIL_END_UP", "æ");
  static ENEMY_TAIL_END_RIGHT = new Element("ENEMY_TAIL_END_RIGHT", "ö");
  static ENEMY_TAIL_INACTIVE = new Element("ENEMY_TAIL_INACTIVE", "*");

  /** All elements. */
  static all() {
    return ALL;
  }

  /** The element with this sign; a sign that nobody knows is OTHER. */
  static of(sign) {
    return BY_SIGN.get(sign) ?? Element.OTHER;
  }

  /** Whether this is a part of your own snake. */
  isMine() {
    return /^(HEAD|BODY|TAIL)_/.test(this.name);
  }

  /** Whether this is a part of another's snake. */
  isEnemy() {
    return this.name.startsWith("ENEMY_");
  }

  toString() {
    return this.sign;
  }
}

const ALL = Object.freeze(Object.values(Element));
const BY_SIGN = new Map(ALL.map((element) => [element.sign, element]));

const named = (beginning, but) => ALL.filter((element) => element.name.startsWith(beginning) && element !== but);

const FOOD = [Element.APPLE, Element.GOLD, Element.FURY_PILL, Element.FLYING_PILL];

/** Elements that belong together. */
const Group = Object.freeze({
  FOOD,
  FREE: [...FOOD, Element.NONE],
  MY_HEADS: named("HEAD_", Element.HEAD_DEAD),
  MY_BODY: named("BODY_"),
  MY_TAILS: named("TAIL_"),
  MY_SNAKE: ALL.filter((element) => element.isMine()),
  ENEMY_HEADS: named("ENEMY_HEAD_", Element.ENEMY_HEAD_DEAD),
  ENEMY_BODY: named("ENEMY_BODY_"),
  ENEMY_TAILS: named("ENEMY_TAIL_"),
  ENEMY_SNAKES: named("ENEMY_"),
  BARRIERS: [
    Element.WALL,
    Element.START_FLOOR,
    Element.ENEMY_HEAD_SLEEP,
    Element.ENEMY_TAIL_INACTIVE,
    Element.TAIL_INACTIVE,
  ],
});

module.exports = { Element, Group };
