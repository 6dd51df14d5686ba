import { useEffect, useRef } from "preact/hooks";
import { fitCanvas } from "./chart";
import { Pane, Path, pathKey, Series } from "./pane";
import { show } from "./state";
import { Store } from "./store";

const HEIGHT = 90;
const COLORS = ["#0072b2", "#d55e00"]; // of pane A and pane B

// Numbers over time, as chosen in the state's tree, and what thinking cost.
export function Plots({ store }: { store: Store }) {
  const load = store.session?.load;
  return (
    <div class="plots">
      <div class="toolbar">
        <button disabled={!store.writable || store.session?.kind !== "simulation"} onClick={() => store.scan()} title="Go through the whole recording for these numbers and for all marks">
          Scan the recording
        </button>
      </div>
      {store.pins.length === 0 && <p class="empty">Choose numbers in the state's tree: the sign ∿ beside a number brings it here.</p>}
      {store.pins.map((path) => (
        <Plot key={pathKey(path)} store={store} path={path} />
      ))}
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

function Plot({ store, path }: { store: Store; path: Path }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const all = store.panes.map((pane) => pane.series.get(pathKey(path)));
  useEffect(() => {
    const { context, width } = fitCanvas(canvas.current!, HEIGHT);
    drawPlot(context, store.panes, all, width);
  });
  const pane = store.pane;
  const series = pane?.series.get(pathKey(path));
  return (
    <figure>
      <figcaption>
        {path.join(" › ").replace(/_/g, " ")}
        <span>{series === undefined || pane === null ? "" : show(valueAt(series, pane.tick))}</span>
        <button class="reset" onClick={() => store.togglePin(path)} aria-label={`Close the plot of ${path.join(" ")}`} title="Close">
          ×
        </button>
      </figcaption>
      <canvas ref={canvas} data-points={series?.ticks.length ?? 0} onPointerDown={(event) => store.seek(Math.round((event.offsetX / event.currentTarget.clientWidth) * (pane?.end ?? 0)))} />
    </figure>
  );
}

function valueAt(series: Series, tick: number): number | null {
  let best: number | null = null;
  for (let i = 0; i < series.ticks.length && series.ticks[i] <= tick; i++) best = series.values[i];
  return best;
}

function drawPlot(context: CanvasRenderingContext2D, panes: Pane[], all: (Series | undefined)[], width: number): void {
  let low = Infinity;
  let high = -Infinity;
  let end = 1;
  for (const pane of panes) end = Math.max(end, pane.end);
  for (const series of all) {
    for (const value of series?.values ?? []) {
      if (value === null) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  context.clearRect(0, 0, width, HEIGHT);
  context.fillStyle = "#f3f1ea";
  context.fillRect(0, 0, width, HEIGHT);
  if (low > high) return;
  if (high === low) [low, high] = [low - 1, high + 1];
  const y = (value: number) => HEIGHT - 8 - ((value - low) / (high - low)) * (HEIGHT - 16);
  all.forEach((series, i) => {
    if (series === undefined) return;
    context.strokeStyle = COLORS[i];
    context.lineWidth = 1.5;
    context.setLineDash(i === 1 ? [5, 3] : []);
    context.beginPath();
    let down = false;
    series.ticks.forEach((tick, k) => {
      const value = series.values[k];
      if (value === null) {
        down = false;
        return;
      }
      const x = (tick / end) * width;
      if (down) context.lineTo(x, y(value));
      else context.moveTo(x, y(value));
      down = true;
    });
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = "#22252a";
    context.fillRect(Math.round((panes[i].tick / end) * width), 0, 1, HEIGHT);
  });
  context.fillStyle = "#6b6e75";
  context.font = "11px system-ui, sans-serif";
  context.fillText(show(high), 4, 12);
  context.fillText(show(low), 4, HEIGHT - 3);
}
