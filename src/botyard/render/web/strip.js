// The strip: who plays, with sign and colour, figures and condition; and whose view is shown.
import { emblemPicture } from "./atlas.js";
import { make, nameOf, setText } from "./dom.js";

const EMBLEM = 40; // device pixels; drawn at half of that

export class Strip {
  constructor(slot, viewer) {
    this.viewer = viewer;
    this.list = make("ul", { class: "by-seats" });
    this.everyone = make("button", { type: "button", class: "by-everyone", onclick: () => viewer.show(null) }, "Show what everyone can see");
    slot.append(this.list, this.everyone);
  }

  dress() {
    const { whole, theme, source } = this.viewer;
    this.rows = whole.head.names.map((name, seat) => {
      const figures = make("span", { class: "by-figures" });
      const condition = make("span", { class: "by-condition" });
      const words = make("span", { class: "by-who" }, nameOf(name, { class: "by-name" }), condition);
      const parts = [emblemPicture(theme, seat, EMBLEM), words, figures];
      const row = source.seats
        ? make("button", { type: "button", class: "by-seat", title: `What ${name || "(no name)"} saw (key ${seat})`, onclick: () => this.viewer.toggleSeat(seat) }, ...parts)
        : make("div", { class: "by-seat" }, ...parts);
      row.style.setProperty("--by-own", `var(--by-seat-${seat % 16})`);
      return { row, figures, condition };
    });
    const seated = (seat) => whole.head.names[seat] || !this.viewer.options.vacancies;
    this.list.replaceChildren(...this.rows.filter((_, seat) => seated(seat)).map(({ row }) => make("li", {}, row)));
    this.update();
  }

  update() {
    const { viewer } = this;
    const { head } = viewer.whole;
    const winners = viewer.over ? head.outcome?.groups[0] ?? [] : [];
    this.rows.forEach(({ row, figures, condition }, seat) => {
      const values = viewer.words.numbers.map((of) => of[seat]).filter((value) => value !== undefined);
      const key = values.join();
      if (figures.dataset.shown !== key) {
        figures.dataset.shown = key;
        figures.replaceChildren(...values.map((value, at) => figure(head.numbers[at], value, at)));
      }
      const won = winners.includes(seat) && winners.length < head.names.length;
      setText(condition, [won ? "winner" : "", viewer.words.conditions[seat]].filter(Boolean).join(", "));
      row.classList.toggle("by-won", won);
      if (row.tagName === "BUTTON") row.setAttribute("aria-pressed", String(viewer.seat === seat));
    });
    this.everyone.hidden = viewer.seat === null;
  }
}

function figure(name, value, at) {
  return make("span", { class: at ? "by-figure-less" : "by-figure-most" }, make("b", {}, String(value)), make("small", {}, ` ${name}`));
}
