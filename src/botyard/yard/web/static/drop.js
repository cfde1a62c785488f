// Forms with data-drop take a file that is dropped on them, and send it at once.
for (const form of document.querySelectorAll("form[data-drop]")) {
  const input = form.querySelector("input[type=file]");
  const place = form.querySelector(".drop");
  const over = (event) => {
    event.preventDefault();
    place.classList.toggle("over", event.type === "dragover");
  };
  form.addEventListener("dragover", over);
  form.addEventListener("dragleave", over);
  form.addEventListener("drop", (event) => {
    over(event);
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    form.requestSubmit();
  });
}
