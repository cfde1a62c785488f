// A contest on a projector: standings, running games, what comes next, the champion. It shows a snapshot of the contest again and
// again (contest/live/snapshot.py says what is in it). All names are strangers' words, and are written as text.
import { make, nameOf, setText } from "./dom.js";
import { Games } from "./boards.js";
import { applyTheme, chosenTheme } from "./theme.js";

const EVERY_MS = 500;
const LONG = 24; // letters of a champion for whom there is less room
const AT_REST_MS = 3000; // when no contest is being played

const base = document.body.dataset.base;
const part = (id) => document.getElementById(id);
const games = new Games(part("boards"));
const preferences = ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"].map((query) => matchMedia(query));
let chosen = null; // the contest that somebody wants to see; null: the one that is played
let shown = "";

function dress() {
  const theme = chosenTheme(null);
  applyTheme(document.documentElement, theme);
  games.dress(theme);
  shown = "";
}

async function look() {
  const snapshot = document.hidden ? null : await asked();
  const plays = snapshot?.contests.some((contest) => ["waiting", "running"].includes(contest.state));
  setTimeout(look, plays || document.hidden ? EVERY_MS : AT_REST_MS);
  if (snapshot) show(snapshot);
}

// The newest snapshot; null if nobody answers any more.
async function asked() {
  let snapshot = null;
  try {
    const answer = await fetch(`${base}/snapshot`);
    if (answer.ok) snapshot = await answer.json();
  } catch {
    // the server has gone
  }
  part("gone").hidden = snapshot !== null;
  return snapshot;
}

function show(snapshot) {
  const at = snapshot.contests[chosen] ? chosen : snapshot.now;
  const contest = snapshot.contests[at];
  const text = JSON.stringify([at, snapshot]);
  if (text === shown) return; // nothing has happened
  shown = text;
  document.body.dataset.state = contest.state;
  document.title = contest.title;
  showTabs(snapshot.contests, at);
  setText(part("title"), contest.title);
  setText(part("kind"), `${contest.game}, ${contest.format}`);
  showProgress(contest);
  showVerdict(contest, at);
  showStandings(contest.standings, contest.state);
  games.show(contest);
  showNext(contest);
  showLatest(contest.latest);
}

function showTabs(contests, at) {
  const tabs = part("tabs");
  tabs.hidden = contests.length < 2;
  if (tabs.hidden) return;
  if (tabs.children.length !== contests.length) {
    tabs.replaceChildren(...contests.map((contest, number) => make("button", { type: "button", onclick: () => choose(number) })));
  }
  contests.forEach((contest, number) => {
    const tab = tabs.children[number];
    setText(tab, `${contest.game}${{ waiting: "", running: " ▶", over: " ✓", stopped: " ■" }[contest.state]}`);
    tab.title = `${contest.title}: ${contest.state}`;
    tab.setAttribute("aria-pressed", String(number === at));
  });
}

function choose(number) {
  chosen = chosen === number ? null : number;
  shown = "";
  history.replaceState(null, "", chosen === null ? "#" : `#contest=${number + 1}`);
}

function showProgress({ state, games: counted, rate, seconds_left: left }) {
  const bar = part("bar");
  bar.max = Math.max(1, counted.expected);
  bar.value = counted.done;
  const words = [`${counted.done} of ${counted.expected} games`];
  if (state === "waiting") words.splice(0, 1, "not begun yet");
  if (state === "over") words.splice(0, 1, `${counted.done} games played`);
  if (state === "stopped") words.push("stopped");
  if (state === "running" && left !== null) words.push(`${duration(left)} left`);
  if (state === "running" && rate) words.push(rate < 10 ? `${rate.toFixed(1)} games a second` : `${Math.round(rate)} games a second`);
  if (counted.faults) words.push(`${counted.faults} faults of Botyard, played again`);
  setText(part("progress"), words.join(" · "));
}

function duration(seconds) {
  const whole = Math.ceil(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

function showVerdict({ state, standings, report }, at) {
  const champion = part("champion");
  champion.hidden = state !== "over";
  const first = standings.rows.filter((row) => row[1] === "1").map((row) => row[0]);
  const told = first.length === 1 && standings.verdict.startsWith("champion");
  setText(part("crown"), told ? "Champion" : "The end");
  const words = told ? first[0] : standings.verdict;
  part("winner").replaceChildren(nameOf(words));
  part("winner").classList.toggle("long", words.length > LONG);
  part("report").hidden = !report;
  part("report").href = `${base}/report/${at}`;
}

function showStandings({ heads, rows, verdict, games: counted }, state) {
  // The place comes first, and has no heading that is seen: everybody knows what it is.
  const names = heads.map((head, at) => make("th", { scope: "col", class: at === 0 ? "name" : null }, make("span", { class: at === 1 ? "by-unseen" : null }, head)));
  part("heads").replaceChildren(...placeFirst(names));
  const line = (row) => make("tr", { class: counted && row[1] === "1" ? "first" : null }, ...placeFirst(row.map(cell)));
  part("rows").replaceChildren(...rows.map(line));
  setText(part("leads"), counted && state !== "over" ? verdict : "");
  setText(part("counted"), counted && state !== "over" ? `after game ${counted}` : "");
}

function placeFirst([name, place, ...figures]) {
  return name ? [place, name, ...figures] : [];
}

function cell(text, at) {
  if (at) return make("td", {}, text);
  return make("th", { scope: "row", title: text, dir: "auto" }, text);
}

function showNext({ next, state }) {
  part("next").hidden = state !== "running" || !next.length;
  part("coming").replaceChildren(...next.slice(0, 5).map(([number, names]) => make("li", {}, make("b", {}, String(number)), " ", ...between(names))));
}

function between(names) {
  return names.flatMap((name, at) => (at ? [" – ", nameOf(name)] : [nameOf(name)]));
}

function showLatest(latest) {
  part("last").hidden = !latest.length;
  part("latest").replaceChildren(...latest.slice(0, 5).map(([number, groups]) => make("li", {}, make("b", {}, String(number)), " ", ...result(groups))));
}

function result(groups) {
  return groups.flatMap((group, at) => [
    ...(at ? [" > "] : []),
    ...group.flatMap(([name, points, forfeited], place) => [
      ...(place ? [" = "] : []),
      nameOf(name),
      points === null ? "" : ` ${points}`,
      forfeited ? " (forfeit)" : "",
    ]),
  ]);
}

const wanted = /^#contest=(\d{1,4})$/.exec(location.hash);
if (wanted) chosen = Number(wanted[1]) - 1;
for (const preference of preferences) preference.addEventListener("change", dress);
addEventListener("resize", () => games.fit());
dress();
look();
