import { useEffect, useRef, useState } from "preact/hooks";
import { Pane } from "./pane";
import { timed } from "./perf";
import { usePopup } from "./focus";
import { Box, Placed } from "./labels";
import { drawMap, listMaps, mapColors, MapColors, readMap, shownMaps } from "./maps";
import { MapLegend } from "./map_legend";
import { onRedraw, Overlay, overlaysOf } from "./overlay";
import { Camera, drawPicture, findAgent, findPlace, listAgents, listKeys, listStyles, Palette, pictureTick } from "./picture";
import type { Space } from "./space";
import { Store } from "./store";
import { styleColor, textColor, themeColor } from "./theme";
import { hover, ViewCommand } from "./view_command";

const CLICK_SLOP = 5; // pixels a pointer may move and still be a click
const ZOOM_STEP = 1.2;

// What the keyboard may ask of the views that are on screen. Side by side they move together.
interface View {
  fit(): void;
  zoom(factor: number): void;
}
const views = new Set<View>();
export const view = {
  fit: () => views.forEach((one) => one.fit()),
  zoom: (factor: number) => views.forEach((one) => one.zoom(factor)),
};

export function CanvasView({ store, pane, place }: { store: Store; pane: Pane | null; place: number }) {
  const shown = useRef(pane);
  shown.current = pane;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const camera = useRef<Camera>({ x: 0, y: 0, scale: 20 });
  const fitted = useRef<number | null>(null);
  const asker = useRef<(() => void) | null>(null);
  const hiddenNote = useRef<HTMLDivElement>(null);
  const spaceBox = useRef<HTMLDivElement>(null);
  const space = useRef<Space | null>(null);
  const labelling = useRef<{ taken: () => Box[]; tell: (placed: Placed) => void } | null>(null);
  const spatial = pane !== null && store.showsSpace(pane);
  const [layersOpen, setLayersOpen] = useState(false);
  const layers = usePopup(layersOpen, () => setLayersOpen(false));
  useEffect(() => setLayersOpen(false), [pane?.session.session]); // another simulation has other layers

  useEffect(() => {
    const element = canvas.current!;
    const context = element.getContext("2d", { alpha: false })!;
    let width = 0;
    let height = 0;
    let asked = 0; // the frame that draws next
    let spaceAsked = 0; // the one that renders the scene in space again
    let untouched = true;
    const report = new ViewCommand(store);
    // A person moved the view.
    const touch = () => {
      untouched = false;
      report.moved(shown.current, () => [camera.current.x, camera.current.y], () => width / camera.current.scale);
    };

    // Controls move seldom; asking where they are has the page laid out.
    let taken: Box[] = [];
    let takenAt = -1;
    let again = 0;
    const takenNow = () => {
      if (performance.now() - takenAt > 250 || takenAt < 0) {
        if (box.current !== null) taken = takenIn(box.current);
        takenAt = performance.now();
      }
      return taken;
    };
    // What has no room is counted on the page, never left out silently.
    const tellLabels = (placed: Placed, redraw: () => void) => {
      (element as LabelledCanvas).labelBoxes = placed.boxes;
      const text = placed.hidden === 0 ? "" : `${placed.hidden} ${placed.hidden === 1 ? "label" : "labels"} hidden: zoom in`;
      if (hiddenNote.current !== null && hiddenNote.current.textContent !== text) {
        const other = hiddenNote.current.textContent?.length !== text.length;
        hiddenNote.current.textContent = text;
        takenAt = -1;
        if (other && ++again < 4) redraw(); // once more: the note takes room itself
      } else again = 0;
    };
    (element as LabelledCanvas).agentPlaces = () => {
      const bytes = shown.current?.picture ?? null;
      const c = camera.current;
      const places = bytes === null ? [] : listAgents(bytes).map((one) => [one, findPlace(bytes, one)!] as const);
      return Object.fromEntries(places.map(([one, [x, y]]) => [one, [width / 2 + (x - c.x) * c.scale, height / 2 - (y - c.y) * c.scale]]));
    };
    labelling.current = { taken: takenNow, tell: (placed) => tellLabels(placed, askSpace) };
    const askSpace = () => {
      if (spaceAsked === 0)
        spaceAsked = requestAnimationFrame(() => {
          spaceAsked = 0;
          space.current?.render();
        });
    };
    const draw = () => timed(drawNow);
    const drawNow = () => {
      asked = 0;
      if (space.current !== null && shown.current?.picture != null) {
        const colors = { styles: store.hello?.styles.map(styleColor) ?? [], paper: themeColor("paper"), ink: themeColor("ink"), hidden: store.hidden };
        const began = performance.now();
        space.current.show(shown.current.picture, colors, shown.current.selected);
        element.dataset.drawMs = (performance.now() - began).toFixed(2);
        element.dataset.tick = String(pictureTick(shown.current.picture)); // for tests
        store.backend.acknowledge(shown.current.session.session);
        return;
      }
      const ratio = window.devicePixelRatio || 1;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.fillStyle = themeColor("paper");
      context.fillRect(0, 0, width, height);
      // A diagram, a table or a board has no metres.
      const metres = shown.current?.session.capabilities?.includes("diagram") !== true;
      context.canvas.dataset.metres = String(metres); // for tests
      const scale = metres ? drawGrid(context, camera.current, width, height) : null;
      (element as LabelledCanvas).scaleBox = scale;
      const bytes = shown.current?.picture ?? null;
      if (shown.current === null || bytes === null) return;
      const began = performance.now();
      const placed = drawPicture(context, bytes, camera.current, width, height, paletteOf(store, shown.current), shown.current.selected, scale === null ? takenNow() : [...takenNow(), scale]);
      const sight = { x: (x: number) => width / 2 + (x - camera.current.x) * camera.current.scale, y: (y: number) => height / 2 - (y - camera.current.y) * camera.current.scale, scale: camera.current.scale, width, height };
      for (const one of overlaysOf(shown.current.session.session)) one.draw?.(context, sight);
      context.globalAlpha = 1;
      tellLabels(placed, ask);
      element.dataset.drawMs = (performance.now() - began).toFixed(2);
      element.dataset.tick = String(pictureTick(bytes));
      store.backend.acknowledge(shown.current.session.session);
    };
    const ask = () => {
      if (shown.current !== null && shown.current.session.session !== fitted.current && width > 0) fit();
      if (asked === 0) asked = requestAnimationFrame(draw);
    };
    const fit = () => {
      if (shown.current === null) return;
      fitted.current = shown.current.session.session;
      const [x0, y0, x1, y1] = shown.current.session.view;
      camera.current = { x: (x0 + x1) / 2, y: (y0 + y1) / 2, scale: Math.min(width / (x1 - x0), height / (y1 - y0)) * 0.96 };
      ask();
    };
    const zoomAt = (factor: number, px: number, py: number) => {
      const c = camera.current;
      const scale = Math.max(1e-3, Math.min(1e5, c.scale * factor));
      // The world point under the pointer stays there.
      c.x += (px - width / 2) * (1 / c.scale - 1 / scale);
      c.y -= (py - height / 2) * (1 / c.scale - 1 / scale);
      c.scale = scale;
      touch();
      ask();
    };
    const toWorld = (px: number, py: number): [number, number] => [
      camera.current.x + (px - width / 2) / camera.current.scale,
      camera.current.y - (py - height / 2) / camera.current.scale,
    ];

    const resize = new ResizeObserver(() => {
      const ratio = window.devicePixelRatio || 1;
      width = box.current!.clientWidth;
      height = box.current!.clientHeight;
      element.width = Math.max(1, Math.round(width * ratio));
      element.height = Math.max(1, Math.round(height * ratio));
      takenAt = -1;
      fitted.current = untouched ? null : fitted.current; // a view that was not moved continues to show all
      ask();
    });
    resize.observe(box.current!);
    const spaceResize = new ResizeObserver(() => space.current?.resize(box.current!.clientWidth, box.current!.clientHeight));
    spaceResize.observe(box.current!);

    // Pointers: one drags, two pinch, one that hardly moved clicks.
    const pointers = new Map<number, { x: number; y: number }>();
    let moved = 0;
    const pointOf = (event: PointerEvent | WheelEvent | MouseEvent) => {
      const rect = element.getBoundingClientRect();
      return { x: event.clientX - rect.left, y: event.clientY - rect.top };
    };
    // What a panel drew over the picture comes first.
    const over = () => overlaysOf(shown.current?.session.session);
    const slack = () => 10 / camera.current.scale;
    let taker: Overlay | null = null;
    element.onpointerdown = (event) => {
      element.setPointerCapture(event.pointerId);
      const at = pointOf(event);
      pointers.set(event.pointerId, at);
      if (pointers.size === 1) moved = 0;
      store.activate(place);
      taker = pointers.size === 1 ? (over().find((one) => one.down?.(toWorld(at.x, at.y), slack())) ?? null) : null;
    };
    element.onpointerleave = () => over().forEach((one) => one.hover?.(null, 0));
    element.onpointermove = (event) => {
      const before = pointers.get(event.pointerId);
      const now = pointOf(event);
      if (before === undefined) {
        hover.moved(store, shown.current, toWorld(now.x, now.y));
        return over().forEach((one) => one.hover?.(toWorld(now.x, now.y), slack()));
      }
      if (taker !== null) {
        moved += Math.hypot(now.x - before.x, now.y - before.y);
        pointers.set(event.pointerId, now);
        if (moved > CLICK_SLOP) taker.drag?.(toWorld(now.x, now.y));
        return ask();
      }
      if (pointers.size === 1) {
        touch();
        camera.current.x -= (now.x - before.x) / camera.current.scale;
        camera.current.y += (now.y - before.y) / camera.current.scale;
      } else {
        const other = [...pointers].find(([id]) => id !== event.pointerId)![1];
        const from = Math.hypot(before.x - other.x, before.y - other.y);
        const to = Math.hypot(now.x - other.x, now.y - other.y);
        if (from > 0 && to > 0) zoomAt(to / from, (now.x + other.x) / 2, (now.y + other.y) / 2);
      }
      moved += Math.hypot(now.x - before.x, now.y - before.y);
      pointers.set(event.pointerId, now);
      ask();
    };
    element.onpointerup = (event) => {
      const single = pointers.size === 1;
      const at = pointOf(event);
      pointers.delete(event.pointerId);
      const taken = taker;
      taker = null;
      if (taken !== null && moved > CLICK_SLOP) taken.up?.(toWorld(at.x, at.y));
      else if (single && moved <= CLICK_SLOP) click(at.x, at.y, event.shiftKey);
    };
    element.onpointercancel = (event) => {
      taker = null;
      pointers.delete(event.pointerId);
    };
    element.onwheel = (event) => {
      event.preventDefault();
      const at = pointOf(event);
      zoomAt(Math.pow(ZOOM_STEP, -event.deltaY / 100), at.x, at.y);
    };
    const click = (px: number, py: number, shift: boolean) => {
      const [x, y] = toWorld(px, py);
      const picture = shown.current?.picture ?? null;
      if (!store.pointing && over().some((one) => one.click?.([x, y], slack()))) return;
      const agent = picture === null ? null : findAgent(picture, x, y, 14 / camera.current.scale);
      if (store.pointing) return store.askWhyNot(agent !== null && agent !== shown.current?.selected ? { agent } : { point: [x, y] });
      if (agent !== null) return store.select(agent);
      const command = (shift ? pointerOf(store, "Shift Pointer") : undefined) ?? pointerOf(store);
      if (command !== undefined && store.writable) return store.command(command.name, [x, y]);
      store.select(null);
    };

    asker.current = ask;
    const self: View = {
      fit: () => {
        untouched = true;
        fit();
        report.whole(shown.current);
        space.current?.fit();
      },
      zoom: (factor) => (space.current !== null ? space.current.zoom(factor) : zoomAt(factor, width / 2, height / 2)),
    };
    views.add(self);
    const silence = onRedraw(ask);
    return () => {
      cancelAnimationFrame(spaceAsked);
      cancelAnimationFrame(asked); // the page may have gone to the gallery meanwhile
      asker.current = null;
      silence();
      resize.disconnect();
      spaceResize.disconnect();
      views.delete(self);
    };
  }, [store, place]);

  useEffect(() => {
    if (pane === null) return;
    pane.pictureListener = asker.current;
    asker.current?.();
    return () => {
      pane.pictureListener = null;
    };
  }, [pane]);

  // What shows space is loaded when it is needed first; without WebGL the picture stays flat.
  useEffect(() => {
    if (!spatial) return;
    let gone = false;
    const address = "/space.js";
    (import(/* @vite-ignore */ address) as Promise<typeof import("./space")>)
      .then((module) => {
        if (gone || spaceBox.current === null) return;
        const made = new module.Space(spaceBox.current, (agent, point) => {
          if (store.pointing) return store.askWhyNot(agent !== null ? { agent } : { point: point ?? [0, 0] });
          // A command for a place means the flat picture; from above that has the same x and y.
          const command = shown.current?.session.capabilities?.includes("above") === true ? pointerOf(store) : undefined;
          if (agent === null && point !== null && command !== undefined && store.writable) return store.command(command.name, point);
          store.select(agent);
        }, () => labelling.current?.taken() ?? [], (placed) => labelling.current?.tell(placed));
        space.current = made;
        (spaceBox.current as SpaceBox).space = made;
        made.resize(box.current!.clientWidth, box.current!.clientHeight);
        asker.current?.();
      })
      .catch(() => {
        store.toggleFlat(true);
        store.say("This browser cannot show space; the picture is flat.", "error");
      });
    return () => {
      gone = true;
      space.current?.dispose();
      space.current = null;
    };
  }, [spatial, pane?.session.session]);

  const session = pane?.session;
  const pointer = session?.commands?.find((one) => one.key === "Pointer");
  const two = store.panes.length > 1;
  return (
    <div class={two && store.active === place ? "view active" : "view"} ref={box}>
      <canvas ref={canvas} role="img" aria-label={`${session?.title ?? "Nothing"}, tick ${session?.tick ?? 0}`} />
      {spatial && <div class="space" ref={spaceBox} />}
      {two && (
        <div class="pane-name">
          <strong>{"AB"[place]}</strong> {`seed ${session?.seed} · tick ${session?.tick}`}
          {place === 1 && <button onClick={() => store.closeBeside()} aria-label="Close B" title="Close this one">×</button>}
        </div>
      )}
      {place === 0 && <div class="view-tools">
        <button onClick={() => view.zoom(ZOOM_STEP)} aria-label="Zoom in" title="Zoom in (+)">+</button>
        <button onClick={() => view.zoom(1 / ZOOM_STEP)} aria-label="Zoom out" title="Zoom out (-)">−</button>
        <button onClick={() => view.fit()} aria-label="Show all" title="Show all (0)">⤢</button>
        {session?.capabilities?.includes("spatial") && <button aria-pressed={spatial} onClick={() => store.toggleFlat()} title="In space, or flat">3D</button>}
        <button ref={layers.button} onClick={() => setLayersOpen(!layersOpen)} aria-expanded={layersOpen} title="What is drawn">Layers</button>
        {layersOpen && (
          <div class="layers" ref={layers.box} role="group" aria-label="Layers">
            {store.hello?.layers.map((name, i) => (
              <label>
                <input type="checkbox" checked={!store.hidden[i]} onChange={() => store.toggleLayer(i)} /> {name}
              </label>
            ))}
            <label>
              <input type="checkbox" checked={store.agentNames} onChange={() => store.toggleNames()} /> agents' ids
            </label>
            <Legend store={store} pane={pane} />
          </div>
        )}
      </div>}
      {store.writable && !two && <Hint store={store} pane={pane} pointer={pointer?.help} />}
      {pane !== null && !spatial && session?.capabilities?.includes("tactics") && <MapLegend store={store} pane={pane} />}
      <div class="hidden-labels" role="status" ref={hiddenNote} />
    </div>
  );
}

// The colours of the simulation on this page's background, kept until the theme or the connection changes.
let palette: Palette | null = null;
let paletteKey = "";
let colorsOfMaps: MapColors | null = null;
function paletteOf(store: Store, pane: Pane): Palette {
  const styles = store.hello?.styles ?? [];
  const key = `${styles.length} ${themeColor("paper")}`;
  if (palette === null || key !== paletteKey) palette = { styles: styles.map(styleColor), texts: styles.map((one) => textColor(one.color)), ink: themeColor("ink"), paper: themeColor("paper"), hidden: [], names: false };
  if (key !== paletteKey || colorsOfMaps === null) colorsOfMaps = mapColors(store.hello);
  paletteKey = key;
  const names = new Set(shownMaps(pane.session.session, listMaps(pane.picture)).map((one) => one.name));
  palette.drawMap = (context, bytes, at, left, top, scale) => {
    const map = readMap(bytes, at);
    if (names.has(map.name)) drawMap(context, map, left, top, scale, colorsOfMaps!);
  };
  palette.hidden = store.hidden;
  palette.names = store.agentNames;
  return palette;
}

// Where the controls over a picture are, in its own pixels: labels keep out of there.
function takenIn(view: HTMLElement): Box[] {
  const origin = view.getBoundingClientRect();
  return [...view.querySelectorAll<HTMLElement>(".view-tools > *, .view-hint, .pane-name, .hidden-labels, .map-legend")]
    .map((one) => one.getBoundingClientRect())
    .filter((one) => one.width > 0)
    .map((one) => ({ x0: one.left - origin.left - 2, y0: one.top - origin.top - 2, x1: one.right - origin.left + 2, y1: one.bottom - origin.top + 2 }));
}

// For tests: the scene behind the box.
interface SpaceBox extends HTMLDivElement {
  space?: Space;
}

// For tests: what the last picture drew as text and where, where its scale in metres is, and where the agents of the
// flat picture are.
interface LabelledCanvas extends HTMLCanvasElement {
  labelBoxes?: Box[];
  scaleBox?: Box | null;
  agentPlaces?: () => Record<string, [number, number]>;
}

// The command that takes the place of a click.
const pointerOf = (store: Store, key = "Pointer") => store.session?.commands?.find((one) => one.key === key && one.value === "vec2");

// What a click does here; nothing is said of agents where there are none.
function Hint({ store, pane, pointer }: { store: Store; pane: Pane | null; pointer: string | undefined }) {
  if (store.pointing) return <div class="view-hint lit">Click the agent or the place that was not chosen.</div>;
  if (pane !== null && store.showsSpace(pane)) {
    const places = pointer !== undefined && pane.session.capabilities?.includes("above") === true;
    return <div class="view-hint">{`Drag to turn the scene; click an agent to ask it why${places ? `; elsewhere: ${pointer}` : ""}`}</div>;
  }
  const agents = pane?.picture != null && listAgents(pane.picture).length > 0;
  if (!agents && pointer === undefined) return null;
  return <div class="view-hint">{`${agents ? "Click an agent to ask it why" : ""}${agents && pointer !== undefined ? "; elsewhere: " : ""}${pointer === undefined ? "" : agents ? pointer : `Click: ${pointer}`}`}</div>;
}

// What the colours of the picture mean: those that are in it.
function Legend({ store, pane }: { store: Store; pane: Pane | null }) {
  const used = pane?.picture == null ? [] : listStyles(pane.picture);
  const keys = pane?.picture == null ? new Map<number, string>() : listKeys(pane.picture);
  return (
    <ul class="legend" aria-label="Legend">
      {used.map((style) => (
        <li key={style}>
          <i style={{ background: styleColor(store.hello?.styles[style] ?? { name: "", color: "" }) }} /> {keys.get(style) ?? store.hello?.styles[style]?.meaning ?? store.hello?.styles[style]?.name}
        </li>
      ))}
    </ul>
  );
}

// Lines at 1, 2 or 5 times a power of ten metres, 40 pixels apart at least, and the scale in the lower left corner.
// Returns where that is.
function drawGrid(context: CanvasRenderingContext2D, camera: Camera, width: number, height: number): Box {
  const raw = 40 / camera.scale;
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = power * (raw / power <= 2 ? 2 : raw / power <= 5 ? 5 : 10);
  const x0 = camera.x - width / 2 / camera.scale;
  const y0 = camera.y - height / 2 / camera.scale;
  context.lineWidth = 1;
  context.strokeStyle = themeColor("grid");
  context.beginPath();
  for (let x = Math.ceil(x0 / step) * step; (x - x0) * camera.scale < width; x += step) {
    const px = Math.round((x - x0) * camera.scale) + 0.5;
    context.moveTo(px, 0);
    context.lineTo(px, height);
  }
  for (let y = Math.ceil(y0 / step) * step; (y - y0) * camera.scale < height; y += step) {
    const py = Math.round(height - (y - y0) * camera.scale) + 0.5;
    context.moveTo(0, py);
    context.lineTo(width, py);
  }
  context.stroke();
  context.fillStyle = themeColor("soft");
  context.font = "11px system-ui, sans-serif";
  const words = `${Number(step.toPrecision(1))} m`;
  context.fillText(words, 8, height - 8);
  context.fillRect(8, height - 6, step * camera.scale, 2);
  return { x0: 8, y0: height - 18, x1: 8 + Math.max(step * camera.scale, context.measureText(words).width), y1: height - 4 };
}
