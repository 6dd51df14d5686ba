// A statechart as a graph beside its SCXML: states inside each other, every transition below the state it leaves, with an
// arrow to where it leads. As in a tree, every edit is an edit of the text.
import { useRef, useState } from "preact/hooks";
import { GraphProps } from "./graph_tree";
import { Draft } from "./parameters";
import { attributeOf, elementAt, insertElement, moveElement, removeElement, renameElement, scanXml, setAttribute, XmlElement } from "./xml_text";

const STATES = ["state", "parallel", "final", "history"];
const INDENT = 16;
const RIGHT = 250; // where arrows begin
const STATE_HIGH = 24;
const LINE_HIGH = 20;
const GAP = 6;
const LANE = 11;
const SLOP = 4;

interface Row {
  kind: "state" | "transition";
  element: XmlElement;
  key: string; // the indexes from the root on
  parent: Row | null;
  x: number;
  y: number;
  high: number;
  bottom: number; // of all that is inside
}

const isState = (element: XmlElement): boolean => STATES.includes(element.name);
const idOf = (element: XmlElement): string => attributeOf(element, "id") ?? "";
const targetsOf = (element: XmlElement): string[] => (attributeOf(element, "target") ?? "").split(/\s+/).filter((one) => one !== "");

function layOut(chart: XmlElement): { rows: Row[]; height: number } {
  const rows: Row[] = [];
  let y = 4;
  const walk = (element: XmlElement, key: string, depth: number, parent: Row | null): void => {
    const row: Row = { kind: isState(element) ? "state" : "transition", element, key, parent, x: 4 + depth * INDENT, y, high: isState(element) ? STATE_HIGH : LINE_HIGH, bottom: 0 };
    rows.push(row);
    y += row.high + (row.kind === "state" ? 2 : 0);
    element.children.forEach((child, i) => {
      if (child.name === "transition" || isState(child)) walk(child, `${key}.${i}`, depth + 1, row);
    });
    row.bottom = y;
    if (row.kind === "state") y += GAP;
  };
  chart.children.forEach((child, i) => isState(child) && walk(child, String(i), 0, null));
  return { rows, height: y + 4 };
}

// A lane for each arrow, so that those that overlap run beside each other.
function lanesOf(spans: [number, number][]): number[] {
  const ends: number[][] = [];
  return spans.map(([from, to]) => {
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    let lane = ends.findIndex((taken) => taken.every((other, i) => i % 2 === 1 || high < other - 2 || low > taken[i + 1] + 2));
    if (lane < 0) lane = ends.push([]) - 1;
    ends[lane].push(low, high);
    return lane;
  });
}

type Drag = { kind: "move" | "connect"; row: Row; x: number; y: number; fromX: number; fromY: number; moved: boolean; drop: { row: Row; where: "before" | "after" | "into" } | null };

export function ChartGraph({ text, off, cursor, edit, reveal, undo, redo }: GraphProps) {
  const svg = useRef<SVGSVGElement>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const lastCursor = useRef(cursor);
  const good = useRef(text);
  const scanned = scanXml(text);
  if (scanned !== null) good.current = text;
  const chart = (scanned ?? scanXml(good.current) ?? []).find((one) => one.name === "scxml");
  if (chart === undefined) return null;
  const { rows, height } = layOut(chart);
  const locked = off || scanned === null;
  const states = rows.filter((one) => one.kind === "state");
  const stateOf = (id: string): Row | undefined => states.find((one) => idOf(one.element) === id);
  let selected = rows.find((one) => one.key === chosen) ?? null;
  if (cursor !== lastCursor.current) {
    lastCursor.current = cursor;
    let there: XmlElement | null = elementAt([chart], cursor);
    while (there !== null && !rows.some((one) => one.element === there)) there = there.parent;
    const row = rows.find((one) => one.element === there);
    if (row !== undefined && row.key !== chosen) {
      selected = row;
      setChosen(row.key);
    }
  }
  const focusOn = (key: string) => requestAnimationFrame(() => svg.current?.querySelector<SVGElement>(`[data-key="${key}"]`)?.focus());
  const choose = (row: Row) => {
    setChosen(row.key);
    reveal(row.element.tag.start, row.element.tag.end);
  };
  const commit = (now: string | null, find?: (all: Row[]) => Row | undefined) => {
    if (now === null || locked || now === text) return;
    edit(now);
    const next = scanXml(now)?.find((one) => one.name === "scxml");
    if (next === undefined || find === undefined) return;
    const key = find(layOut(next).rows)?.key ?? null;
    setChosen(key);
    if (key !== null && svg.current?.contains(document.activeElement)) focusOn(key);
  };
  const sameState = (id: string) => (all: Row[]) => all.find((one) => one.kind === "state" && idOf(one.element) === id);
  const quote = chart.attributes[0]?.quote ?? '"';
  const parentOf = (row: Row): XmlElement => row.parent?.element ?? chart;
  const indexOf = (row: Row): number => parentOf(row).children.indexOf(row.element);

  const move = (row: Row, parent: XmlElement, index: number) => {
    const now = moveElement(text, row.element, parent, index);
    commit(now, row.kind === "state" ? sameState(idOf(row.element)) : undefined);
  };
  // From a state to another: behind the transitions that it has, because the first that fits is taken.
  const connect = (from: Row, to: Row) => {
    const own = from.element.children;
    const index = own.reduce((last, one, i) => (one.name === "transition" ? i + 1 : last), 0);
    const block = `<transition event=${quote}change${quote} target=${quote}${idOf(to.element)}${quote}/>`;
    commit(insertElement(text, from.element, index, block), (all) => all.find((one) => one.key === `${from.key}.${index}`));
  };
  // A state goes with the transitions that lead to it or into it: without it they would be faults.
  const remove = (row: Row) => {
    const inside = (one: Row): boolean => one === row || (one.parent !== null && inside(one.parent));
    const ids = row.kind === "state" ? states.filter(inside).map((one) => idOf(one.element)) : [];
    const gone = rows.filter((one) => one === row || (one.kind === "transition" && !inside(one) && targetsOf(one.element).some((id) => ids.includes(id))));
    let now = text;
    for (const one of gone.sort((a, b) => b.element.start - a.element.start)) now = removeElement(now, one.element);
    commit(now, (all) => all.find((one) => one.key === row.parent?.key));
  };
  // A new name reaches every place that uses the old one.
  const rename = (row: Row, id: string) => {
    const old = idOf(row.element);
    if (!/^[\w.-]+$/.test(id) || old === id) return;
    const spans: { start: number; end: number; by: string }[] = [];
    const walk = (element: XmlElement) => {
      for (const one of element.attributes) {
        const own = element === row.element && one.name === "id";
        const names = own || one.name === "target" || one.name === "initial";
        const by = own ? id : names ? one.value.split(/(\s+)/).map((word) => (word === old ? id : word)).join("") : one.value.replace(/In\((['"])([^'"]*)\1\)/g, (all, mark, name) => (name === old ? `In(${mark}${id}${mark})` : all));
        if (by !== one.value) spans.push({ ...one.inside, by });
      }
      element.children.forEach(walk);
    };
    walk(chart);
    let now = text;
    for (const one of spans.sort((a, b) => b.start - a.start)) now = now.slice(0, one.start) + one.by + now.slice(one.end);
    commit(now, sameState(id));
  };
  const add = () => {
    let id = "new";
    for (let i = 2; stateOf(id) !== undefined; i++) id = `new${i}`;
    const into = selected?.kind === "transition" ? selected.parent : selected;
    const inner = into !== null && (into.element.name === "parallel" || into.element.children.some(isState));
    const parent = into === null ? chart : inner ? into.element : parentOf(into);
    const index = into === null || inner ? parent.children.length : indexOf(into) + 1;
    commit(insertElement(text, parent, index, `<state id=${quote}${id}${quote}/>`), sameState(id));
  };

  // --- pointers ---

  const pointOf = (event: PointerEvent) => {
    const rect = svg.current!.getBoundingClientRect();
    return { x: event.clientX - rect.left, y: event.clientY - rect.top };
  };
  const begin = (event: PointerEvent, row: Row, kind: Drag["kind"]) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    svg.current!.setPointerCapture(event.pointerId);
    const { x, y } = pointOf(event);
    setDrag({ kind, row, x, y, fromX: x, fromY: y, moved: false, drop: null });
  };
  const dropAt = (dragged: Drag, y: number): Drag["drop"] => {
    const row = states.find((one) => y >= one.y - 2 && y <= one.y + one.high + 2);
    if (row === undefined) return null;
    if (dragged.kind === "connect" || dragged.row.kind === "transition") return { row, where: "into" };
    const inside = (one: Row | null): boolean => one !== null && (one === dragged.row || inside(one.parent));
    if (inside(row)) return null;
    const share = (y - row.y) / row.high;
    return { row, where: share < 0.3 ? "before" : share > 0.7 && !row.element.children.some(isState) ? "after" : "into" };
  };
  const onMove = (event: PointerEvent) => {
    if (drag === null) return;
    const { x, y } = pointOf(event);
    const moved = drag.moved || Math.hypot(x - drag.fromX, y - drag.fromY) > SLOP;
    setDrag({ ...drag, x, y, moved, drop: moved && !locked ? dropAt(drag, y) : null });
  };
  const onUp = () => {
    if (drag === null) return;
    setDrag(null);
    if (!drag.moved) {
      choose(drag.row);
      focusOn(drag.row.key);
      return;
    }
    if (drag.drop === null) return;
    const { row, where } = drag.drop;
    if (drag.kind === "connect") connect(drag.row, row);
    else if (drag.row.kind === "transition") commit(setAttribute(text, drag.row.element, "target", idOf(row.element)), (all) => all.find((one) => one.key === drag.row.key));
    else if (where === "into") move(drag.row, row.element, row.element.children.length);
    else move(drag.row, parentOf(row), indexOf(row) + (where === "after" ? 1 : 0));
  };

  const onKey = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      return event.shiftKey ? redo?.() : undo?.();
    }
    const row = selected ?? rows[0];
    if (row === undefined || event.ctrlKey || event.metaKey) return;
    const at = rows.indexOf(row);
    const siblings = rows.filter((one) => one.parent === row.parent && one.kind === row.kind);
    const own = siblings.indexOf(row);
    const go = (to: Row | null | undefined) => {
      if (to == null) return;
      choose(to);
      focusOn(to.key);
    };
    const plain: Record<string, () => void> = {
      ArrowDown: () => go(rows[at + 1]),
      ArrowUp: () => go(rows[at - 1]),
      ArrowLeft: () => go(row.parent),
      ArrowRight: () => go(rows.find((one) => one.parent === row)),
      Home: () => go(rows[0]),
      End: () => go(rows[rows.length - 1]),
      Delete: () => remove(row),
      Enter: () => document.querySelector<HTMLElement>(".graph-settings input, .graph-settings select")?.focus(),
    };
    const alt: Record<string, () => void> = {
      ArrowUp: () => own > 0 && move(row, parentOf(row), indexOf(siblings[own - 1])),
      ArrowDown: () => own + 1 < siblings.length && move(row, parentOf(row), indexOf(siblings[own + 1]) + 1),
    };
    const action = (event.altKey ? alt : plain)[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };

  const arrows = rows.filter((one) => one.kind === "transition").flatMap((row) => targetsOf(row.element).map((id) => ({ row, to: stateOf(id) }))).filter((one): one is { row: Row; to: Row } => one.to !== undefined);
  const lanes = lanesOf(arrows.map(({ row, to }) => [row.y + row.high / 2, to.y + to.high / 2]));
  const width = RIGHT + (Math.max(0, ...lanes) + 2) * LANE + 14;
  const stop = selected ?? rows[0];
  return (
    <div class="graph" data-nodes={states.length}>
      <div class="toolbar">
        <button disabled={locked} onClick={add} title="Inside the chosen state if it has states, else behind it">+ state</button>
        <button disabled={locked || selected === null} onClick={() => selected !== null && remove(selected)} title="Remove it with all inside and what leads there (Delete)">Delete</button>
        <button disabled={locked || undo === null} onClick={() => undo?.()} title="Ctrl Z in the graph">Undo edit</button>
        <button disabled={locked || redo === null} onClick={() => redo?.()} title="Ctrl Shift Z in the graph">Redo edit</button>
      </div>
      <div class="graph-box">
        <svg ref={svg} width={width} height={height} role="tree" aria-label="Statechart" class={locked ? "locked" : ""} onPointerMove={onMove} onPointerUp={onUp} onPointerCancel={() => setDrag(null)} onKeyDown={onKey}>
          <defs>
            <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
              <path class="arrow-head" d="M0 0L8 4L0 8z" />
            </marker>
          </defs>
          {states.map((one) => (
            <rect key={`b${one.key}`} class={`state-box ${one.element.name}`} x={one.x} y={one.y} width={RIGHT - 8 - one.x - (one.x - 4) / 4} height={one.bottom - one.y} rx="6" />
          ))}
          {arrows.map(({ row, to }, i) => {
            const x = RIGHT + (lanes[i] + 1) * LANE;
            const [from, end] = [row.y + row.high / 2, to.y + to.high / 2];
            return <path key={`a${row.key} ${i}`} class={row === selected ? "edge chosen-edge" : "edge"} d={`M${RIGHT - 12} ${from}H${x}V${end}H${RIGHT - 6}`} marker-end="url(#arrow)" />;
          })}
          {rows.map((one) => {
            const event = attributeOf(one.element, "event");
            const cond = attributeOf(one.element, "cond");
            const target = attributeOf(one.element, "target") ?? "";
            const label = one.kind === "state" ? `${one.element.name === "state" ? "" : `${one.element.name} `}${idOf(one.element)}` : `${event ?? ""}${cond === undefined ? "" : ` [${cond}]`} → ${target === "" ? "·" : target}`;
            const drop = drag?.drop?.row === one ? drag.drop.where : "";
            const first = one.kind === "state" && attributeOf(parentOf(one), "initial") === idOf(one.element);
            const wide = RIGHT - 12 - one.x;
            return (
              <g
                key={one.key}
                class={`node ${one.kind}-row ${one === selected ? "chosen" : ""} ${drop === "into" ? "drop-into" : ""}`}
                role="treeitem"
                aria-level={one.key.split(".").length}
                aria-selected={one === selected}
                aria-label={`${first ? "● " : ""}${label}, ${one.kind === "state" ? `${one.element.name}${first ? ", first" : ""}` : "transition"}`}
                tabindex={one === stop ? 0 : -1}
                data-key={one.key}
                data-title={one.kind === "state" ? idOf(one.element) : label}
                transform={`translate(${one.x} ${one.y})`}
                onPointerDown={(pressed) => begin(pressed, one, "move")}
              >
                <title>{label}</title>
                <rect class="hit" width={wide} height={one.high} rx="5" />
                <text x="8" y={one.high / 2 + 4}>{`${first ? "● " : ""}${label}`.slice(0, Math.max(8, Math.floor((wide - 14) / 6.2)))}</text>
                {one.kind === "state" && !locked && <circle class="port" cx={wide - 4} cy={one.high / 2} r="5" onPointerDown={(pressed) => begin(pressed, one, "connect")}><title>Drag to a state for a transition to it</title></circle>}
                {drop === "before" && <line class="drop-line" x1="0" x2={wide} y1="-3" y2="-3" />}
                {drop === "after" && <line class="drop-line" x1="0" x2={wide} y1={one.high + 3} y2={one.high + 3} />}
              </g>
            );
          })}
          {drag?.moved && <line class="drop-line" x1={drag.fromX} y1={drag.fromY} x2={drag.x} y2={drag.y} />}
        </svg>
      </div>
      {scanned === null && <p class="empty">The text is not well-formed; this is the chart before.</p>}
      {selected !== null && (
        <div class="graph-settings">
          {selected.kind === "state" && (
            <>
              <label>
                kind{" "}
                <select id="graph-kind" disabled={locked} value={selected.element.name} onChange={(event) => commit(renameElement(text, selected!.element, event.currentTarget.value), sameState(idOf(selected!.element)))}>
                  {STATES.map((one) => <option key={one}>{one}</option>)}
                </select>
              </label>
              <label>
                id <Draft id="graph-id" off={locked} text={idOf(selected.element)} accept={(id) => rename(selected!, id)} />
              </label>
              {selected.element.children.some(isState) && selected.element.name === "state" && (
                <label>
                  initial{" "}
                  <select disabled={locked} value={attributeOf(selected.element, "initial") ?? ""} onChange={(event) => commit(setAttribute(text, selected!.element, "initial", event.currentTarget.value || null), sameState(idOf(selected!.element)))}>
                    <option value="">the first</option>
                    {selected.element.children.filter(isState).map((one) => <option key={idOf(one)}>{idOf(one)}</option>)}
                  </select>
                </label>
              )}
            </>
          )}
          {selected.kind === "transition" && (
            <>
              {["event", "cond"].map((name) => (
                <label key={name}>
                  {name} <Draft id={`graph-${name}`} off={locked} text={attributeOf(selected!.element, name) ?? ""} accept={(value) => commit(setAttribute(text, selected!.element, name, value === "" ? null : value), (all) => all.find((one) => one.key === selected!.key))} />
                </label>
              ))}
              <label>
                target{" "}
                <select disabled={locked} value={attributeOf(selected.element, "target") ?? ""} onChange={(event) => commit(setAttribute(text, selected!.element, "target", event.currentTarget.value || null), (all) => all.find((one) => one.key === selected!.key))}>
                  <option value="">none</option>
                  {states.map((one) => <option key={one.key}>{idOf(one.element)}</option>)}
                </select>
              </label>
            </>
          )}
        </div>
      )}
    </div>
  );
}
