// The wall of a room: every field is a small board that follows its game. Which fields there are is asked again now and then.
import { Board } from "./board.js";
import { liveFilm } from "./live.js";
import { chosenTheme } from "./theme.js";

const AGAIN_MS = 3000;
const wall = document.getElementById("wall");
const shown = new Map(); // by number of the field

class Field {
  constructor(card) {
    this.card = card;
    this.board = new Board(card.querySelector(".board-slot"));
    this.board.stage.setAttribute("aria-label", `The board of field ${card.dataset.field}`);
    this.sizes = new ResizeObserver(() => this.board.fit());
    this.sizes.observe(this.board.slot);
    this.follow();
  }

  // A film ends with its field, or after many ticks: then another one begins.
  async follow() {
    const address = new URL(`/rooms/${wall.dataset.room}/live/${this.card.dataset.field}`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const film = await liveFilm(address.href, null);
    if (!this.card.isConnected) return;
    if (!film) {
      this.goOn();
      return;
    }
    this.board.dress(film.head, chosenTheme());
    const draw = () => film.has(film.last) && this.board.draw(film.frame(film.last));
    film.addEventListener("grow", draw);
    film.addEventListener("head", () => {
      if (film.growing) this.board.dress(film.head, chosenTheme());
      else this.goOn();
    });
    draw();
  }

  async goOn() {
    const fields = await refreshed();
    if (fields.some(({ number }) => number === Number(this.card.dataset.field))) this.follow();
  }

  tell({ headline, players }) {
    this.card.querySelector(".headline").textContent = headline;
    const list = this.card.querySelector(".seats");
    if (list.contains(document.activeElement)) return;
    list.replaceChildren(...players.map(seatLine));
  }

  end() {
    this.sizes.disconnect();
    this.card.remove();
  }
}

function seatLine({ user, name, points }) {
  const line = document.createElement("li");
  const link = document.createElement("a");
  link.className = "quiet-link";
  link.href = wall.dataset.board + encodeURIComponent(user);
  link.append(Object.assign(document.createElement("bdi"), { textContent: name }));
  line.append(link, " ", Object.assign(document.createElement("span"), { className: "n", textContent: points }));
  return line;
}

function newCard(number) {
  const card = wall.firstElementChild.cloneNode(true);
  card.dataset.field = number;
  card.querySelector("h3").firstChild.textContent = `Field ${number} `;
  card.querySelector(".board-slot").replaceChildren();
  wall.append(card);
  return card;
}

// The fields that there are now; a server that is away is asked again.
function refreshed() {
  return refresh().catch(() => []);
}

async function refresh() {
  const answer = await fetch(`/rooms/${wall.dataset.room}/fields`, { cache: "no-store" });
  if (!answer.ok) return [];
  const begin = Number(wall.dataset.begin);
  const fields = (await answer.json()).slice(begin, begin + Number(wall.dataset.most));
  if (!fields.length) return []; // the last board stays until there is another
  for (const field of fields) {
    if (!shown.has(field.number)) shown.set(field.number, new Field(newCard(field.number)));
    shown.get(field.number).tell(field);
  }
  for (const [number, field] of shown) {
    if (fields.some((one) => one.number === number)) continue;
    field.end();
    shown.delete(number);
  }
  return fields;
}

if (wall) {
  for (const card of wall.children) shown.set(Number(card.dataset.field), new Field(card));
  setInterval(() => document.hidden || refreshed(), AGAIN_MS);
}
