// The projector: shows one match after another and goes on by itself. What comes next the server says.
import { Film } from "./film.js";
import { liveFilm } from "./live.js";
import { SPEEDS } from "./playback.js";
import { applyTheme, chosenTheme } from "./theme.js";
import { mount } from "./viewer.js";

const REST_MS = 5000; // that the last board of a match stays
const EMPTY_MS = 4000; // before it is asked again whether something is played
const LONGEST_S = 90; // that a match of any length takes here
const ROOM_S = 60; // that a room is shown, which has no end
const USUAL_PACE = 8;
const part = (id) => document.getElementById(id);
const seen = []; // numbers of matches, the latest last
let viewer = null;
let skip = () => {};

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function fetched(address) {
  const answer = await fetch(address, { cache: "no-store" });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error);
  return body;
}

async function storedFilm(address) {
  const { head, blocks } = await fetched(address);
  return new Film(head, blocks, (block) => fetched(`${address}/block/${block}`));
}

function filmOf(shown) {
  if (!shown.live) return storedFilm(shown.film);
  const socket = new URL(shown.socket, location.href);
  socket.protocol = socket.protocol.replace("http", "ws");
  const block = (number) => fetched(`${shown.film}/block/${number}`);
  return liveFilm(socket.href, shown.film ? block : null, say, () => (shown.film ? storedFilm(shown.film).catch(() => null) : null));
}

function say(sentence) {
  part("where").textContent = sentence;
}

function announce({ title, where, rating, page, live }) {
  part("title").textContent = title;
  part("title").href = page;
  part("live").hidden = !live;
  say(rating === null || rating === undefined ? where : `${where}, rated ${rating} on average`);
  document.title = `${title} – on air`;
}

// A match of two thousand ticks is played faster than one of fifty.
function pace(film) {
  const seconds = film.last / Math.min(film.head.ticks_per_s || USUAL_PACE, USUAL_PACE);
  return SPEEDS.find((speed) => speed >= 1 && seconds / speed <= LONGEST_S) ?? SPEEDS.at(-1);
}

// Resolves when the match has been shown to its end, when somebody wants the next one, or when a room was seen for long enough.
function watched(shown, film) {
  return new Promise((resolve) => {
    skip = resolve;
    if (shown.room) setTimeout(resolve, 1000 * ROOM_S);
    const look = () => {
      if (viewer.speed !== pace(film)) viewer.setSpeed(pace(film));
      if (!film.growing && viewer.tick >= film.last) setTimeout(resolve, REST_MS);
    };
    viewer.addEventListener("tick", look);
    film.addEventListener("head", () => {
      if (!film.growing && shown.room) resolve();
      else look();
    });
    look();
  });
}

async function show(shown) {
  const film = await Promise.race([filmOf(shown), pause(1000 * LONGEST_S).then(() => null)]);
  if (!film) return;
  viewer = mount(part("screen"), { film: async () => film, seats: false }, { embed: true, link: false, vacancies: true });
  await viewer.ready;
  if (!shown.room) {
    await viewer.seek(0);
    viewer.play();
  }
  await watched(shown, film);
  viewer.end();
  viewer = null;
}

async function goOn() {
  for (;;) {
    try {
      const shown = await fetched(`/tv/next?seen=${seen.join()}`);
      if (shown.title) {
        announce(shown);
        if (shown.match) seen.push(shown.match);
        if (seen.length > 12) seen.shift();
        await show(shown);
        continue;
      }
      seen.splice(0); // everything was seen
      say("Nothing is being played at the moment. It begins here by itself.");
      part("live").hidden = true;
    } catch {
      say("The site does not answer; it is tried again.");
      viewer?.end();
      viewer = null;
    }
    await pause(EMPTY_MS);
  }
}

applyTheme(document.documentElement, chosenTheme());
part("next").hidden = part("fill").hidden = false;
part("next").addEventListener("click", () => skip());
part("fill").hidden = !document.fullscreenEnabled;
part("fill").addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : part("tv").requestFullscreen()));
document.addEventListener("fullscreenchange", () => {
  part("fill").textContent = document.fullscreenElement ? "Leave full screen" : "Full screen";
});
goOn();
