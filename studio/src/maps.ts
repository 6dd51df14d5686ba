// Maps of values: the grids of numbers or categories that a picture brings, their colours, and which of them are shown.
import { Hello } from "./backend";
import { redrawOverlays } from "./overlay";
import { styleColor, themeColor } from "./theme";

const MAP_SHAPE = 10;
const OPAQUE = 0.78; // of the largest value

export interface GridMap {
  name: string;
  unit: string;
  categories: string[]; // empty: numbers
  x: number; // m, least corner
  y: number;
  size: number; // m
  columns: number;
  rows: number;
  values: Float32Array; // row by row from the least corner; not a number: unknown
  least: number;
  most: number;
}

const utf8 = new TextDecoder();

// Reads the map whose item begins at an offset of a picture.
export function readMap(bytes: DataView, at: number): GridMap {
  const [columns, rows, count, length] = [32, 36, 40, 44].map((k) => bytes.getUint32(at + k, true));
  const [name, unit, ...categories] = utf8.decode(new Uint8Array(bytes.buffer, bytes.byteOffset + at + 48, length)).split("\t");
  const first = bytes.byteOffset + at + 48 + ((length + 3) & ~3);
  const values = new Float32Array(bytes.buffer, first, columns * rows);
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (least > most) least = most = 0;
  return { name, unit: unit ?? "", categories: count > 0 ? categories : [], x: bytes.getFloat32(at + 16, true), y: bytes.getFloat32(at + 20, true), size: bytes.getFloat32(at + 28, true), columns, rows, values, least, most };
}

export function listMaps(bytes: DataView | null): GridMap[] {
  const found: GridMap[] = [];
  if (bytes === null) return found;
  let at = bytes.getUint16(2, true);
  for (let i = 0, count = bytes.getUint32(16, true); i < count && at + 16 <= bytes.byteLength; i++) {
    const size = bytes.getUint32(at + 12, true);
    if (size < 16 || at + size > bytes.byteLength) break;
    if (bytes.getUint8(at) === MAP_SHAPE) found.push(readMap(bytes, at));
    at += size;
  }
  return found;
}

// --- cells ---

export interface Cell {
  column: number;
  row: number;
}

export function cellAt(map: GridMap, x: number, y: number): Cell | null {
  const column = Math.floor((x - map.x) / map.size);
  const row = Math.floor((y - map.y) / map.size);
  return column >= 0 && row >= 0 && column < map.columns && row < map.rows ? { column, row } : null;
}
export const middleOf = (map: GridMap, cell: Cell): [number, number] => [map.x + (cell.column + 0.5) * map.size, map.y + (cell.row + 0.5) * map.size];
export const valueAt = (map: GridMap, cell: Cell): number => map.values[cell.row * map.columns + cell.column];

// A value as a person reads it: "0.52 m", the name of a category, "unknown".
export function valueText(map: GridMap, value: number): string {
  if (Number.isNaN(value)) return "unknown";
  if (map.categories.length > 0) return map.categories[value] ?? String(value);
  const text = Number.isFinite(value) ? String(Number(value.toPrecision(4))) : value > 0 ? "∞" : "−∞";
  return map.unit === "" ? text : `${text} ${map.unit}`;
}

// --- which are shown ---

// Names by session; a session without a choice shows its first map.
const chosen = new Map<number, Set<string>>();

export function shownMaps(session: number, all: GridMap[]): GridMap[] {
  const names = chosen.get(session);
  return names === undefined ? all.slice(0, 1) : all.filter((one) => names.has(one.name));
}
export function showMaps(session: number, names: string[]): void {
  chosen.set(session, new Set(names));
  redrawOverlays();
}

// --- colours ---

// Those of the first and the second side; categories have five.
export function mapColors(hello: Hello | null): { positive: string; negative: string; unknown: string; categories: string[] } {
  const color = (name: string, other: string) => {
    const style = hello?.styles.find((one) => one.name === name);
    return style === undefined ? other : styleColor(style);
  };
  return {
    positive: color("agent_a", "#0072b2"),
    negative: color("agent_b", "#d55e00"),
    unknown: themeColor("soft"),
    categories: [themeColor("track"), color("agent_a", "#0072b2"), color("agent_c", "#009e73"), color("target", "#e69f00"), color("agent_d", "#cc79a7"), color("agent_b", "#d55e00")],
  };
}
export type MapColors = ReturnType<typeof mapColors>;

const rgb = (hex: string): [number, number, number] => {
  const full = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join("") : hex.slice(1);
  return [0, 2, 4].map((at) => Number.parseInt(full.slice(at, at + 2), 16) || 0) as [number, number, number];
};

// One pixel a cell, drawn enlarged; the canvas is kept from picture to picture.
let small: HTMLCanvasElement | null = null;
export function drawMap(context: CanvasRenderingContext2D, map: GridMap, left: number, top: number, scale: number, colors: MapColors): void {
  small ??= document.createElement("canvas");
  small.width = map.columns;
  small.height = map.rows;
  const own = small.getContext("2d")!;
  const image = own.createImageData(map.columns, map.rows);
  const [positive, negative, unknown] = [colors.positive, colors.negative, colors.unknown].map(rgb);
  const categories = colors.categories.map(rgb);
  const whole = Math.max(Math.abs(map.least), Math.abs(map.most)) || 1;
  for (let row = 0; row < map.rows; row++) {
    for (let column = 0; column < map.columns; column++) {
      const value = map.values[row * map.columns + column];
      const at = 4 * ((map.rows - 1 - row) * map.columns + column);
      const named = map.categories.length > 0;
      const color = Number.isNaN(value) ? unknown : named ? categories[value % categories.length] : value < 0 ? negative : positive;
      const share = Number.isNaN(value) ? 0.3 : named ? 0.6 : Math.min(1, Math.abs(value) / whole) * OPAQUE;
      image.data.set([color[0], color[1], color[2], Math.round(255 * share)], at);
    }
  }
  own.putImageData(image, 0, 0);
  const smooth = context.imageSmoothingEnabled;
  context.imageSmoothingEnabled = false;
  context.globalAlpha = 1;
  context.drawImage(small, left + map.x * scale, top - (map.y + map.rows * map.size) * scale, map.columns * map.size * scale, map.rows * map.size * scale);
  context.imageSmoothingEnabled = smooth;
}
