// A level as objects over the picture of the running game, beside its text. Every edit is an edit of the text, which
// keeps all else that is in it; the objects are read from the text again, so both always say the same.
import { useEffect, useRef, useState } from "preact/hooks";
import { GraphProps } from "./graph_tree";
import { addLine, hitLevel, Hit, ITEMS, LevelObject, lineOf, moveObject, readLevel, removeObject, snapped, Spot, takesTwo, Tool, TOOLS } from "./level_text";
import { addOverlay, redrawOverlays, Sight } from "./overlay";
import { Draft } from "./parameters";
import { themeColor } from "./theme";

const GRIDS = [0.5, 0.25, 1, 0];

type Drag = { hit: Hit; from: Spot; by: Spot } | { tool: Exclude<Tool, "select">; from: Spot; to: Spot };

export function LevelGraph({ text, off, cursor, edit, reveal, undo, redo, session }: GraphProps & { session: number }) {
  const [tool, setTool] = useState<Tool>("select");
  const [item, setItem] = useState(ITEMS[0]);
  const [grid, setGrid] = useState(GRIDS[0]);
  const [line, setLine] = useState<number | null>(null);
  const drag = useRef<Drag | null>(null);
  const first = useRef<Spot | null>(null); // of two clicks
  const objects = readLevel(text);
  const selected = objects.find((one) => one.line === line) ?? null;
  const now = useRef({ text, objects, tool, item, grid, line, off });
  now.current = { text, objects, tool, item, grid, line, off };

  const choose = (object: LevelObject | null) => {
    setLine(object?.line ?? null);
    if (object !== null) reveal(object.start, object.end);
  };
  // The object whose line the cursor of the text is in.
  useEffect(() => {
    const at = objects.find((one) => cursor >= one.start && cursor <= one.end);
    if (at !== undefined) setLine(at.line);
  }, [cursor]);
  const add = (from: Spot, to: Spot) => {
    const { text: before, tool: kind, item: what } = now.current;
    if (kind === "select") return;
    const made = addLine(before, lineOf(before, kind, from, to, what));
    edit(made.text);
    setLine(made.text.slice(0, made.start).split("\n").length - 1);
  };
  const remove = () => {
    if (selected === null || off) return;
    edit(removeObject(text, selected));
    setLine(null);
  };
  const snap = (at: Spot): Spot => snapped(at, now.current.grid);
  const act = useRef({ choose, add });
  act.current = { choose, add };

  useEffect(
    () =>
      addOverlay({
        session,
        draw: (context, sight) => drawLevel(context, sight, now.current.objects, now.current.line, drag.current, first.current),
        down: (at, slack) => {
          const { tool: kind, objects: all, line: chosen, off: locked } = now.current;
          if (locked) return false;
          if (kind === "select") {
            const hit = hitLevel(all, at, slack, chosen);
            drag.current = hit === null ? null : { hit, from: at, by: [0, 0] };
          } else drag.current = { tool: kind, from: snap(at), to: snap(at) };
          return drag.current !== null;
        },
        drag: (at) => {
          const held = drag.current;
          if (held === null) return;
          if ("tool" in held) held.to = snap(at);
          else {
            const base = held.hit.object.handles[Math.max(0, held.hit.handle)].at;
            const to = snap([base[0] + at[0] - held.from[0], base[1] + at[1] - held.from[1]]);
            held.by = [to[0] - base[0], to[1] - base[1]];
          }
        },
        up: () => {
          const held = drag.current;
          drag.current = null;
          if (held === null) return;
          if ("tool" in held) return act.current.add(held.from, held.to);
          act.current.choose(held.hit.object);
          if (held.by[0] !== 0 || held.by[1] !== 0) edit(moveObject(now.current.text, held.hit.object, held.hit.handle, held.by));
        },
        click: (at, slack) => {
          drag.current = null;
          const { tool: kind, objects: all, line: chosen, off: locked } = now.current;
          if (kind === "select" || locked) {
            const hit = hitLevel(all, at, slack, chosen);
            if (hit !== null) act.current.choose(hit.object);
            return hit !== null;
          }
          if (takesTwo(kind) && first.current === null) first.current = snap(at);
          else {
            const from = first.current ?? snap(at);
            first.current = null;
            act.current.add(from, snap(at));
          }
          redrawOverlays();
          return true;
        },
      }),
    [session],
  );
  useEffect(redrawOverlays, [text, line, tool]);
  useEffect(() => void (first.current = null), [tool]);

  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Delete" && selected !== null) remove();
    else if (event.key === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey) undo?.();
    else if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && event.shiftKey) redo?.();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="graph level-graph" onKeyDown={onKey}>
      <div class="toolbar" role="group" aria-label="Objects of the level">
        {TOOLS.map(([one, help]) => (
          <button key={one} aria-pressed={tool === one} disabled={off} title={help} onClick={() => setTool(one)}>
            {one}
          </button>
        ))}
      </div>
      <div class="toolbar">
        <button disabled={off || selected === null} onClick={remove} title="Remove the selected object (Delete)">Delete</button>
        <button disabled={off || undo === null} onClick={() => undo?.()} title="Ctrl Z among these controls">Undo edit</button>
        <button disabled={off || redo === null} onClick={() => redo?.()} title="Ctrl Shift Z among these controls">Redo edit</button>
        {tool === "item" && (
          <label>
            kind{" "}
            <select aria-label="Kind of item" value={item} onChange={(event) => setItem(event.currentTarget.value)}>
              {ITEMS.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
        )}
        <label>
          grid{" "}
          <select aria-label="Grid" value={grid} onChange={(event) => setGrid(Number(event.currentTarget.value))}>
            {GRIDS.map((one) => (
              <option key={one} value={one}>{one === 0 ? "none" : `${one} m`}</option>
            ))}
          </select>
        </label>
      </div>
      {/* As high with an object as without, so that the text stays where it is. */}
      <div class="graph-settings level-object">
        {selected === null ? (
          <span class="empty">{tool === "select" ? "Click an object in the picture, or its line in the text." : TOOLS.find(([one]) => one === tool)![1] + "."}</span>
        ) : (
          <>
            <strong>{`${selected.kind}${selected.name !== "" ? ` ${selected.name}` : ""}, line ${selected.line + 1}`}</strong>
            {selected.handles.slice(0, 2).map((one, i) =>
              (["x", "y"] as const).map((axis, k) => (
                <label key={`${i}${axis}`}>
                  {`${axis}${selected.handles.length > 1 ? i : ""}`}{" "}
                  <Draft id={`level-${i}${axis}`} off={off} text={one[axis].text} accept={(value) => Number.isFinite(Number(value)) && value.trim() !== "" && edit(moveObject(text, selected, i, k === 0 ? [Number(value) - one.at[0], 0] : [0, Number(value) - one.at[1]]))} />
                </label>
              )),
            )}
          </>
        )}
      </div>
    </div>
  );
}

// --- over the picture ---

function drawLevel(context: CanvasRenderingContext2D, sight: Sight, objects: LevelObject[], line: number | null, drag: Drag | null, first: Spot | null): void {
  const at = (spot: Spot): Spot => [sight.x(spot[0]), sight.y(spot[1])];
  context.globalAlpha = 1;
  context.setLineDash([]);
  for (const object of objects) {
    const moved = drag !== null && "hit" in drag && drag.hit.object.line === object.line ? drag : null;
    const places = object.handles.map((one, i): Spot => (moved !== null && (moved.hit.handle < 0 || moved.hit.handle === i) ? at([one.at[0] + moved.by[0], one.at[1] + moved.by[1]]) : at(one.at)));
    const chosen = object.line === line || moved !== null;
    context.strokeStyle = context.fillStyle = themeColor(chosen ? "accent" : object.kind === "wall" ? "soft" : "orange");
    context.lineWidth = chosen ? 3 : 1;
    if (places.length > 1) segment(context, places[0], places[1]);
    if (object.radius > 0) {
      context.beginPath();
      context.arc(places[0][0], places[0][1], object.radius * sight.scale, 0, 2 * Math.PI);
      context.stroke();
    }
    for (const [x, y] of places) {
      const size = chosen ? 5 : 3;
      context.fillRect(x - size, y - size, 2 * size, 2 * size);
    }
  }
  context.strokeStyle = context.fillStyle = themeColor("accent");
  context.lineWidth = 2;
  if (drag !== null && "tool" in drag) {
    context.setLineDash([6, 4]);
    segment(context, at(drag.from), at(takesTwo(drag.tool) ? drag.to : drag.from));
    context.setLineDash([]);
  }
  if (first !== null) {
    const [x, y] = at(first);
    context.fillRect(x - 5, y - 5, 10, 10);
  }
}

function segment(context: CanvasRenderingContext2D, from: Spot, to: Spot): void {
  context.beginPath();
  context.moveTo(from[0], from[1]);
  context.lineTo(to[0], to[1]);
  context.stroke();
}
