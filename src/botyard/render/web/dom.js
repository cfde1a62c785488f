// Elements made in one expression. Text is always set as text: names and words of strangers stay what they are.

// make("button", {class: "by-x", "aria-label": "Play", onclick: f}, child, "text" …)
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

// A picture of a button, as a path in a square of 24 units.
export function icon(path) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "by-icon");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

// A button that shows an icon and says its name.
export function iconButton(name, path, press, attributes = {}) {
  return make("button", { type: "button", class: "by-button", "aria-label": name, title: name, ...attributes, onclick: press }, icon(path));
}

export function rename(button, name) {
  if (button.getAttribute("aria-label") === name) return;
  button.setAttribute("aria-label", name);
  button.title = name;
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// A name of somebody, shown apart from the writing direction of its surroundings.
export function nameOf(name, attributes = {}) {
  return make("bdi", attributes, name || "(no name)");
}
