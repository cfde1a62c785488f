// Shows a player's board anew after every tick, and lets the arrow keys steer where the code is known.
const { base, user, code, tick } = document.body.dataset;
const part = (id) => document.getElementById(id);
const SIGNS = Object.entries(JSON.parse(document.body.dataset.signs)); // what the game's signs are: mine, food or wall
const SHORTEST_MS = 100;

function kind(sign) {
  if (sign === " ") return "";
  const found = SIGNS.find(([, signs]) => signs.includes(sign));
  return found ? found[0] : "foe";
}

function drawBoard(line) {
  const board = part("board");
  const signs = [...line];
  const side = Math.round(Math.sqrt(signs.length));
  if (!board.classList.contains("grid") || board.children.length !== signs.length) {
    board.replaceChildren(...signs.map(() => document.createElement("span")));
    board.classList.add("grid");
    board.style.gridTemplateColumns = `repeat(${side}, 1.25em)`;
  }
  signs.forEach((sign, at) => {
    const cell = board.children[at];
    if (cell.textContent !== sign) {
      cell.textContent = sign;
      cell.className = kind(sign);
    }
  });
}

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
    const answer = await fetch(`${base}/rest/screen/${encodeURIComponent(user)}`, { cache: "no-store" });
    const screen = await answer.json();
    drawBoard(screen.board);
    drawLeaders(screen.leaders);
    part("score").textContent = screen.score;
    part("gained").textContent = screen.gained ? (screen.gained > 0 ? `+${screen.gained}` : screen.gained) : "";
    part("headline").textContent = screen.headline;
  } catch {
    part("headline").textContent = "no connection to the server; trying again";
  }
  setTimeout(refresh, Math.max(Number(tick), SHORTEST_MS));
}

const COMMANDS = { ArrowLeft: "LEFT", ArrowRight: "RIGHT", ArrowUp: "UP", ArrowDown: "DOWN", " ": "ACT" };
if (code) {
  part("joystick").hidden = false;
  document.addEventListener("keydown", (event) => {
    const command = COMMANDS[event.key];
    if (!command) return;
    event.preventDefault();
    fetch(`${base}/rest/joystick/player/${encodeURIComponent(user)}/code/${encodeURIComponent(code)}/do/${command}`);
  });
}

refresh();
