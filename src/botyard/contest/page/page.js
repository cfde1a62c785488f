"use strict";
// Steps through the games that are packed into this page. Everything is written as text, never as HTML.

const store = JSON.parse(document.getElementById("replays").textContent);
const part = (id) => document.getElementById(id);
const unpacked = new Map();
let film = null;
let at = 0;
let timer = 0;

async function unpack(number) {
  if (!unpacked.has(number)) {
    const packed = store.find((one) => one.number === number).packed;
    const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    unpacked.set(number, JSON.parse(await new Response(stream).text()));
  }
  return unpacked.get(number);
}

function look(element, style) {
  const seat = /^(seat|home|trail)(\d+)$/.exec(style);
  if (seat) {
    element.style.color = `var(--seat${Number(seat[2]) % 6})`;
    if (seat[1] === "seat") element.style.fontWeight = "700";
    if (seat[1] === "home") element.style.textDecoration = "underline";
  } else {
    element.className = style;
  }
}

function show() {
  const [tick, headline, seats, rows] = film.frames[at];
  part("headline").textContent = headline;
  part("tick").textContent = `tick ${tick} of ${film.ticks}`;
  part("slider").value = at;
  part("seats").replaceChildren(...seats.map((line, seat) => {
    const item = document.createElement("li");
    const name = document.createElement("b");
    name.textContent = film.names[seat];
    look(name, `seat${seat}`);
    item.append(name, `  ${line}`);
    return item;
  }));
  const board = document.createDocumentFragment();
  for (const row of rows) {
    for (const [style, glyphs] of row) {
      const run = document.createElement("span");
      run.textContent = glyphs;
      look(run, film.styles[style]);
      board.append(run);
    }
    board.append("\n");
  }
  part("board").replaceChildren(board);
}

function step(by) {
  if (!film) return;
  at = Math.min(film.frames.length - 1, Math.max(0, at + by));
  show();
  if (at === film.frames.length - 1) pause();
}

function pause() {
  clearInterval(timer);
  timer = 0;
  part("play").textContent = "play";
}

function play() {
  if (timer) return pause();
  if (at === film.frames.length - 1) at = -1;
  timer = setInterval(() => step(1), 80);
  part("play").textContent = "pause";
}

async function choose(number) {
  pause();
  film = await unpack(number);
  part("choice").value = number;
  part("slider").max = film.frames.length - 1;
  part("legend").replaceChildren(...film.legend.flatMap(([glyph, style, meaning]) => {
    const sign = document.createElement("b");
    sign.textContent = glyph;
    look(sign, style);
    return [sign, ` ${meaning}  `];
  }));
  at = film.frames.length - 1;
  show();
}

if (store.length) {
  part("back").addEventListener("click", () => { pause(); step(-1); });
  part("next").addEventListener("click", () => { pause(); step(1); });
  part("play").addEventListener("click", play);
  part("slider").addEventListener("input", (event) => { pause(); at = Number(event.target.value); show(); });
  part("choice").addEventListener("change", (event) => choose(Number(event.target.value)));
  part("viewer").addEventListener("keydown", (event) => {
    if (["SELECT", "INPUT"].includes(event.target.tagName)) return;
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
  });
  for (const link of document.querySelectorAll("[data-game]")) {
    link.addEventListener("click", () => choose(Number(link.dataset.game)));
  }
  choose(store[0].number);
}
