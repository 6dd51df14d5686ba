// Texts and tables of a picture, put where they hide no other: a little higher, lower or beside their place if need be.
// What finds no room is left out and counted, never silently.

export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export interface Label {
  x: number;
  y: number; // of the base line; of a table's upper edge
  text: string;
  color: string;
  alpha: number;
  rank: number; // the smaller comes first: the selected agent's, those without an agent, the others'
  table?: boolean;
}

export interface Placed {
  boxes: Box[];
  hidden: number; // texts without room
}

const FONT = "system-ui, sans-serif";
const SIZE = 12; // pixels, of letters
const HIGH = 13; // of a line of text
const ASCENT = 10;
const GAP = 14; // between the columns of a table
const APART = 4; // between two texts side by side, or they read as one
const CELL = 64; // of the grid in which free room is looked up
const NOTE = 22; // of the count of what is hidden
const NOTE_WIDTH = 176;
const TABLE_FONTS = [12, 11, 10, 9, 8];

// --- free room ---

class Room {
  readonly boxes: Box[] = [];
  private cells = new Map<number, Box[]>();

  private each(box: Box, visit: (list: Box[] | undefined, key: number) => boolean): boolean {
    for (let y = Math.floor(box.y0 / CELL); y <= Math.floor(box.y1 / CELL); y++) {
      for (let x = Math.floor(box.x0 / CELL); x <= Math.floor(box.x1 / CELL); x++) {
        const key = y * 4096 + x;
        if (!visit(this.cells.get(key), key)) return false;
      }
    }
    return true;
  }
  take(box: Box): void {
    this.each(box, (list, key) => {
      if (list === undefined) this.cells.set(key, [box]);
      else list.push(box);
      return true;
    });
  }
  free(box: Box): boolean {
    return this.each(box, (list) => list === undefined || list.every((other) => other.x1 <= box.x0 || other.x0 >= box.x1 || other.y1 <= box.y0 || other.y0 >= box.y1));
  }
}

const widths = new Map<string, number>();
function widthOf(context: CanvasRenderingContext2D, text: string, size: number, weight = ""): number {
  const key = `${size}${weight}${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size > 4000) widths.clear();
    context.font = `${weight}${size}px ${FONT}`;
    widths.set(key, (width = context.measureText(text).width));
  }
  return width;
}

// --- tables ---

interface Table {
  align: string;
  rows: string[][];
}

export function parseTable(text: string): Table {
  const [align, ...lines] = text.split("\n");
  return { align, rows: lines.map((line) => Array.from(align, (_, i) => line.split("\t")[i] ?? "")) };
}

// Draws it with its upper left corner at a point, moved and made smaller as far as needed to be whole. Rows beyond the
// lower edge are counted as hidden.
function drawTable(context: CanvasRenderingContext2D, label: Label, room: Room, width: number, whole: number, paper: string): number {
  const height = whole - NOTE; // the count of what is hidden is in the last line
  const { align, rows } = parseTable(label.text);
  let size = TABLE_FONTS[0];
  let columns: number[] = [];
  let wide = 0;
  for (size of TABLE_FONTS) {
    columns = Array.from(align, (_, i) => Math.max(...rows.map((row, k) => widthOf(context, row[i], size, k === 0 ? "bold " : ""))));
    wide = columns.reduce((sum, one) => sum + one + GAP, -GAP);
    if (label.x + wide <= width - 4 && label.y + rows.length * (size + 4) <= height - 4) break;
  }
  // One that is wider than the picture even so has narrower letters.
  const narrow = Math.min(1, (width - 8) / wide);
  columns = columns.map((one) => one * narrow);
  wide *= narrow;
  const line = size + 4;
  const x = Math.max(4, Math.min(label.x, width - 4 - wide));
  let y = Math.max(4, Math.min(label.y, height - 4 - rows.length * line));
  for (let tries = 0; tries < 12 && !room.free({ x0: x, y0: y, x1: x + wide, y1: Math.min(height, y + rows.length * line) }); tries++) y += line;
  const shown = rows.slice(0, Math.max(1, Math.floor((height - 4 - y) / line)));
  const box = { x0: x - 3, y0: y, x1: x + wide + 3, y1: y + shown.length * line };
  context.globalAlpha = 0.9;
  context.fillStyle = paper;
  context.fillRect(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
  context.globalAlpha = label.alpha;
  context.fillStyle = label.color;
  shown.forEach((row, k) => {
    context.font = `${k === 0 ? "bold " : ""}${size}px ${FONT}`;
    let left = x;
    row.forEach((cell, i) => {
      const own = widthOf(context, cell, size, k === 0 ? "bold " : "") * narrow;
      const shift = align[i] === "r" ? columns[i] - own : align[i] === "c" ? (columns[i] - own) / 2 : 0;
      context.font = `${k === 0 ? "bold " : ""}${size}px ${FONT}`;
      if (own > 0) context.fillText(cell, left + shift, y + k * line + size, own);
      left += columns[i] + GAP * narrow;
    });
  });
  room.take(box);
  room.boxes.push(box);
  return rows.length - shown.length;
}

// --- all of them ---

// Where a text may stand instead, in lines and in widths of itself: (0, 0) is its own place.
const TRIES: [dy: number, dx: number][] = [[0, 0], [-1, 0], [1, 0], [-2, 0], [2, 0], [0, -1], [-1, -0.5], [1, -0.5], [-3, 0], [3, 0], [-1, -1], [1, -1]];

// A text that is wider than the picture is broken into lines between words.
function linesOf(context: CanvasRenderingContext2D, text: string, width: number): string[] {
  if (widthOf(context, text, SIZE) <= width) return [text];
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length === 0 ? word : `${lines[lines.length - 1]} ${word}`;
    if (lines.length > 0 && widthOf(context, longer, SIZE) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

interface Place {
  label: Label;
  lines: string[];
  box: Box;
}

// Where texts go in the room that is left. @return the places, and how many texts have none
function placeTexts(context: CanvasRenderingContext2D, labels: Label[], width: number, height: number, room: Room): [Place[], number] {
  const places: Place[] = [];
  let hidden = 0;
  for (const label of labels) {
    if (label.table || label.text === "") continue;
    const lines = linesOf(context, label.text, width - 4);
    const own = Math.max(...lines.map((line) => widthOf(context, line, SIZE)));
    const high = lines.length * HIGH;
    // What begins outside the picture is not missed there; what only sticks out is pulled in.
    if (label.x > width || label.x + own < 0 || label.y < 0 || label.y - ASCENT > height) continue;
    const box = TRIES.map(([dy, dx]) => {
      const x = Math.max(2, Math.min(label.x + dx * own, width - own - 2));
      const y = Math.max(1, Math.min(label.y + dy * HIGH - ASCENT, height - high));
      return { x0: x, y0: y, x1: x + own, y1: y + high };
    }).find((one) => room.free(one));
    if (box === undefined) {
      hidden++;
      continue;
    }
    room.take({ ...box, x0: box.x0 - APART, x1: box.x1 + APART });
    places.push({ label, lines, box });
  }
  return [places, hidden];
}

// @param taken  by controls over the picture
export function drawLabels(context: CanvasRenderingContext2D, labels: Label[], width: number, height: number, taken: Box[], paper: string): Placed {
  const room = new Room();
  for (const box of taken) room.take(box);
  let hidden = 0;
  for (const one of labels) if (one.table) hidden += drawTable(context, one, room, width, height, paper);
  labels.sort((a, b) => a.rank - b.rank);
  const around = [...taken, ...room.boxes];
  let [places, missing] = placeTexts(context, labels, width, height, room);
  if (hidden + missing > 0) {
    // The count of them takes room itself, in the lower right corner.
    const less = new Room();
    for (const box of [...around, { x0: width - NOTE_WIDTH, y0: height - NOTE - 6, x1: width, y1: height }]) less.take(box);
    [places, missing] = placeTexts(context, labels, width, height, less);
  }
  context.font = `${SIZE}px ${FONT}`;
  // A rim of the background keeps letters apart from lines and bodies under them.
  context.strokeStyle = paper;
  context.lineWidth = 3;
  context.lineJoin = "round";
  for (const { label, lines, box } of places) {
    context.globalAlpha = 0.75 * label.alpha;
    lines.forEach((line, i) => context.strokeText(line, box.x0, box.y0 + ASCENT + i * HIGH));
    context.globalAlpha = label.alpha;
    context.fillStyle = label.color;
    lines.forEach((line, i) => context.fillText(line, box.x0, box.y0 + ASCENT + i * HIGH));
  }
  return { boxes: [...room.boxes, ...places.map((one) => one.box)], hidden: hidden + missing };
}
