// The colours of what is drawn by script, by the system's light or dark setting. They are those of the style sheet; the
// simulations' colours, which are meant for a light background, are shifted until they are seen well on either.
const query = window.matchMedia("(prefers-color-scheme: dark)");

const NAMES = ["ink", "soft", "paper", "ground", "track", "grid", "line", "accent", "blue", "sky", "green", "orange", "red", "lit", "bad", "good", "warn"] as const;
export type ThemeColor = (typeof NAMES)[number];

let colors: Record<ThemeColor, string> | null = null;
let readInDark = false; // the setting when the colours were read
const shifted = new Map<string, string>();

// Called when the setting changes: everything drawn is drawn again.
export function onTheme(listener: () => void): void {
  query.addEventListener("change", listener);
}

// A frame may be drawn before the change is reported, so the setting is compared here and not noted there.
export function themeColor(name: ThemeColor): string {
  if (colors === null || readInDark !== query.matches) {
    readInDark = query.matches;
    shifted.clear();
    const style = getComputedStyle(document.documentElement);
    colors = Object.fromEntries(NAMES.map((one) => [one, style.getPropertyValue(`--${one}`).trim()])) as Record<ThemeColor, string>;
  }
  return colors[name];
}

type Rgb = [number, number, number];
function parse(color: string): Rgb | null {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color)?.[1];
  if (hex === undefined) return null;
  const full = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
  return [0, 2, 4].map((at) => Number.parseInt(full.slice(at, at + 2), 16)) as Rgb;
}

// Relative luminance and contrast as WCAG 2 defines them.
function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((part) => (part <= 10.31475 ? part / 3294.6 : Math.pow((part / 255 + 0.055) / 1.055, 2.4)));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const GREY_MAX = 208;
function shift(color: string, ratio: number): string {
  const key = `${color} ${ratio}`;
  const paper = parse(themeColor("paper")) ?? [255, 255, 255]; // first: it notices another setting
  const known = shifted.get(key);
  if (known !== undefined) return known;
  let rgb = parse(color);
  if (rgb === null) return color;
  const dark = luminance(paper) < 0.2;
  // Greys keep their order: the darkest on light becomes the lightest on dark, if not as glaring as white.
  if (dark && Math.max(...rgb) - Math.min(...rgb) <= 24) rgb = rgb.map((part) => Math.min(GREY_MAX, 255 - part)) as Rgb;
  const toward = dark ? 255 : 0;
  for (let i = 0; i < 60 && contrast(rgb, paper) < ratio; i++) rgb = rgb.map((part) => Math.round(part + (toward - part) * 0.04 + Math.sign(toward - part) * 0.5)) as Rgb;
  const result = "#" + rgb.map((part) => Math.max(0, Math.min(255, part)).toString(16).padStart(2, "0")).join("");
  shifted.set(key, result);
  return result;
}

// A colour of a simulation for shapes (contrast 3) and for texts (4.5).
export const shapeColor = (color: string): string => shift(color, 3);
export const textColor = (color: string): string => shift(color, 4.5);
// A colour of a simulation by what it is for. The floor is a background: others are to be seen on it.
export const styleColor = (style: { name: string; color: string }): string => (style.name === "floor" ? themeColor("track") : shapeColor(style.color));
