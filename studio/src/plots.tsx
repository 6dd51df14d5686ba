import { useRef, useState } from "preact/hooks";
import { useDrawing } from "./chart";
import { Pane, pathKey, Series } from "./pane";
import { listAgents } from "./picture";
import { niceTicks, ownerOf, Plot, plotsOf, seriesName, toCsv, valueAt } from "./series";
import { show } from "./state";
import { download, Store } from "./store";
import { shapeColor, themeColor } from "./theme";

const HEIGHT = 132;
const LEFT = 46; // for the numbers of the axis
const BOTTOM = 18; // for the seconds
const TOP = 6;
// Okabe and Ito's, in an order in which neighbours differ in lightness too. The second run's lines are dashed.
const COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#555555", "#f0e442"];

interface Line {
  name: string;
  color: string;
  pane: Pane;
  dashed: boolean;
  series: Series | undefined;
}

// Numbers over time, as chosen in the state's tree, and what thinking cost.
export function Plots({ store }: { store: Store }) {
  const load = store.session?.load;
  const plots = plotsOf(store.pins, store.session?.fields ?? []);
  // The ticks that all plots show; null: the whole recording.
  const [range, setRange] = useState<[number, number] | null>(null);
  const nameOf = (owner: string) => store.nameOf(owner);
  const off = !store.writable || store.session?.kind !== "simulation";
  return (
    <div class="plots">
      <div class="toolbar">
        <button disabled={off} onClick={() => store.scan()} title="Go through the whole recording for these numbers and for all marks">
          Scan the recording
        </button>
        <button disabled={plots.length === 0} onClick={() => download(`${store.session?.name}-${store.session?.seed}.csv`, toCsv(store.panes, plots, nameOf))} title="All series as a table, with their units">
          Export CSV
        </button>
        <button disabled={range === null} onClick={() => setRange(null)} title="The whole recording">
          All time
        </button>
      </div>
      {plots.length === 0 && <p class="empty">Choose numbers in the state's tree: the sign ∿ beside a number brings it here. The same number of other agents joins its plot.</p>}
      {plots.map((plot) => (
        <PlotView key={plot.key} store={store} plot={plot} range={range} setRange={setRange} />
      ))}
      {plots.length > 0 && <p class="empty">Drag to scrub; drag with Shift to look at a part of the time.</p>}
      {load !== undefined && (
        <section class="load">
          <h3>Budget of this tick</h3>
          <div class="meter" title={`${load.spent} units spent of ${load.units ?? "no limit"}`}>
            <i class={load.put_off > 0 ? "over" : ""} style={{ width: `${Math.min(100, load.units ? (100 * load.spent) / load.units : 0)}%` }} />
          </div>
          <p>
            {load.spent} of {load.units ?? "∞"} units; {load.ran} of {load.due} turns, {load.put_off} put off
          </p>
          <ol>
            {load.top.map((one) => (
              <li>
                {one.name} {one.agent} <small>{one.units}</small>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

function PlotView({ store, plot, range, setRange }: { store: Store; plot: Plot; range: [number, number] | null; setRange: (range: [number, number] | null) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const brush = useRef<{ from: number; zoom: boolean } | null>(null);
  const [marked, setMarked] = useState<[number, number] | null>(null); // a part of the time that is being chosen
  const end = Math.max(1, ...store.panes.map((pane) => pane.end));
  const [from, to] = range ?? [0, end];
  const lines: Line[] = plot.paths.flatMap((path, i) =>
    store.panes.map((pane, k) => ({
      name: `${store.panes.length > 1 ? `${"AB"[k]} ` : ""}${seriesName(path, (owner) => store.nameOf(owner))}`,
      color: shapeColor(COLORS[i % COLORS.length]),
      pane,
      dashed: k > 0,
      series: pane.series.get(pathKey(path)),
    })),
  );
  const dt = store.session?.dt ?? 1 / 60;
  useDrawing(canvas, HEIGHT, (context, width) => drawPlot(context, width, lines, from, to, dt, marked));
  const tick = store.pane?.tick ?? 0;
  const tickAt = (event: PointerEvent): number => {
    const rect = canvas.current!.getBoundingClientRect();
    const share = (event.clientX - rect.left - LEFT) / Math.max(1, rect.width - LEFT);
    return Math.round(from + Math.max(0, Math.min(1, share)) * (to - from));
  };
  const finish = () => {
    if (marked !== null && Math.abs(marked[1] - marked[0]) > 2) setRange([Math.min(...marked), Math.max(...marked)]);
    setMarked(null);
    brush.current = null;
  };
  const points = lines[0]?.series?.ticks.length ?? 0;
  const values = lines.map((one) => (one.series === undefined ? null : valueAt(one.series, one.pane.tick)));
  const unit = plot.unit === "" ? "" : ` ${plot.unit}`;
  const spoken = lines.map((one, i) => `${one.name} ${values[i] === null ? "none" : show(values[i]) + unit}`).join(", ");
  return (
    <figure>
      <figcaption>
        <strong>{plot.title}</strong> {plot.unit !== "" && <small>{plot.unit}</small>}
        <span />
        {plot.key.startsWith("@") && <AddAgent store={store} plot={plot} />}
        <button class="reset" onClick={() => store.closePlot(plot.key)} aria-label={`Close the plot of ${plot.title}`} title="Close">
          ×
        </button>
      </figcaption>
      <canvas
        ref={canvas}
        role="slider"
        tabIndex={0}
        aria-label={`${plot.title} over time`}
        aria-valuemin={0}
        aria-valuemax={end}
        aria-valuenow={tick}
        aria-valuetext={`tick ${tick}, ${(tick * dt).toFixed(2)} s: ${spoken}`}
        data-points={points}
        data-from={from}
        data-to={to}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const at = tickAt(event);
          brush.current = { from: at, zoom: event.shiftKey };
          if (event.shiftKey) setMarked([at, at]);
          else if (store.writable) store.seek(at);
        }}
        onPointerMove={(event) => {
          if (brush.current === null) return;
          const at = tickAt(event);
          if (brush.current.zoom) setMarked([brush.current.from, at]);
          else if (store.writable) store.seek(at);
        }}
        onPointerUp={finish}
        onPointerCancel={finish}
        onDblClick={() => setRange(null)}
      />
      <ul class="series" aria-label={`Series of ${plot.title}`}>
        {lines.map((one, i) => (
          <li key={`${one.name} ${i}`}>
            <svg width="18" height="8" aria-hidden="true">
              <line x1="0" y1="4" x2="18" y2="4" stroke={one.color} stroke-width="2.5" stroke-dasharray={one.dashed ? "5 3" : undefined} />
            </svg>{" "}
            {one.name} <strong>{values[i] === null ? "–" : `${show(Number(values[i]!.toPrecision(5)))}${unit}`}</strong>
          </li>
        ))}
      </ul>
    </figure>
  );
}

// The same number of another agent, in the same plot.
function AddAgent({ store, plot }: { store: Store; plot: Plot }) {
  const there = new Set(plot.paths.map(ownerOf));
  const picture = store.pane?.picture ?? null;
  const others = (picture === null ? [] : listAgents(picture)).filter((one) => !there.has(one));
  return (
    <select
      aria-label={`Add an agent to ${plot.title}`}
      value=""
      disabled={others.length === 0}
      onChange={(event) => {
        store.addAgent(plot.key, event.currentTarget.value);
        event.currentTarget.value = "";
        event.currentTarget.blur();
      }}
    >
      <option value="">+ agent</option>
      {others.map((one) => (
        <option key={one} value={one}>
          {store.nameOf(one)}
        </option>
      ))}
    </select>
  );
}

function drawPlot(context: CanvasRenderingContext2D, width: number, lines: Line[], from: number, to: number, dt: number, marked: [number, number] | null): void {
  context.clearRect(0, 0, width, HEIGHT);
  context.fillStyle = themeColor("ground");
  context.fillRect(LEFT, 0, width - LEFT, HEIGHT - BOTTOM);
  const span = Math.max(1, to - from);
  const x = (tick: number) => LEFT + ((tick - from) / span) * (width - LEFT);
  let low = Infinity;
  let high = -Infinity;
  for (const { series } of lines) {
    series?.values.forEach((value, i) => {
      if (value === null || series.ticks[i] < from || series.ticks[i] > to) return;
      low = Math.min(low, value);
      high = Math.max(high, value);
    });
  }
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.lineWidth = 1;
  // The axis of time, in seconds.
  context.textAlign = "center";
  for (const second of niceTicks(from * dt, to * dt, (width - LEFT) / 64)) {
    const at = Math.round(x(second / dt)) + 0.5;
    context.fillStyle = themeColor("line");
    context.fillRect(at, 0, 1, HEIGHT - BOTTOM + 3);
    context.fillStyle = themeColor("soft");
    const label = `${second} s`;
    const half = context.measureText(label).width / 2;
    context.fillText(label, Math.max(LEFT - 6 + half, Math.min(width - half - 1, at)), HEIGHT - BOTTOM / 2 + 1);
  }
  if (low <= high) {
    if (high === low) [low, high] = [low - 1, high + 1];
    const y = (value: number) => HEIGHT - BOTTOM - TOP - ((value - low) / (high - low)) * (HEIGHT - BOTTOM - 2 * TOP);
    context.textAlign = "right";
    for (const value of niceTicks(low, high, 4)) {
      context.fillStyle = themeColor("line");
      context.fillRect(LEFT, Math.round(y(value)), width - LEFT, 1);
      context.fillStyle = themeColor("soft");
      context.fillText(show(value), LEFT - 5, Math.max(7, Math.min(HEIGHT - BOTTOM - 6, y(value))));
    }
    context.save();
    context.beginPath();
    context.rect(LEFT, 0, width - LEFT, HEIGHT - BOTTOM);
    context.clip();
    for (const { series, color, dashed } of lines) {
      if (series === undefined) continue;
      context.strokeStyle = color;
      context.lineWidth = 1.75;
      context.setLineDash(dashed ? [5, 3] : []);
      context.beginPath();
      let down = false;
      series.ticks.forEach((tick, k) => {
        const value = series.values[k];
        if (value === null) down = false;
        else if (down) context.lineTo(x(tick), y(value));
        else {
          context.moveTo(x(tick), y(value));
          down = true;
        }
      });
      context.stroke();
    }
    context.restore();
    context.setLineDash([]);
  }
  if (marked !== null) {
    context.globalAlpha = 0.25;
    context.fillStyle = themeColor("accent");
    context.fillRect(x(Math.min(...marked)), 0, Math.abs(x(marked[1]) - x(marked[0])), HEIGHT - BOTTOM);
    context.globalAlpha = 1;
  }
  // Where each run is now.
  context.fillStyle = themeColor("ink");
  for (const pane of new Set(lines.map((one) => one.pane))) {
    if (pane.tick < from || pane.tick > to) continue;
    const at = Math.round(x(pane.tick));
    context.fillRect(Math.min(width - 2, at), 0, 1.5, HEIGHT - BOTTOM);
    context.beginPath();
    context.moveTo(at - 5, 0);
    context.lineTo(at + 5, 0);
    context.lineTo(at, 7);
    context.fill();
  }
}
