// The page of a player in a room: the film of its field as it grows, what it waits for, and, where the code is known, keys
// and buttons to steer.
import { liveFilm } from "../web/live.js";
import { mount } from "../web/viewer.js";

const { base, user, code, tick } = document.body.dataset;
const commands = JSON.parse(document.body.dataset.keys);
const part = (id) => document.getElementById(id);
const SHORTEST_MS = 100;
const me = encodeURIComponent(user);

// The field. A film ends when the player goes to another field: then the next one is followed.

async function follow() {
  const socket = new URL(`${base}/watch/${me}`, location.href);
  socket.protocol = socket.protocol.replace("http", "ws");
  const film = await liveFilm(socket.href, null, sayLost);
  const options = { embed: document.body.classList.contains("only"), link: false, vacancies: true };
  const viewer = mount(part("viewer"), { film: async () => film, seats: false }, options);
  await viewer.ready;
  if (code) drawPad(film.head);
  film.addEventListener("head", () => {
    if (film.growing) return;
    viewer.end();
    follow().catch(sayLost);
  });
}

function sayLost() {
  say("The connection to the server is lost. Load the page again.");
}

function say(sentence) {
  part("idle").textContent = sentence ?? "";
  part("idle").classList.toggle("waits", Boolean(sentence));
}

// What is said about the player, and the leaders of the room.

function drawLeaders(leaders) {
  const rows = leaders.map((leader, at) => {
    const row = document.createElement("tr");
    const link = document.createElement("a");
    link.href = `${base}/board/player/${encodeURIComponent(leader.id)}`;
    link.textContent = leader.name;
    const cells = [String(at + 1), link, String(leader.score)].map((content) => {
      const cell = document.createElement("td");
      cell.append(content);
      return cell;
    });
    row.append(...cells);
    return row;
  });
  part("leaders").replaceChildren(...rows);
}

async function refresh() {
  try {
    const answer = await fetch(`${base}/rest/screen/${me}`, { cache: "no-store" });
    const screen = await answer.json();
    drawLeaders(screen.leaders);
    part("score").textContent = screen.score;
    part("gained").textContent = screen.gained ? (screen.gained > 0 ? `+${screen.gained}` : screen.gained) : "";
    say(screen.idle);
  } catch {
    say("No connection to the server; trying again.");
  }
  setTimeout(refresh, Math.max(Number(tick), SHORTEST_MS));
}

// Steering

function send(command) {
  fetch(`${base}/rest/joystick/player/${me}/code/${encodeURIComponent(code)}/do/${encodeURIComponent(command)}`).catch(sayLost);
}

// A button for every command: at the place that the game's own pad gives its key, or behind these.
function drawPad({ keys }) {
  const buttons = Object.entries(commands).map(([name, command]) => {
    const [, label, , row, col] = keys.find(([names]) => names.includes(name)) ?? [];
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label ?? command;
    button.setAttribute("aria-label", command);
    if (label) button.style.gridArea = `${row + 1} / ${col + 1}`;
    button.addEventListener("click", () => send(command));
    return button;
  });
  part("pad").replaceChildren(...buttons);
}

if (code) {
  part("joystick").hidden = false;
  document.addEventListener("keydown", (event) => {
    const command = commands[event.key];
    if (!command || event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("input, select, textarea, dialog")) return;
    event.preventDefault();
    send(command);
  });
}

follow().catch(sayLost);
refresh();
