// Shows a player's board anew after every tick, and lets the arrow keys steer where the code is known.
const { base, user, code, tick } = document.body.dataset;
const styles = JSON.parse(document.body.dataset.styles);
const commands = JSON.parse(document.body.dataset.keys);
const part = (id) => document.getElementById(id);
const SHORTEST_MS = 100;

function drawBoard(text) {
  const board = part("board");
  const rows = text.split("\n").map((row) => [...row]);
  const signs = rows.flat();
  if (!board.classList.contains("grid") || board.children.length !== signs.length) {
    board.replaceChildren(...signs.map(() => document.createElement("span")));
    board.classList.add("grid");
    board.style.gridTemplateColumns = `repeat(${rows[0].length}, 1.25em)`;
  }
  signs.forEach((sign, at) => {
    const cell = board.children[at];
    if (cell.textContent !== sign) {
      cell.textContent = sign;
      cell.className = styles[sign] ?? "";
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

if (code) {
  part("joystick").hidden = false;
  document.addEventListener("keydown", (event) => {
    const command = commands[event.key];
    if (!command) return;
    event.preventDefault();
    fetch(`${base}/rest/joystick/player/${encodeURIComponent(user)}/code/${encodeURIComponent(code)}/do/${command}`);
  });
}

refresh();
