// The script of a film's page on somebody's own machine: what stands in the data attributes of #viewer becomes a viewer.
import { Film } from "./film.js";
import { liveFilm } from "./live.js";
import { pads } from "./pad.js";
import { mount } from "./viewer.js";

const place = document.getElementById("viewer");
const { base, film: number, live, people, turns } = place.dataset;

async function fetched(path) {
  const answer = await fetch(`${base}/${path}`);
  const body = await answer.json();
  if (!answer.ok) throw new Error([body.error, body.hint].filter(Boolean).join("; "));
  return body;
}

function ofSeat(wanted) {
  return wanted === null || wanted === undefined ? "" : `?seat=${wanted}`;
}

async function storedFilm(wanted) {
  const { head, blocks } = await fetched(`film/${number}${ofSeat(wanted)}`);
  return new Film(head, blocks, (block) => fetched(`film/${number}/block/${block}${ofSeat(wanted)}`));
}

function socketAddress(path) {
  return `ws://${location.host}${base}/${path}`;
}

// The board of a match in progress; where it is hidden from those who watch, the film of the game once it is over.
async function watchedFilm() {
  const blocks = (block) => fetched(`film/${number}/block/${block}`);
  return liveFilm(socketAddress(`live/${number}`), blocks, tell);
}

function tell(sentence) {
  const line = document.createElement("p");
  line.className = "by-notice";
  line.setAttribute("role", "status");
  line.textContent = sentence;
  place.before(line);
}

const source = {
  seats: !live,
  film: (wanted) => (live && wanted === null ? watchedFilm() : storedFilm(wanted)),
  turns: () => fetched(`turns/${number}`),
};

// The turn report, which matches in progress do not have yet.
async function panels() {
  if (!turns) return [];
  const { turnsPanel } = await import("./turns.js");
  return [turnsPanel];
}

async function open() {
  const seats = people ? people.split(",").map(Number) : [];
  const playing = seats.length ? pads(seats, (wanted) => socketAddress(`seat/${wanted}`)) : null;
  const viewer = mount(place, source, { panels: await panels(), heading: "h1" });
  window.viewer = viewer; // for whoever looks into it with the browser's tools
  await viewer.ready;
  if (playing) playing.attach(viewer);
  if (live && viewer.whole.growing) viewer.whole.addEventListener("head", () => !viewer.whole.growing && review());
}

// Once a live match is over, the same page offers all that a replay has.
function review() {
  const link = document.createElement("a");
  link.href = location.href.split("#")[0];
  link.className = "by-review";
  link.textContent = "The game is over: review it with its turn report";
  const line = document.createElement("p");
  line.className = "by-notice";
  line.append(link);
  place.before(line);
}

open().catch((error) => tell(error.message));
