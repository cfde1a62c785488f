// A person at the board: keys and touch buttons, the order that will be sent, the time that is left.
// links/viewing/sockets.py says what comes over the socket of a seat: {here, question, limit_ms, left_ms, planned, sent, lost, over}.
import { make, nameOf, setText } from "./dom.js";

const AGAIN_MS = 1000; // before a lost connection is tried again
const BAR_MS = 100; // between two drawings of the time that is left
const HELD = { Shift: "shiftKey", Alt: "altKey", Control: "ctrlKey" };

// Pads for some seats of a match that is played; they have the keys of the page until it is over.
export function pads(viewer, seats, addressOf) {
  return new Pads(viewer, seats, addressOf);
}

class Pads {
  constructor(viewer, seats, addressOf) {
    this.viewer = viewer;
    this.all = seats.map((seat) => new Pad(viewer, seat, addressOf(seat), () => this.update()));
    this.element = make("div", { class: "by-pads" }, ...this.all.map((pad) => pad.element));
    viewer.keyboard.enabled = false;
    this._key = (event) => this.key(event);
    this._leave = (event) => !this.over && event.preventDefault(); // or control + w would end a game
    addEventListener("keydown", this._key, true);
    addEventListener("beforeunload", this._leave);
    this._bar = setInterval(() => this.all.forEach((pad) => pad.drawTime()), BAR_MS);
    this.update();
  }

  get over() {
    return this.all.every(({ state }) => state.over);
  }

  // Whose keys they are: of several people at one screen, the first who has to give an order and has not.
  get chosen() {
    const owing = this.all.find(({ state }) => state.question && state.planned === null);
    return owing ?? this.all.find(({ state }) => !state.over && state.planned === null) ?? this.all[0];
  }

  key(event) {
    const { target } = event;
    if (target instanceof Element && target.matches("input, textarea, select")) return;
    if (this.viewer.dialog?.open || event.metaKey) return;
    if (this.chosen.press(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  update() {
    const several = this.all.length > 1;
    for (const pad of this.all) pad.element.classList.toggle("by-chosen", several && pad === this.chosen);
    if (!this.over) return;
    clearInterval(this._bar);
    removeEventListener("keydown", this._key, true);
    removeEventListener("beforeunload", this._leave);
    this.viewer.keyboard.enabled = true;
  }
}

class Pad {
  constructor(viewer, seat, address, changed) {
    Object.assign(this, { viewer, seat, address, changed, mode: 0, until: null });
    this.state = { here: false, question: 0, limit_ms: 0, planned: null, sent: null, lost: null, over: false };
    const { head } = viewer.whole;
    this.keys = head.keys.map(([names, label, orders, row, col]) => ({ names, label, orders, row, col }));
    this.modes = head.modes.map(([label, hold, tap]) => ({ label, hold, tap }));
    this.build(head);
    this.open();
  }

  build(head) {
    this.says = make("p", { class: "by-pad-says", role: "status" });
    this.order = make("p", { class: "by-pad-order" });
    this.time = make("progress", { class: "by-pad-time", "aria-label": "Time left", max: 1, value: 0, hidden: true });
    this.begin = make("button", { type: "button", class: "by-pad-begin", onclick: () => this.send({ ready: true }) }, "Start: I am ready");
    this.choices = this.modes.map(({ label, hold, tap }, at) => {
      const hint = [hold && `hold ${hold}`, tap && `or press ${tap} first`].filter(Boolean).join(", ");
      return make("button", { type: "button", class: "by-pad-mode", title: hint, onclick: () => this.choose(at) }, label);
    });
    this.buttons = this.keys.map((key) => this.button(key));
    const grid = make("div", { class: "by-pad-keys" }, ...this.buttons);
    this.told = make("pre", { class: "by-pad-text", tabindex: "0" });
    const text = make("details", { class: "by-pad-told" }, make("summary", {}, "What your seat is told"), this.told);
    const name = make("h2", { class: "by-pad-name" }, nameOf(head.names[this.seat]));
    const several = this.modes.length > 1;
    this.element = make(
      "section", { class: "by-pad", "aria-label": "Your orders" },
      name, this.says, this.time, this.order, this.begin,
      several ? make("div", { class: "by-pad-modes", role: "group", "aria-label": "What the keys mean" }, ...this.choices) : null,
      grid, text,
    );
    this.element.style.setProperty("--by-own", `var(--by-seat-${this.seat % 16})`);
    this.choose(0);
  }

  button(key) {
    const button = make(
      "button", { type: "button", class: "by-pad-key", onclick: () => this.give(key.orders[this.mode]) },
      make("b", {}, key.label), make("kbd", {}, key.names.map(shownKey).filter((name) => name !== key.label).join(" ")),
    );
    button.style.gridRow = String(key.row + 1);
    button.style.gridColumn = String(key.col + 1);
    return button;
  }

  // The socket

  open() {
    this.socket = new WebSocket(this.address);
    this.socket.onmessage = ({ data }) => this.take(JSON.parse(data));
    this.socket.onclose = () => {
      if (this.state.over) return;
      setText(this.says, "The connection is lost; trying again …");
      setTimeout(() => this.open(), AGAIN_MS);
    };
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  take(state) {
    const { text, left_ms: left } = state;
    this.until = state.question && state.limit_ms ? performance.now() + left : null;
    if (text !== undefined) setText(this.told, text);
    this.state = state;
    this.draw();
    this.changed();
  }

  // Orders

  choose(mode) {
    this.mode = mode;
    this.choices.forEach((button, at) => button.setAttribute("aria-pressed", String(at === mode)));
    this.buttons.forEach((button, at) => {
      const order = this.keys[at].orders[mode];
      button.disabled = !order;
      button.setAttribute("aria-label", order || this.keys[at].label);
    });
  }

  give(order) {
    if (!order || this.state.over) return;
    if (!this.state.here) this.send({ ready: true });
    else this.send({ order });
    if (this.mode) this.choose(0);
  }

  // Whether a key means something here. What is held down counts before what was tapped.
  press(event) {
    const key = keyOf(event);
    const held = this.modes.findIndex(({ hold }) => hold && event[HELD[hold]]);
    const found = this.keys.find(({ names }) => names.some((name) => name.toLowerCase() === key));
    if (found) {
      this.give(found.orders[held > 0 ? held : this.mode]);
      return true;
    }
    const tapped = this.modes.findIndex(({ tap }) => tap && tap.toLowerCase() === key);
    if (tapped >= 0) this.choose(this.mode === tapped ? 0 : tapped);
    else if (key === "enter" && !this.state.here) this.send({ ready: true });
    else if (key === "escape" || key === "backspace") this.send({ withdraw: true });
    else return false;
    return true;
  }

  // What is seen

  draw() {
    const { here, question, planned, sent, lost, over } = this.state;
    this.begin.hidden = here || over;
    this.element.dataset.question = question;
    this.element.classList.toggle("by-asked", Boolean(question) && !over);
    setText(this.says, over ? "The game is over." : !here ? "Ready?" : question ? "Your turn." : "Waiting for the others …");
    const last = lost ? `Lost turn: ${lost[0]}, ${lost[1]}` : sent ? `Sent: ${sent}` : "";
    setText(this.order, planned ? `Will be sent: ${planned}` : over ? "" : last || "No order yet.");
    this.order.classList.toggle("by-lost", Boolean(lost) && !planned);
    this.drawTime();
  }

  drawTime() {
    this.time.hidden = this.until === null || this.state.over;
    if (!this.time.hidden) this.time.value = Math.max(0, this.until - performance.now()) / this.state.limit_ms;
  }
}

// A key by its name in small letters; with modifiers that change letters, by its place on the keyboard.
function keyOf({ key, code, altKey }) {
  const letter = altKey && /^Key[A-Z]$/.test(code ?? "") ? code.slice(3) : key;
  return letter.toLowerCase();
}

const ARROWS = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", " ": "space" };

function shownKey(name) {
  return ARROWS[name] ?? name;
}
