// Level text (ploy/data/level_text.h): one object a line. Objects are read with the places of their numbers in the text,
// so that an edit changes those numbers and nothing else: comments, blank lines and tags stay as they are.
export type Spot = [x: number, y: number];

export interface Token {
  text: string;
  start: number; // in the whole text
  end: number;
}

// What a point of an object is for.
export interface Handle {
  x: Token;
  y: Token;
  at: Spot;
}

export interface LevelObject {
  line: number; // from 0
  start: number; // of the line in the text, and its end without the line break
  end: number;
  kind: string; // first word; of an `object` its type
  name: string;
  handles: Handle[]; // walls and doors: both ends first, then buttons
  radius: number; // m, of a trigger or light; 0: none
}

// Words of a line up to a comment; a value in double quotes is part of its word.
function tokensOf(text: string, start: number, end: number): Token[] {
  const tokens: Token[] = [];
  for (let at = start; at < end; ) {
    if (/\s/.test(text[at])) at++;
    else if (text[at] === "#") break;
    else {
      const from = at;
      for (let quoted = false; at < end && (quoted || !/[\s#]/.test(text[at])); at++) if (text[at] === '"') quoted = !quoted;
      tokens.push({ text: text.slice(from, at), start: from, end: at });
    }
  }
  return tokens;
}

// Where the coordinates are in each kind of line: the first of each pair.
const PAIRS: Record<string, number[]> = { wall: [1, 3], door: [2, 4], spawn: [1], light: [1], item: [2], object: [3], trigger: [3] };
const NAMED: Record<string, number> = { door: 1, item: 1, object: 1, trigger: 1 };

export function readLevel(text: string): LevelObject[] {
  const objects: LevelObject[] = [];
  let start = 0;
  text.split("\n").forEach((words, line) => {
    const end = start + words.length;
    const tokens = tokensOf(text, start, end);
    const word = tokens[0]?.text ?? "";
    const pairs = [...(PAIRS[word] ?? [])];
    if (word === "door") tokens.forEach((one, i) => one.text === "button" && pairs.push(i + 1));
    const handles = pairs.flatMap((i): Handle[] => {
      const [x, y] = [tokens[i], tokens[i + 1]];
      const at: Spot = [Number(x?.text), Number(y?.text)];
      return x !== undefined && y !== undefined && at.every(Number.isFinite) ? [{ x, y, at }] : [];
    });
    if (pairs.length > 0 && handles.length === pairs.length) {
      const radius = word === "trigger" ? Number(tokens[5]?.text) : word === "light" ? Number(tokens[3]?.text) : 0;
      objects.push({ line, start, end, kind: word === "object" ? tokens[2].text : word, name: tokens[NAMED[word] ?? -1]?.text ?? "", handles, radius: Number.isFinite(radius) ? radius : 0 });
    }
    start = end + 1;
  });
  return objects;
}

const number = (value: number): string => String(Number(value.toFixed(2)));
export const snapped = (at: Spot, grid: number): Spot => (grid > 0 ? [Math.round(at[0] / grid) * grid, Math.round(at[1] / grid) * grid] : at);

// Moves one handle of an object, or all of them (-1), by as much.
export function moveObject(text: string, object: LevelObject, handle: number, by: Spot): string {
  const tokens = object.handles.flatMap((one, i) => (handle < 0 || handle === i ? [{ token: one.x, value: one.at[0] + by[0] }, { token: one.y, value: one.at[1] + by[1] }] : []));
  let now = text;
  // From the end on, so that the places before stay right.
  for (const { token, value } of tokens.sort((a, b) => b.token.start - a.token.start)) now = now.slice(0, token.start) + number(value) + now.slice(token.end);
  return now;
}

export function removeObject(text: string, object: LevelObject): string {
  const end = text[object.end] === "\n" ? object.end + 1 : object.end;
  const start = end > object.end || object.start === 0 ? object.start : object.start - 1; // the last line takes the break before it
  return text.slice(0, start) + text.slice(end);
}

// A line of its kind goes behind the last of that kind, where a reader looks for it.
export function addLine(text: string, line: string): { text: string; start: number } {
  const word = line.split(" ")[0];
  const same = readLevel(text).filter((one) => text.startsWith(word, one.start + (/^\s*/.exec(text.slice(one.start, one.end))?.[0].length ?? 0)));
  const last = same[same.length - 1];
  if (last !== undefined) return { text: `${text.slice(0, last.end)}\n${line}${text.slice(last.end)}`, start: last.end + 1 };
  const broken = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return { text: `${broken}${line}\n`, start: broken.length };
}

const freeName = (objects: LevelObject[], word: string): string => {
  for (let i = 1; ; i++) if (!objects.some((one) => one.name === `${word}${i}`)) return `${word}${i}`;
};

export const ITEMS = ["health", "shotgun", "railgun", "rocket"];
export type Tool = "select" | "wall" | "door" | "spawn" | "item" | "light" | "trigger";
export const TOOLS: [Tool, string][] = [
  ["select", "Click an object to select it, drag it or one of its points"],
  ["wall", "Drag from one end to the other"],
  ["door", "Drag across the gap; it gets a button on each side"],
  ["spawn", "Click where characters enter"],
  ["item", "Click where it lies"],
  ["trigger", "Click its middle"],
  ["light", "Click where it is"],
];
export const takesTwo = (tool: Tool): boolean => tool === "wall" || tool === "door";

// The line of a new object.
export function lineOf(text: string, tool: Exclude<Tool, "select">, from: Spot, to: Spot, item: string): string {
  const at = (spot: Spot) => `${number(spot[0])} ${number(spot[1])}`;
  const objects = readLevel(text);
  if (tool === "wall") return `wall ${at(from)} ${at(to)}`;
  if (tool === "door") {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const aside: Spot = [(-(to[1] - from[1]) / length) * 1, (to[0] - from[0]) / length];
    const middle: Spot = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    const button = (side: number) => at([middle[0] + side * aside[0], middle[1] + side * aside[1]]);
    return `door ${freeName(objects, "door")} ${at(from)} ${at(to)} button ${button(1)} button ${button(-1)}`;
  }
  if (tool === "item") return `item ${item} ${at(from)}`;
  if (tool === "light") return `light ${at(from)} 6`;
  if (tool === "trigger") {
    const name = freeName(objects, "trigger");
    return `trigger ${name} circle ${at(from)} 1.5 do="deactivate ${name}"`; // an order that always fits, to be edited
  }
  return `spawn ${at(from)}`;
}

// --- hits ---

const distanceToSegment = (p: Spot, a: Spot, b: Spot): number => {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const t = Math.max(0, Math.min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy);
};

export interface Hit {
  object: LevelObject;
  handle: number; // -1: the whole object
}

// The point or the wall under the pointer; points come first, and of those the selected object's.
export function hitLevel(objects: LevelObject[], at: Spot, slack: number, selected: number | null): Hit | null {
  let best: Hit | null = null;
  let least = slack;
  for (const object of objects) {
    object.handles.forEach((one, handle) => {
      const away = Math.hypot(one.at[0] - at[0], one.at[1] - at[1]) - (object.line === selected ? slack / 4 : 0);
      if (away < least) [least, best] = [away, { object, handle: object.handles.length === 1 ? -1 : handle }];
    });
  }
  if (best !== null) return best;
  for (const object of objects) {
    if (object.handles.length < 2) continue;
    const away = distanceToSegment(at, object.handles[0].at, object.handles[1].at);
    if (away < least) [least, best] = [away, { object, handle: -1 }];
  }
  return best;
}
