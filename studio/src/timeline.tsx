import { useRef, useState } from "preact/hooks";
import { Mark, MarkKind } from "./backend";
import { useDrawing } from "./chart";
import { Pane } from "./pane";
import { Store } from "./store";
import { shapeColor, themeColor } from "./theme";

// Three lanes: what happened, what was decided, what it cost. Colours are Okabe and Ito's, which people
// with few colours can distinguish; each kind also has its shape.
const LANES: Record<MarkKind, number> = { event: 0, input: 0, failed: 1, state: 1, decision: 1, overrun: 2 };
const MARK_COLORS: Record<MarkKind, string> = {
  event: "#d55e00",
  input: "#0072b2",
  failed: "#cc79a7",
  state: "#009e73",
  decision: "#56b4e9",
  overrun: "#e69f00",
};
export const markColor = (kind: MarkKind): string => shapeColor(MARK_COLORS[kind]);
const LANE = 15;
const HEIGHT = 3 * LANE + 3;
const NEAR = 6; // pixels within which a pointer means a mark

export function Timeline({ store, pane }: { store: Store; pane: Pane }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hover, setHover] = useState<{ x: number; width: number; mark: Mark } | null>(null);
  const dragging = useRef(false);
  // Side by side both have one scale, so that the same tick is at the same place.
  const end = Math.max(1, ...store.panes.map((one) => one.end));

  useDrawing(canvas, HEIGHT, (context, width) => drawTimeline(context, pane, width, end));

  const tickAt = (event: PointerEvent): number => {
    const rect = canvas.current!.getBoundingClientRect();
    return Math.round(Math.max(0, Math.min(1, (event.clientX - rect.left) / rect.width)) * end);
  };
  // The mark under the pointer: in its lane, the nearest one.
  const markAt = (event: PointerEvent): { x: number; width: number; mark: Mark } | null => {
    const rect = canvas.current!.getBoundingClientRect();
    const x = event.clientX - rect.left;
    const lane = Math.floor((event.clientY - rect.top) / LANE);
    let best = NEAR;
    let found: Mark | null = null;
    for (const mark of pane.marks) {
      if (LANES[mark[1]] !== lane || !shown(pane, mark)) continue;
      const distance = Math.abs((mark[0] / end) * rect.width - x);
      if (distance < best) {
        best = distance;
        found = mark;
      }
    }
    return found === null ? null : { x: (found[0] / end) * rect.width, width: rect.width, mark: found };
  };

  return (
    <div class="timeline">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Timeline: ${pane.marks.length} marks`}
        data-marks={pane.marks.length}
        data-inputs={pane.marks.filter((one) => one[1] === "input").length}
        data-failed={pane.marks.filter((one) => one[1] === "failed").length}
        data-costs={pane.costs.most.length * pane.costs.every}
        data-overruns={pane.costs.put_off.filter((one) => one > 0).length}
        onPointerDown={(event) => {
          if (!store.writable) return;
          dragging.current = true;
          event.currentTarget.setPointerCapture(event.pointerId);
          store.seek(markAt(event)?.mark[0] ?? tickAt(event));
        }}
        onPointerMove={(event) => {
          if (dragging.current) store.seek(tickAt(event));
          else setHover(markAt(event));
        }}
        onPointerUp={() => (dragging.current = false)}
        onPointerLeave={() => setHover(null)}
      />
      {hover !== null && (
        <div class="tip" style={hover.x < hover.width / 2 ? { left: `${hover.x}px` } : { right: `${hover.width - hover.x}px` }}>
          <i style={{ background: markColor(hover.mark[1]) }} /> tick {hover.mark[0]} · {hover.mark[1]} {hover.mark[2] ?? ""} · {hover.mark[3]}
        </div>
      )}
    </div>
  );
}

// States and decisions are those of the selected agent, if there is one: those of all agents would be one bar.
function shown(pane: Pane, mark: Mark): boolean {
  return LANES[mark[1]] !== 1 || pane.selected === null || mark[2] === pane.selected;
}

function drawTimeline(context: CanvasRenderingContext2D, pane: Pane, width: number, end: number): void {
  context.clearRect(0, 0, width, HEIGHT);
  context.fillStyle = themeColor("track");
  for (let lane = 0; lane < 3; lane++) context.fillRect(0, lane * LANE + 1, (Math.max(pane.end, 1) / end) * width, LANE - 2);
  drawLoads(context, pane, width, end);
  // One mark of a kind for each pixel is all that can be seen.
  const last: Partial<Record<MarkKind, number>> = {};
  for (const mark of pane.marks) {
    if (!shown(pane, mark)) continue;
    const [tick, kind] = mark;
    const x = Math.round((tick / end) * width);
    if (last[kind] === x) continue;
    last[kind] = x;
    const y = LANES[kind] * LANE + LANE / 2;
    context.fillStyle = markColor(kind);
    context.globalAlpha = kind === "decision" && pane.selected === null ? 0.5 : 1;
    context.beginPath();
    switch (kind) {
      case "event": // a diamond
        context.moveTo(x, y - 6);
        context.lineTo(x + 4.5, y);
        context.lineTo(x, y + 6);
        context.lineTo(x - 4.5, y);
        break;
      case "overrun": // a notch from above: the strip below it shows the rest
        context.moveTo(x - 3, y - 7);
        context.lineTo(x + 3, y - 7);
        context.lineTo(x, y - 3);
        break;
      case "input": // a triangle
        context.moveTo(x - 4, y + 5);
        context.lineTo(x + 4, y + 5);
        context.lineTo(x, y - 4);
        break;
      case "failed": // a cross of two bars
        context.rect(x - 1.5, y - 6, 3, 12);
        context.rect(x - 4, y - 1.5, 8, 3);
        break;
      case "state":
        context.rect(x - 1.5, y - 6, 3, 12);
        break;
      case "decision":
        context.rect(x - 0.75, y - 4, 1.5, 8);
        break;
    }
    context.fill();
  }
  context.globalAlpha = 1;
  const x = Math.min(width - 1, Math.max(1, Math.round((pane.tick / end) * width)));
  context.fillStyle = themeColor("ink");
  context.fillRect(x - 1, 0, 2, HEIGHT);
}

// The budget of the frames as a strip: how much of it was spent, and where turns were put off (orange, with a cap).
// Every tick is in it: a column of pixels shows the least and the most of all ticks that fall into it.
function drawLoads(context: CanvasRenderingContext2D, pane: Pane, width: number, end: number): void {
  const { from, every, least, most, units, put_off } = pane.costs;
  if (most.length === 0) return;
  let top = 1;
  for (let i = 0; i < most.length; i++) top = Math.max(top, most[i], units[i]);
  const bottom = 3 * LANE - 1;
  const high = (value: number) => (Math.max(0, value) / top) * (LANE - 2);
  const columns = Math.max(1, Math.floor(width));
  const flush = (column: number, wide: number, low: number, up: number, budget: number, over: boolean) => {
    context.fillStyle = themeColor(over ? "orange" : "blue");
    context.globalAlpha = 0.3;
    context.fillRect(column, bottom - high(up), wide, high(up));
    context.globalAlpha = 1;
    context.fillRect(column, bottom - high(up), wide, Math.max(1, high(up) - high(low)));
    if (over) context.fillRect(column, bottom - LANE + 2, wide, 3); // seen however little it was
    if (budget >= 0) {
      context.fillStyle = themeColor("ink");
      context.fillRect(column, bottom - high(budget), wide, 1);
    }
  };
  let at = -1;
  let [low, up, budget, over] = [0, 0, -1, false];
  for (let i = 0; i < most.length; i++) {
    const column = Math.min(columns - 1, Math.floor(((from + i * every) / end) * columns));
    if (column !== at) {
      if (at >= 0) flush(at, Math.max(1, column - at), low, up, budget, over);
      [at, low, up, budget, over] = [column, least[i], most[i], units[i], put_off[i] > 0];
      continue;
    }
    low = Math.min(low, least[i]);
    up = Math.max(up, most[i]);
    if (units[i] >= 0) budget = budget < 0 ? units[i] : Math.min(budget, units[i]);
    over ||= put_off[i] > 0;
  }
  const last = Math.min(columns, Math.ceil(((from + most.length * every) / end) * columns));
  flush(at, Math.max(1, last - at), low, up, budget, over);
}
