// The running games as small boards.
import { emblemPicture } from "./atlas.js";
import { Board } from "./board.js";
import { make, nameOf, setText } from "./dom.js";
import { Film } from "./film.js";

const EMBLEM = 48; // device pixels
const MOST_SEATS = 6; // whose names have room under a board

export class Games {
  constructor(slot) {
    this.slot = slot;
    this.cards = [];
    this.theme = "light";
  }

  dress(theme) {
    this.theme = theme;
    this.cards = [];
    this.slot.replaceChildren();
  }

  fit() {
    for (const card of this.cards) card.board?.fit();
  }

  show({ boards, heads, state, workers }) {
    const many = boards.length !== this.cards.length;
    while (this.cards.length > boards.length) this.cards.pop().element.remove();
    while (this.cards.length < boards.length) this._add();
    this.slot.dataset.count = String(boards.length);
    this.slot.hidden = boards.length === 0;
    if (many) this.fit();
    boards.forEach((board, at) => this.cards[at].show(board, heads[board.seats], this.theme));
    const quiet = document.getElementById("quiet");
    quiet.hidden = state !== "running" || boards.length > 0;
    setText(quiet, workers ? "The first games begin." : "The workers start.");
  }

  _add() {
    const card = new Card();
    this.cards.push(card);
    this.slot.append(card.element);
  }
}

class Card {
  constructor() {
    this.caption = make("p", { class: "caption" });
    this.seats = make("ul", { class: "seats" });
    this.frame = make("div", { class: "by-board" });
    this.element = make("article", { class: "card" }, this.caption, this.frame, this.seats);
    this.dressed = "";
  }

  show(board, head, theme) {
    this.board ??= new Board(this.frame);
    const film = new Film({ ...head, names: board.names, last: board.frame.at }, [board.frame]);
    const key = JSON.stringify([theme, head.title, head.rows, head.cols, head.palette]);
    if (key !== this.dressed) this.board.dress(film.head, theme);
    this.dressed = key;
    this.board.draw(film.frame(board.frame.at));
    setText(this.caption, `Game ${board.number} · tick ${board.tick}${board.again ? " · slowed down" : ""}`);
    const words = `The board of game ${board.number} at tick ${board.tick}`;
    this.board.stage.setAttribute("aria-label", words);
    this._showSeats(board, theme);
  }

  _showSeats({ names, points }, theme) {
    const key = JSON.stringify([names, theme]);
    if (key !== this.named) {
      const items = names.slice(0, MOST_SEATS).map((name, seat) => make("li", { title: name }, emblemPicture(theme, seat, EMBLEM), nameOf(name), make("output", {})));
      if (names.length > MOST_SEATS) items.push(make("li", { class: "more" }, `and ${names.length - MOST_SEATS} more`));
      this.seats.replaceChildren(...items);
    }
    this.named = key;
    this.seats.querySelectorAll("output").forEach((output, seat) => setText(output, String(points[seat])));
  }
}
