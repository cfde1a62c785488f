// Themes: which one is shown, and its colours as custom properties of an element.
import { THEMES } from "./themes.js";

const KEPT = "botyard-theme";
const SHADES = { own: "seats", "own-dark": "seats-dark", "own-light": "seats-light" };

export const THEME_NAMES = Object.keys(THEMES);
export const THEME_LABELS = { light: "Light", dark: "Dark", contrast: "High contrast", "colour-blind": "Colour-blind" };

// The theme that was asked for, else the one that was chosen here before, else what the system prefers.
export function chosenTheme(asked) {
  for (const name of [asked, remembered()]) if (THEME_NAMES.includes(name)) return name;
  if (matchMedia("(prefers-contrast: more)").matches && "contrast" in THEMES) return "contrast";
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function remembered() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null; // this page may keep nothing
  }
}

export function rememberTheme(name) {
  try {
    localStorage.setItem(KEPT, name);
  } catch {
    // it lasts as long as the page, then
  }
}

// A colour of a tile's sprite. What belongs to nobody, such as a snake in a view that does not say whose it is, has shades
// of its own.
export function colourOf(theme, name, seat, style = "") {
  const { colours, nobody } = THEMES[theme];
  if (!(name in SHADES)) return colours[name] ?? colours.ink;
  if (seat < 0) return (style === "danger" ? THEMES[theme]["nobody-danger"] : nobody)[name];
  const shades = THEMES[theme][SHADES[name]];
  return shades[seat % shades.length];
}

// Gives an element all colours of a theme: --by-page, --by-text …, --by-seat-0 ….
export function applyTheme(element, name) {
  const { colours, seats } = THEMES[name];
  element.dataset.byTheme = name;
  for (const [colour, value] of Object.entries(colours)) element.style.setProperty(`--by-${colour}`, value);
  seats.forEach((value, seat) => element.style.setProperty(`--by-seat-${seat}`, value));
  element.style.colorScheme = name === "dark" || name === "contrast" ? "dark" : "light";
}
