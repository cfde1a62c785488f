// Forms with data-upload take a folder that is dropped on them, and show how much is sent. Without this they are plain.
const LEFT_OUT = new Set([".git", ".hg", ".svn", "__pycache__", ".venv", ".idea", ".vscode", ".DS_Store", "Thumbs.db"]);

// All files below what was dropped, with their paths.
async function filesIn(entry, way = "") {
  if (LEFT_OUT.has(entry.name)) return [];
  if (entry.isFile) {
    const file = await new Promise((found, failed) => entry.file(found, failed));
    return [[way + entry.name, file]];
  }
  const reader = entry.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((found, failed) => reader.readEntries(found, failed)); // a hundred at a time
    if (!some.length) break;
    for (const inner of some) all.push(...(await filesIn(inner, `${way}${entry.name}/`)));
  }
  return all;
}

function chosen(form) {
  const files = [];
  for (const input of form.querySelectorAll("input[type=file]"))
    for (const file of input.files) {
      const path = file.webkitRelativePath || file.name;
      if (!path.split("/").some((part) => LEFT_OUT.has(part))) files.push([path, file]);
    }
  return files;
}

function send(form, files) {
  const told = form.querySelector("[data-progress]");
  const bar = told.querySelector("progress");
  const words = told.querySelector("[role=status]");
  const most = Number(form.dataset.upload);
  const size = files.reduce((sum, [, file]) => sum + file.size, 0);
  form.querySelector("[data-refused]").hidden = true;
  if (!files.length) return refuse(form, "No file was chosen", "Choose a file or a folder with your bot, or drop it here.");
  if (size > most) return refuse(form, `These files have ${(size / 2 ** 20).toFixed(1)} MiB`, `${most / 2 ** 20} MiB are the most; leave out what is built.`);
  const body = new FormData();
  for (const field of form.querySelectorAll("input:not([type=file]), select"))
    if (field.name && (field.type !== "checkbox" || field.checked)) body.append(field.name, field.value);
  for (const [path, file] of files) body.append("file", file, path);
  const request = new XMLHttpRequest();
  request.open("POST", form.action);
  request.setRequestHeader("Accept", "application/json");
  request.responseType = "json";
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) bar.value = event.loaded / event.total;
    words.textContent = bar.value < 1 ? `${Math.round(100 * bar.value)} % sent` : "Sent; it is unpacked and looked at now.";
  });
  const over = () => {
    told.hidden = true;
    for (const button of form.querySelectorAll("button")) button.disabled = false;
  };
  request.addEventListener("load", () => {
    const answer = request.response ?? {};
    if (request.status < 300 && answer.to) return location.assign(answer.to);
    over();
    return refuse(form, answer.error ?? `The server answered ${request.status}`, answer.hint ?? "");
  });
  request.addEventListener("error", () => {
    over();
    refuse(form, "The connection broke off", "Nothing was kept; try again.");
  });
  for (const button of form.querySelectorAll("button")) button.disabled = true;
  bar.value = 0;
  words.textContent = files.length === 1 ? "Sending one file" : `Sending ${files.length} files`;
  told.hidden = false;
  return request.send(body);
}

function refuse(form, sentence, remedy) {
  const place = form.querySelector("[data-refused]");
  place.querySelector("strong").textContent = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  place.querySelector("p").textContent = remedy.charAt(0).toUpperCase() + remedy.slice(1);
  place.hidden = false;
}

for (const form of document.querySelectorAll("form[data-upload]")) {
  const place = form.querySelector(".drop");
  form.querySelector("[data-dropped]").hidden = false;
  const over = (event) => {
    event.preventDefault();
    place.classList.toggle("over", event.type === "dragover");
  };
  form.addEventListener("dragover", over);
  form.addEventListener("dragleave", over);
  form.addEventListener("drop", async (event) => {
    over(event);
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    if (!entries.length || !form.reportValidity()) return;
    const found = await Promise.all(entries.map((entry) => filesIn(entry)));
    send(form, found.flat());
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, chosen(form));
  });
}
