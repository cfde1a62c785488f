// The turn report beside the board, in step with the tick: what a bot was told and answered, how long it took, what became of
// it and what its author can do, what it printed and noted. All of it is text of strangers, escaped, and set as text.
import { make, nameOf, setText } from "./dom.js";
import { Notes, noteWords } from "./notes.js";

const PAUSE_MS = 80; // between two drawings while the film plays: nobody reads faster
const LINE_END = "↵";
let panels = 0; // on this page: parts of each have ids of their own

// A panel of a viewer whose source has a turn sheet (match/turn_sheet.py).
export function turnPanel(viewer) {
  return new TurnPanel(viewer);
}

class TurnPanel {
  constructor(viewer) {
    this.viewer = viewer;
    this.seat = null;
    const level = Number((viewer.options.heading ?? "h2").slice(1)); // of what the viewer is headed by
    this.heads = [`h${level + 1}`, `h${level + 2}`];
    this.id = `by-turns-${panels += 1}`;
    this.about = make("p", { class: "by-turn-about" }, "Loading the turns …");
    this.tabs = make("div", { class: "by-turn-tabs", role: "tablist", "aria-label": "Whose turns" });
    this.tabs.addEventListener("keydown", (event) => this._key(event));
    this.body = make("div", { class: "by-turn-body", role: "tabpanel", id: this.id, tabindex: "0", hidden: true });
    this.element = make("section", { class: "by-turns", "aria-label": "Turns" }, this.about, this.tabs, this.body);
    this.ready = Promise.resolve(viewer.source.turns?.()).then((sheet) => this._take(sheet)).catch((error) => setText(this.about, `The turns cannot be shown: ${error.message}`));
  }

  _take(sheet) {
    if (!sheet) {
      setText(this.about, "No turn log was kept of this game.");
      return;
    }
    this.sheet = sheet;
    this.turns = sheet.seats.map(({ turns }) => turns);
    this.lost = this.turns.map((turns) => turns.filter(({ verdict }) => verdict !== "OK").map(({ tick }) => Math.max(0, tick)));
    this.notes = new Notes(this.viewer, sheet.seats);
    const left = sheet.left_out ? `${sheet.left_out} turns did not fit in here; botyard report shows them.` : "";
    setText(this.about, [sheet.about, left].filter(Boolean).join(" "));
    this.about.hidden = !this.about.textContent;
    if (sheet.seats.every(({ house, turns }) => house && !turns.length)) return;
    this.order = sheet.seats.map((_, seat) => seat).sort((one, other) => unread(sheet.seats[one]) - unread(sheet.seats[other]));
    this._tabs();
    this.body.hidden = false;
    this.viewer.addEventListener("state", () => this._follow());
    this.choose(this.viewer.seat ?? this.order[0]);
  }

  _tabs() {
    this.buttons = new Map(
      this.order.map((seat) => {
        const count = this.lost[seat].length;
        const lost = count ? make("span", { class: "by-turn-count" }, `${count} lost`) : null;
        const button = make(
          "button", { type: "button", role: "tab", class: "by-turn-tab", id: `${this.id}-${seat}`, "aria-controls": this.id, onclick: () => this.choose(seat) },
          nameOf(this.sheet.seats[seat].name), lost,
        );
        button.style.setProperty("--by-own", `var(--by-seat-${seat % 16})`);
        return [seat, button];
      }),
    );
    this.tabs.replaceChildren(...this.buttons.values());
  }

  // Shows the turns of the seat whose view the board shows.
  _follow() {
    const { seat } = this.viewer;
    if (seat !== this._viewed && seat !== null) this.choose(seat);
    this._viewed = seat;
  }

  choose(seat) {
    this.seat = seat;
    for (const [own, button] of this.buttons) {
      button.setAttribute("aria-selected", String(own === seat));
      button.tabIndex = own === seat ? 0 : -1;
    }
    this.body.setAttribute("aria-labelledby", `${this.id}-${seat}`);
    this._drawn = undefined;
    this.update(this.viewer.tick);
  }

  _key(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!steps) return;
    event.preventDefault();
    const at = (this.order.indexOf(this.seat) + steps + this.order.length) % this.order.length;
    this.choose(this.order[at]);
    this.buttons.get(this.seat).focus();
  }

  update(tick) {
    if (this.seat === null) return;
    this.notes.show(this._notedTick(tick), this.seat);
    if (this._waiting) return;
    this._draw();
    if (!this.viewer.playing) return;
    this._waiting = setTimeout(() => {
      this._waiting = null;
      this._draw();
    }, PAUSE_MS);
  }

  // Where no seat but another is asked, what a bot noted last stays on the board.
  _notedTick(tick) {
    return this.notes.at(tick, this.seat).length ? tick : lastBy(this.turns[this.seat], tick)?.tick ?? tick;
  }

  _draw() {
    const { tick } = this.viewer;
    const turn = lastBy(this.turns[this.seat], tick);
    const key = `${turn?.tick} ${tick}`;
    if (this._drawn === key) return;
    this._drawn = key;
    const focused = this.body.contains(document.activeElement) ? document.activeElement.dataset.byPart : null;
    this.body.replaceChildren(this._lostButtons(tick), ...this._parts(turn, tick));
    if (focused) this.body.querySelector(`[data-by-part="${CSS.escape(focused)}"]`)?.focus();
  }

  _lostButtons(tick) {
    const lost = this.lost[this.seat];
    const button = (name, target, ...text) => make(
      "button", { type: "button", class: "by-turn-button", "aria-label": name, "data-by-part": name, "aria-disabled": String(target === undefined), onclick: () => target !== undefined && this.viewer.seek(target) }, ...text,
    );
    const told = lost.length ? `${lost.length} lost` : "no turn lost";
    return make(
      "div", { class: "by-turn-lost" },
      button("Previous lost turn", lost.findLast((at) => at < tick), "◀ Previous"), make("span", {}, told), button("Next lost turn", lost.find((at) => at > tick), "Next ▶"),
    );
  }

  _parts(turn, tick) {
    const seat = this.sheet.seats[this.seat];
    if (seat.private) return [make("p", {}, "What this bot was told and answered is known to its owner alone.")];
    if (seat.house) return [make("p", {}, "A house bot sits here. It is asked inside Botyard: nothing is sent, received or timed.")];
    const noted = this._notedTick(tick);
    const notes = this.notes.at(noted, this.seat);
    const parts = turn ? this._turnParts(turn, tick) : [make("p", {}, "It was not asked before this tick.")];
    if (notes.length) parts.push(list(this.heads[1], `Notes at tick ${noted}`, notes.map(noteWords)));
    if (seat.said && tick >= this.viewer.last) parts.push(words(this.heads[1], "Printed after the last turn", seat.said, "characters"));
    const unseen = (seat.notes_left_out ?? 0) + this.notes.odd[this.seat];
    if (tick >= this.viewer.last && unseen) parts.push(make("p", { class: "by-turn-warning" }, `${counted(unseen, "note")} could not be shown: beyond the board, after the end, or too many.`));
    return parts;
  }

  _turnParts(turn, tick) {
    const when = turn.tick < 0 ? "Start" : `Tick ${turn.tick}`;
    const asked = turn.tick === tick || turn.tick < 0 ? null : make("p", { class: "by-turn-faint" }, `Not asked at tick ${tick}; this is its last turn.`);
    const ok = turn.verdict === "OK";
    return [
      make(this.heads[0], { class: "by-turn-head" }, `${when} `, make("span", { class: ok ? "by-turn-badge" : "by-turn-badge by-turn-bad" }, turn.verdict), turn.order ? make("span", { class: "by-turn-order" }, turn.order) : null),
      asked,
      turn.ms === undefined || turn.tick < 0 ? null : clock(turn),
      turn.reason ? make("p", { class: "by-turn-reason" }, turn.reason) : null,
      turn.remedy === undefined ? null : make("p", { class: "by-turn-remedy" }, make("b", {}, "What to do: "), this.sheet.remedies[turn.remedy]),
      words(this.heads[1], "Sent to the bot", turn.sent, "bytes"),
      words(this.heads[1], "Received", turn.received, "bytes"),
      words(this.heads[1], "Sent before the question, and dropped", turn.early, "bytes"),
      words(this.heads[1], "Printed", turn.said, "characters"),
      turn.notes_dropped ? make("p", { class: "by-turn-warning" }, `${counted(turn.notes_dropped, "note")} dropped: ${turn.notes_reason}`) : null,
    ].filter(Boolean);
  }
}

// Seats of which there is nothing to read come last.
function unread({ house, private: hidden }) {
  return Number(Boolean(house || hidden));
}

// The last turn at a tick or before it; turns are in order.
function lastBy(turns, tick) {
  let [low, high] = [0, turns.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (turns[middle].tick <= tick) low = middle + 1;
    else high = middle;
  }
  return turns[low - 1];
}

function clock({ ms, limit }) {
  const told = limit ? `${ms} of ${limit} ms` : `${ms} ms, no limit`;
  const fill = make("div", { class: "by-turn-fill" });
  const share = limit ? Math.min(1, ms / limit) : 0;
  fill.style.width = `${100 * share}%`;
  fill.classList.toggle("by-turn-slow", share > 0.5);
  return make("div", { class: "by-turn-clock" }, limit ? make("div", { class: "by-turn-bar", "aria-hidden": "true" }, fill) : null, make("span", {}, told));
}

// A text of a bot, or for it, with its line ends to be seen; nothing if there is none.
function words(head, title, text, unit) {
  if (!text) return null;
  const [lines, missing] = text;
  const shown = lines.flatMap((line, at) => [line, at < lines.length - 1 ? make("span", { class: "by-turn-end", "aria-hidden": "true" }, LINE_END) : "", at < lines.length - 1 ? "\n" : ""]);
  const more = missing ? make("p", { class: "by-turn-faint" }, `${missing} ${unit} more are not shown.`) : null;
  const pre = make("pre", { class: "by-turn-text", tabindex: "0", role: "region", "aria-label": title, "data-by-part": title }, ...shown);
  return make("div", {}, make(head, { class: "by-turn-title" }, title), pre, more);
}

function counted(number, what) {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function list(head, title, items) {
  return make("div", {}, make(head, { class: "by-turn-title" }, title), make("ul", { class: "by-turn-notes" }, ...items.map((item) => make("li", {}, item))));
}
