// The script of a film's page on somebody's own machine: what stands in the data attributes of #viewer becomes a viewer.
import { Film } from "./film.js";
import { fork } from "./fork.js";
import { liveFilm } from "./live.js";
import { pads } from "./pad.js";
import { applyTheme, chosenTheme } from "./theme.js";
import { mount } from "./viewer.js";

const place = document.getElementById("viewer");
const { base, film: number, live, people, turns, forks, embed, vacancies, heading = "h1" } = place.dataset;

async function fetched(path, how = {}) {
  const answer = await fetch(`${base}/${path}`, how);
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
  return `${location.protocol.replace("http", "ws")}//${location.host}${base}/${path}`;
}

// The board of a match in progress; where it is hidden from those who watch, the film of the game once it is over.
async function watchedFilm() {
  const blocks = (block) => fetched(`film/${number}/block/${block}`);
  return liveFilm(socketAddress(`live/${number}`), blocks, tell, () => storedFilm(null).catch(() => null));
}

function tell(sentence) {
  document.querySelector(".by-notice")?.remove();
  const line = document.createElement("p");
  line.className = "by-notice";
  line.setAttribute("role", "status");
  line.textContent = sentence;
  place.before(line);
}

let watched = null; // the film of a match in progress

const source = {
  seats: !live,
  film: (wanted) => (watched && wanted === null ? watched : storedFilm(wanted)),
  turns: () => fetched(`turns/${number}`),
};

// The turn report, which matches in progress do not have yet.
async function panels() {
  const found = [];
  if (turns) found.push((await import("./turns.js")).turnPanel);
  if (forks) found.push(forkPanel);
  return found;
}

// What if: plays the game on from the tick that is shown, with other bots or by hand.
function forkPanel(viewer) {
  const offered = () => fetched(`fork/${number}`);
  const ask = async (wish) => {
    const { watch } = await fetched(`fork/${number}`, { method: "POST", body: JSON.stringify(wish) });
    location.assign(`${base}/watch/${watch}`);
  };
  return fork(viewer, offered, ask);
}

async function open() {
  applyTheme(document.documentElement, chosenTheme());
  if (live) watched = await watchedFilm(); // before anything else is shown: it may be withheld for long
  const viewer = mount(place, source, { panels: await panels(), heading, embed: Boolean(embed), vacancies: Boolean(vacancies) });
  viewer.addEventListener("state", () => applyTheme(document.documentElement, viewer.theme)); // what lies beside it, too
  window.viewer = viewer; // for whoever looks into it with the browser's tools
  await viewer.ready;
  document.querySelector(".by-notice")?.remove();
  if (people) seat(viewer, people.split(",").map(Number));
  if (live && viewer.whole.growing) viewer.whole.addEventListener("head", () => !viewer.whole.growing && review());
}

// Puts the pads of people beside the board.
function seat(viewer, seats) {
  const { element } = pads(viewer, seats, (wanted) => socketAddress(`seat/${number}/${wanted}`));
  viewer.parts.side.prepend(element);
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
