// Draws a binary picture (docs/inspector-protocol.md) on a canvas, straight from the message's bytes: no objects are
// made for items, so a thousand agents sixty times a second leave nothing to collect.

import { Box, drawLabels, Label, Placed } from "./labels";

export interface Camera {
  x: number; // m, world point in the middle of the canvas
  y: number;
  scale: number; // pixels a metre
}

export interface Palette {
  paper: string; // behind everything
  styles: string[];
  texts: string[]; // the same for texts, which need more contrast
  ink: string;
  small?: boolean; // too small for texts
  hidden: boolean[]; // by layer
  names: boolean; // whether agents' ids are written beside them
  drawMap?: (context: CanvasRenderingContext2D, bytes: DataView, at: number, left: number, top: number, scale: number) => void;
}

export const enum Shape { Point, Line, Polygon, Circle, Disc, Arrow, Agent, Text, Table, Key, Map }

const LAYERS = 16;
const AGENT_NOSE = 1.0;

export function pictureSession(bytes: DataView): number {
  return bytes.getUint32(4, true);
}

export function pictureTick(bytes: DataView): number {
  return bytes.getUint32(8, true) + bytes.getUint32(12, true) * 4294967296;
}

// Calls back for each item with its offset, layer by layer.
const offsets: number[][] = Array.from({ length: LAYERS }, () => []);
function sortByLayer(bytes: DataView): void {
  for (const list of offsets) list.length = 0;
  const count = bytes.getUint32(16, true);
  let at = bytes.getUint16(2, true);
  for (let i = 0; i < count && at + 16 <= bytes.byteLength; i++) {
    const size = bytes.getUint32(at + 12, true);
    if (size < 16 || at + size > bytes.byteLength) return;
    offsets[Math.min(bytes.getUint8(at + 1), LAYERS - 1)].push(at);
    at += size;
  }
}

const utf8 = new TextDecoder();

export function drawPicture(
  context: CanvasRenderingContext2D,
  bytes: DataView,
  camera: Camera,
  width: number,
  height: number,
  palette: Palette,
  selected: string | null,
  taken: Box[] = [], // by controls: no label goes there
): Placed {
  sortByLayer(bytes);
  const scale = camera.scale;
  const left = width / 2 - camera.x * scale;
  const top = height / 2 + camera.y * scale;
  const X = (at: number) => left + bytes.getFloat32(at, true) * scale;
  const Y = (at: number) => top - bytes.getFloat32(at, true) * scale;
  const [selectedIndex, selectedGeneration] = selected === null ? [-1, -1] : selected.split(":").map(Number);
  let ring: { x: number; y: number; radius: number } | null = null; // around the selected agent
  context.lineJoin = "round";
  const ratio = context.getTransform().a; // pixels of the screen for one of the canvas
  for (let layer = 0; layer < LAYERS; layer++) {
    if (palette.hidden[layer]) continue;
    for (const at of offsets[layer]) {
      const color = palette.styles[bytes.getUint8(at + 2)] ?? palette.ink;
      const owned = bytes.getUint32(at + 4, true) === selectedIndex && bytes.getUint32(at + 8, true) === selectedGeneration;
      context.globalAlpha = bytes.getUint8(at + 3) / 255;
      context.strokeStyle = context.fillStyle = color;
      context.lineWidth = owned ? 2.5 : 1.5;
      switch (bytes.getUint8(at) as Shape) {
        case Shape.Point:
          context.fillRect(X(at + 16) - 2, Y(at + 20) - 2, 4, 4);
          break;
        case Shape.Line:
        case Shape.Polygon: {
          const count = bytes.getUint32(at + 16, true);
          if (bytes.getUint8(at) === Shape.Polygon && isRectangle(bytes, at)) {
            fillRectangle(context, X(at + 20), Y(at + 24), X(at + 44), Y(at + 48), ratio);
            break;
          }
          context.beginPath();
          for (let i = 0, p = at + 20; i < count; i++, p += 12) {
            if (i === 0) context.moveTo(X(p), Y(p + 4));
            else context.lineTo(X(p), Y(p + 4));
          }
          if (bytes.getUint8(at) === Shape.Polygon) context.fill();
          else context.stroke();
          if (owned && ring === null && layer === AGENTS_LAYER && readBody(bytes, at)) ring = drawSelection(context, left + body.x * scale, top - body.y * scale, body.reach * scale, palette.ink);
          break;
        }
        case Shape.Circle:
        case Shape.Disc:
          context.beginPath();
          context.arc(X(at + 16), Y(at + 20), Math.max(bytes.getFloat32(at + 28, true) * scale, 0.5), 0, 2 * Math.PI);
          if (bytes.getUint8(at) === Shape.Disc) context.fill();
          else context.stroke();
          break;
        case Shape.Arrow:
          drawArrow(context, X(at + 16), Y(at + 20), X(at + 28), Y(at + 32));
          break;
        case Shape.Agent: {
          const x = X(at + 16);
          const y = Y(at + 20);
          const radius = Math.max(bytes.getFloat32(at + 28, true) * scale, 4);
          drawAgent(context, x, y, radius, bytes.getFloat32(at + 32, true));
          if (owned) ring = drawSelection(context, x, y, radius, palette.ink);
          if (palette.names) {
            context.font = "11px system-ui, sans-serif";
            context.fillStyle = palette.ink;
            context.fillText(`${bytes.getUint32(at + 4, true)}:${bytes.getUint32(at + 8, true)}`, x + radius + 2, y + radius + 8);
          }
          break;
        }
        case Shape.Map:
          palette.drawMap?.(context, bytes, at, left, top, scale);
          break;
        case Shape.Table:
        case Shape.Text: {
          if (palette.small) break;
          const length = bytes.getUint32(at + 28, true);
          const text = utf8.decode(new Uint8Array(bytes.buffer, bytes.byteOffset + at + 32, length));
          labels.push({ x: X(at + 16), y: Y(at + 20), text, color: palette.texts[bytes.getUint8(at + 2)] ?? palette.ink, alpha: context.globalAlpha, rank: owned ? 0 : bytes.getUint32(at + 8, true) === 0 ? 1 : 2 });
          labels[labels.length - 1].table = bytes.getUint8(at) === Shape.Table;
          break;
        }
      }
    }
  }
  // Its text is above the ring, not across it.
  for (const one of labels) if (ring !== null && one.rank === 0 && !one.table && Math.hypot(one.x - ring.x, one.y - ring.y) < ring.radius + 8 && one.y < ring.y) one.y = Math.min(one.y, ring.y - ring.radius - 4);
  const placed = drawLabels(context, labels, width, height, taken, palette.paper);
  labels.length = 0;
  context.globalAlpha = 1;
  return placed;
}

const labels: Label[] = [];

// Whether a polygon is a rectangle along the axes: cells of grids are, by the thousand.
function isRectangle(bytes: DataView, at: number): boolean {
  if (bytes.getUint32(at + 16, true) !== 4) return false;
  const value = (point: number, part: number) => bytes.getFloat32(at + 20 + 12 * point + part, true);
  const flat = value(0, 4) === value(1, 4) && value(1, 0) === value(2, 0) && value(2, 4) === value(3, 4) && value(3, 0) === value(0, 0);
  return flat || (value(0, 0) === value(1, 0) && value(1, 4) === value(2, 4) && value(2, 0) === value(3, 0) && value(3, 4) === value(0, 4));
}

// Fills a rectangle to whole pixels of the screen: two that share an edge leave no seam and cover no pixel twice.
function fillRectangle(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number, ratio: number): void {
  const snap = (value: number) => Math.round(value * ratio) / ratio;
  const left = snap(Math.min(x0, x1));
  const top = snap(Math.min(y0, y1));
  const least = 1 / ratio; // what is there is seen
  const width = x0 === x1 ? 0 : Math.max(snap(Math.max(x0, x1)) - left, least);
  const height = y0 === y1 ? 0 : Math.max(snap(Math.max(y0, y1)) - top, least);
  context.fillRect(left, top, width, height);
}

function drawArrow(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 1) return;
  const ux = (x1 - x0) / length;
  const uy = (y1 - y0) / length;
  const head = Math.min(8, length * 0.5);
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1 - ux * head, y1 - uy * head);
  context.stroke();
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x1 - ux * head - uy * head * 0.5, y1 - uy * head + ux * head * 0.5);
  context.lineTo(x1 - ux * head + uy * head * 0.5, y1 - uy * head - ux * head * 0.5);
  context.fill();
}

// A body with a nose: the round part behind, the point where it looks. The angle counts counter-clockwise and the
// screen's y points down, so it is turned the other way round here.
function drawAgent(context: CanvasRenderingContext2D, x: number, y: number, radius: number, angle: number): void {
  const c = Math.cos(-angle);
  const s = Math.sin(-angle);
  context.beginPath();
  context.arc(x, y, radius * 0.8, -angle + 0.7, -angle + 2 * Math.PI - 0.7);
  context.lineTo(x + c * radius * (AGENT_NOSE + 0.4), y + s * radius * (AGENT_NOSE + 0.4));
  context.closePath();
  context.fill();
}

function drawSelection(context: CanvasRenderingContext2D, x: number, y: number, radius: number, ink: string): { x: number; y: number; radius: number } {
  const ring = { x, y, radius: radius * 1.6 + 3 };
  context.globalAlpha = 1;
  context.strokeStyle = ink;
  context.lineWidth = 2;
  context.setLineDash([4, 3]);
  context.beginPath();
  context.arc(x, y, ring.radius, 0, 2 * Math.PI);
  context.stroke();
  context.setLineDash([]);
  return ring;
}

// Reads where the body is that an item shows, and how far it reaches. Returns false if it shows none.
const body = { x: 0, y: 0, reach: 0 };
function readBody(bytes: DataView, at: number): boolean {
  const shape = bytes.getUint8(at) as Shape;
  if (shape === Shape.Agent || shape === Shape.Disc) {
    body.x = bytes.getFloat32(at + 16, true);
    body.y = bytes.getFloat32(at + 20, true);
    body.reach = bytes.getFloat32(at + 28, true);
    return true;
  }
  // A hull has its corners around its middle.
  const count = shape === Shape.Polygon ? bytes.getUint32(at + 16, true) : 0;
  if (count < 3) return false;
  body.x = body.y = body.reach = 0;
  for (let i = 0, p = at + 20; i < count; i++, p += 12) {
    body.x += bytes.getFloat32(p, true) / count;
    body.y += bytes.getFloat32(p + 4, true) / count;
  }
  for (let i = 0, p = at + 20; i < count; i++, p += 12) {
    body.reach = Math.max(body.reach, Math.hypot(bytes.getFloat32(p, true) - body.x, bytes.getFloat32(p + 4, true) - body.y));
  }
  return true;
}

// The owner of the agent nearest to a world point, if it is within its body or `slack` metres of it.
export function findAgent(bytes: DataView, x: number, y: number, slack: number): string | null {
  sortByLayer(bytes);
  let best = Infinity;
  let found: string | null = null;
  for (const list of offsets) {
    for (const at of list) {
      const generation = bytes.getUint32(at + 8, true);
      if (generation === 0 || (bytes.getUint8(at) !== Shape.Disc && !isBody(bytes, at)) || !readBody(bytes, at)) continue;
      const distance = Math.hypot(body.x - x, body.y - y);
      if (distance <= Math.max(body.reach, slack) && distance < best) {
        best = distance;
        found = `${bytes.getUint32(at + 4, true)}:${generation}`;
      }
    }
  }
  return found;
}

// Where the picture shows an agent.
export function findPlace(bytes: DataView, agent: string): [number, number] | null {
  sortByLayer(bytes);
  const [index, generation] = agent.split(":").map(Number);
  for (const list of offsets) {
    for (const at of list) {
      if (!isBody(bytes, at) || bytes.getUint32(at + 4, true) !== index || bytes.getUint32(at + 8, true) !== generation) continue;
      if (readBody(bytes, at)) return [body.x, body.y];
    }
  }
  return null;
}

// Bodies are agents' shapes, and discs and hulls that belong to an agent in the layer of agents.
const AGENTS_LAYER = 6;
function isBody(bytes: DataView, at: number): boolean {
  const shape = bytes.getUint8(at);
  if (bytes.getUint32(at + 8, true) === 0) return false;
  return shape === Shape.Agent || ((shape === Shape.Disc || shape === Shape.Polygon) && bytes.getUint8(at + 1) === AGENTS_LAYER);
}

// The styles that a picture uses, in the order of their numbers.
export function listStyles(bytes: DataView): number[] {
  sortByLayer(bytes);
  const found = new Set<number>();
  for (const list of offsets) for (const at of list) if (bytes.getUint8(at) < Shape.Key) found.add(bytes.getUint8(at + 2));
  return [...found].sort((a, b) => a - b);
}

// What the styles of a picture mean, as far as it says so itself.
export function listKeys(bytes: DataView): Map<number, string> {
  sortByLayer(bytes);
  const found = new Map<number, string>();
  for (const list of offsets) {
    for (const at of list) {
      if (bytes.getUint8(at) !== Shape.Key) continue;
      const length = bytes.getUint32(at + 28, true);
      found.set(bytes.getUint8(at + 2), utf8.decode(new Uint8Array(bytes.buffer, bytes.byteOffset + at + 32, length)));
    }
  }
  return found;
}

// Every agent in the picture once, in order of index.
export function listAgents(bytes: DataView): string[] {
  sortByLayer(bytes);
  const found = new Map<string, number>();
  for (const list of offsets) {
    for (const at of list) {
      const generation = bytes.getUint32(at + 8, true);
      if (!isBody(bytes, at)) continue;
      const index = bytes.getUint32(at + 4, true);
      found.set(`${index}:${generation}`, index);
    }
  }
  return [...found].sort((a, b) => a[1] - b[1]).map(([id]) => id);
}
