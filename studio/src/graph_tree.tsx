// A behavior tree as a graph beside its text. Every edit is an edit of the text, which keeps all else that is in it; the
// graph is read from the text again, so both always say the same.
import { useRef, useState } from "preact/hooks";
import { Draft } from "./parameters";
import { attributeOf, elementAt, insertElement, moveElement, removeElement, renameElement, scanXml, setAttribute, XmlElement } from "./xml_text";

const BRANCHES = ["Sequence", "Fallback", "ReactiveSequence", "ReactiveFallback", "SequenceWithMemory", "Parallel", "ParallelAll", "ShuffledSequence", "ShuffledFallback", "IfThenElse", "WhileDoElse"];
const DECORATORS = ["Inverter", "ForceSuccess", "ForceFailure", "Repeat", "RetryUntilSuccessful", "Timeout", "Delay", "RunOnce", "KeepRunningUntilFailure"];
// Settings without which a decorator is no decorator.
const NEEDED: Record<string, string> = { Repeat: ' num_cycles="2"', RetryUntilSuccessful: ' num_attempts="2"', Timeout: ' msec="1000"', Delay: ' delay_msec="1000"', Parallel: ' success_count="-1" failure_count="1"' };
const WIDE = 96;
const HIGH = 24;
const COLUMN = WIDE + 22;
const ROW = HIGH + 8;
const SLOP = 4; // pixels a pointer may move and still be a click

interface Node {
  element: XmlElement;
  path: string; // the indexes from the root on, as text
  x: number;
  y: number;
  parent: Node | null;
  branch: boolean;
}

const isBranch = (element: XmlElement): boolean => BRANCHES.includes(element.name) || DECORATORS.includes(element.name) || element.children.length > 0;

// From left to right: a row for each leaf, a branch beside its first child.
function layOut(root: XmlElement): Node[] {
  const nodes: Node[] = [];
  let row = 0;
  const walk = (element: XmlElement, path: string, depth: number, parent: Node | null): void => {
    const node: Node = { element, path, x: depth * COLUMN + 4, y: row * ROW + 4, parent, branch: isBranch(element) };
    nodes.push(node);
    element.children.forEach((child, i) => walk(child, path === "" ? String(i) : `${path}.${i}`, depth + 1, node));
    if (element.children.length === 0) row++;
  };
  root.children.forEach((child, i) => walk(child, String(i), 0, null));
  return nodes;
}

const titleOf = (element: XmlElement): string => attributeOf(element, "name") ?? attributeOf(element, "ID") ?? element.name;
const KIND_SIGNS: Record<string, string> = { Sequence: "→", Fallback: "?", ReactiveSequence: "R→", ReactiveFallback: "R?", Parallel: "⇉", ParallelAll: "⇉", ShuffledSequence: "~→", ShuffledFallback: "~?", Inverter: "¬" };

type Drop = { node: Node; where: "before" | "after" | "into" } | null;
type Drag = { kind: "move" | "connect"; node: Node; x: number; y: number; fromX: number; fromY: number; moved: boolean; drop: Drop };

export interface GraphProps {
  text: string;
  off: boolean;
  cursor: number; // place in the text
  edit: (text: string) => void;
  reveal: (start: number, end: number) => void;
  undo: (() => void) | null;
  redo: (() => void) | null;
}

export function TreeGraph({ text, off, cursor, edit, reveal, undo, redo }: GraphProps) {
  const svg = useRef<SVGSVGElement>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [which, setWhich] = useState(0);
  const lastCursor = useRef(cursor);
  const good = useRef<string>(text);
  const scanned = scanXml(text);
  if (scanned !== null) good.current = text;
  const roots = scanned ?? scanXml(good.current) ?? [];
  const trees = (roots.find((one) => one.name === "root")?.children ?? roots).filter((one) => one.name === "BehaviorTree");
  if (trees.length === 0) return null;
  const tree = trees[Math.min(which, trees.length - 1)];
  const nodes = layOut(tree);
  const locked = off || scanned === null;
  // The place in the text chooses the node there, and the other way round.
  let selected = nodes.find((one) => one.path === chosen) ?? null;
  if (cursor !== lastCursor.current) {
    lastCursor.current = cursor;
    const there = elementAt([tree], cursor);
    const node = nodes.find((one) => one.element === there);
    if (node !== undefined && node.path !== chosen) {
      selected = node;
      setChosen(node.path);
    }
  }
  const choose = (node: Node) => {
    setChosen(node.path);
    reveal(node.element.tag.start, node.element.tag.end);
  };
  // After an edit the element is found again by what it was in the new text.
  const commit = (now: string | null, find?: (all: Node[]) => Node | undefined) => {
    if (now === null || locked) return;
    edit(now);
    const again = scanXml(now);
    const next = (again?.find((one) => one.name === "root")?.children ?? again ?? []).filter((one) => one.name === "BehaviorTree")[which];
    if (next === undefined || find === undefined) return;
    const path = find(layOut(next))?.path ?? null;
    setChosen(path);
    // The focus goes with the node.
    if (path !== null && svg.current?.contains(document.activeElement)) requestAnimationFrame(() => svg.current?.querySelector<SVGElement>(`[data-path="${path}"]`)?.focus());
  };
  const same = (node: Node) => {
    const own = good.current.slice(node.element.start, node.element.end).replace(/\s+/g, " ");
    return (all: Node[], now: string) => all.find((one) => now.slice(one.element.start, one.element.end).replace(/\s+/g, " ") === own);
  };
  const move = (node: Node, parent: XmlElement, index: number) => {
    const now = moveElement(text, node.element, parent, index);
    if (now !== null) commit(now, (all) => same(node)(all, now));
  };
  const parentOf = (node: Node): XmlElement => node.parent?.element ?? tree;
  const indexOf = (node: Node): number => parentOf(node).children.indexOf(node.element);
  const remove = (node: Node) => {
    const parent = node.parent;
    commit(removeElement(text, node.element), (all) => all.find((one) => one.path === parent?.path));
    svg.current?.focus();
  };
  const add = (name: string) => {
    if (name === "") return;
    const like = nodes.find((one) => one.element.name === name && !one.branch);
    const attributes = like === undefined ? ` name="${name.toLowerCase()}"${NEEDED[name] ?? ""}` : like.element.attributes.map((one) => ` ${one.name}=${one.quote}${text.slice(one.inside.start, one.inside.end)}${one.quote}`).join("");
    const into = selected === null ? (nodes[0]?.branch ? nodes[0] : null) : selected.branch ? selected : selected.parent;
    const parent = into?.element ?? tree;
    const index = selected !== null && !selected.branch ? indexOf(selected) + 1 : parent.children.length;
    const path = into === null ? String(index) : `${into.path}.${index}`;
    commit(insertElement(text, parent, index, `<${name}${attributes}/>`), (all) => all.find((one) => one.path === path));
  };

  // --- pointers ---

  const pointOf = (event: PointerEvent) => {
    const rect = svg.current!.getBoundingClientRect();
    return { x: event.clientX - rect.left, y: event.clientY - rect.top };
  };
  const inside = (node: Node, outer: Node): boolean => node === outer || (node.parent !== null && inside(node.parent, outer));
  const dropAt = (dragged: Drag, x: number, y: number): Drop => {
    const node = nodes.find((one) => x >= one.x && x <= one.x + WIDE && y >= one.y - 3 && y <= one.y + HIGH + 3);
    if (node === undefined) return null;
    if (dragged.kind === "connect") return inside(dragged.node, node) ? null : { node, where: "into" };
    if (inside(node, dragged.node)) return null;
    const share = (y - node.y) / HIGH;
    return { node, where: node.branch && share > 0.3 && share < 0.7 ? "into" : share < 0.5 ? "before" : "after" };
  };
  const begin = (event: PointerEvent, node: Node, kind: Drag["kind"]) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    svg.current!.setPointerCapture(event.pointerId);
    const { x, y } = pointOf(event);
    setDrag({ kind, node, x, y, fromX: x, fromY: y, moved: false, drop: null });
  };
  const onMove = (event: PointerEvent) => {
    if (drag === null) return;
    const { x, y } = pointOf(event);
    const moved = drag.moved || Math.hypot(x - drag.fromX, y - drag.fromY) > SLOP;
    setDrag({ ...drag, x, y, moved, drop: moved && !locked ? dropAt(drag, x, y) : null });
  };
  const onUp = () => {
    if (drag === null) return;
    setDrag(null);
    if (!drag.moved) {
      choose(drag.node);
      svg.current?.querySelector<SVGElement>(`[data-path="${drag.node.path}"]`)?.focus();
      return;
    }
    if (drag.drop === null) return;
    const { node, where } = drag.drop;
    if (drag.kind === "connect") move(node, drag.node.element, drag.node.element.children.length);
    else if (where === "into") move(drag.node, node.element, node.element.children.length);
    else move(drag.node, parentOf(node), indexOf(node) + (where === "after" ? 1 : 0));
  };

  // --- keys: those of a tree, and with Alt they move the node itself ---

  const onKey = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      return event.shiftKey ? redo?.() : undo?.();
    }
    const node = selected ?? nodes[0];
    if (node === undefined || event.ctrlKey || event.metaKey) return;
    const at = nodes.indexOf(node);
    const siblings = nodes.filter((one) => one.parent === node.parent);
    const own = siblings.indexOf(node);
    const go = (to: Node | undefined) => {
      if (to === undefined) return;
      choose(to);
      svg.current?.querySelector<SVGElement>(`[data-path="${to.path}"]`)?.focus();
    };
    const plain: Record<string, () => void> = {
      ArrowDown: () => go(nodes[at + 1]),
      ArrowUp: () => go(nodes[at - 1]),
      ArrowRight: () => go(nodes.find((one) => one.parent === node)),
      ArrowLeft: () => go(node.parent ?? undefined),
      Home: () => go(nodes[0]),
      End: () => go(nodes[nodes.length - 1]),
      Delete: () => remove(node),
      Enter: () => document.getElementById("graph-kind")?.focus(),
    };
    const alt: Record<string, () => void> = {
      ArrowUp: () => own > 0 && move(node, parentOf(node), own - 1),
      ArrowDown: () => own + 1 < siblings.length && move(node, parentOf(node), own + 2),
      ArrowLeft: () => node.parent !== null && move(node, parentOf(node.parent), indexOf(node.parent) + 1),
      ArrowRight: () => own > 0 && siblings[own - 1].branch && move(node, siblings[own - 1].element, siblings[own - 1].element.children.length),
    };
    const action = (event.altKey ? alt : plain)[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };

  const width = Math.max(...nodes.map((one) => one.x)) + WIDE + 12;
  const height = Math.max(...nodes.map((one) => one.y)) + HIGH + 8;
  const leaves = [...new Set(nodes.filter((one) => !one.branch).map((one) => one.element.name))];
  const stop = selected ?? nodes[0];
  return (
    <div class="graph" data-nodes={nodes.length}>
      <div class="toolbar">
        {trees.length > 1 && (
          <select aria-label="Tree" value={String(which)} onChange={(event) => setWhich(Number(event.currentTarget.value))}>
            {trees.map((one, i) => <option key={i} value={String(i)}>{attributeOf(one, "ID") ?? `tree ${i + 1}`}</option>)}
          </select>
        )}
        <select aria-label="Add a node" value="" disabled={locked} onChange={(event) => { add(event.currentTarget.value); event.currentTarget.value = ""; event.currentTarget.blur(); }}>
          <option value="">+ node</option>
          {([["Leaves", leaves], ["Branches", BRANCHES], ["Decorators", DECORATORS]] as const).map(([label, all]) => (
            <optgroup key={label} label={label}>{all.map((one) => <option key={one}>{one}</option>)}</optgroup>
          ))}
        </select>
        <button disabled={locked || selected === null} onClick={() => selected !== null && remove(selected)} title="Remove the node with all below it (Delete)">Delete</button>
        <button disabled={locked || undo === null} onClick={() => undo?.()} title="Ctrl Z in the graph">Undo edit</button>
        <button disabled={locked || redo === null} onClick={() => redo?.()} title="Ctrl Shift Z in the graph">Redo edit</button>
      </div>
      <div class="graph-box">
        <svg ref={svg} width={width} height={height} role="tree" aria-label="Behavior tree" class={locked ? "locked" : ""} onPointerMove={onMove} onPointerUp={onUp} onPointerCancel={() => setDrag(null)} onKeyDown={onKey}>
          {nodes.filter((one) => one.parent !== null).map((one) => {
            const from = one.parent!;
            const middle = from.x + WIDE + 9;
            return <path key={`e${one.path}`} class="edge" d={`M${from.x + WIDE} ${from.y + HIGH / 2}H${middle}V${one.y + HIGH / 2}H${one.x}`} />;
          })}
          {nodes.map((one) => {
            const title = titleOf(one.element);
            const sign = KIND_SIGNS[one.element.name] ?? "";
            const drop = drag?.drop?.node === one ? drag.drop.where : "";
            return (
              <g
                key={one.path}
                class={`node ${one.branch ? "branch-node" : "leaf-node"} ${one === selected ? "chosen" : ""} ${drop === "into" ? "drop-into" : ""}`}
                role="treeitem"
                aria-level={one.path.split(".").length}
                aria-selected={one === selected}
                aria-expanded={one.branch ? true : undefined}
                aria-label={`${sign === "" ? "" : sign + " "}${title}, ${one.element.name}`}
                tabindex={one === stop ? 0 : -1}
                data-path={one.path}
                data-title={title}
                transform={`translate(${one.x} ${one.y})`}
                onPointerDown={(event) => begin(event, one, "move")}
              >
                <title>{`${one.element.name}: ${title}`}</title>
                <rect width={WIDE} height={HIGH} rx="5" />
                <text x="6" y="16">{`${sign === "" ? "" : sign + " "}${title}`.slice(0, 15)}</text>
                {one.branch && !locked && <circle class="port" cx={WIDE} cy={HIGH / 2} r="5" onPointerDown={(event) => begin(event, one, "connect")}><title>Drag to a node to make it a child</title></circle>}
                {drop === "before" && <line class="drop-line" x1="0" x2={WIDE} y1="-4" y2="-4" />}
                {drop === "after" && <line class="drop-line" x1="0" x2={WIDE} y1={HIGH + 4} y2={HIGH + 4} />}
              </g>
            );
          })}
          {drag?.moved && drag.kind === "connect" && <line class="drop-line" x1={drag.node.x + WIDE} y1={drag.node.y + HIGH / 2} x2={drag.x} y2={drag.y} />}
          {drag?.moved && drag.kind === "move" && <rect class="ghost" x={drag.x - 20} y={drag.y - HIGH / 2} width={WIDE} height={HIGH} rx="5" />}
        </svg>
      </div>
      {scanned === null && <p class="empty">The text is not well-formed; this is the tree before.</p>}
      {selected !== null && (
        <div class="graph-settings">
          <label>
            kind{" "}
            <select id="graph-kind" disabled={locked} value={selected.element.name} onChange={(event) => commit(renameElement(text, selected!.element, event.currentTarget.value), (all) => all.find((one) => one.path === selected!.path))}>
              {[...new Set([selected.element.name, ...(selected.branch ? [...BRANCHES, ...DECORATORS] : leaves)])].map((one) => <option key={one}>{one}</option>)}
            </select>
          </label>
          {selected.element.attributes.map((one) => (
            <label key={`${selected!.path} ${one.name}`}>
              {one.name}{" "}
              <Draft id={`graph-${one.name}`} off={locked} text={one.value} accept={(value) => commit(setAttribute(text, selected!.element, one.name, value), (all) => all.find((other) => other.path === selected!.path))} />
            </label>
          ))}
        </div>
      )}
    </div>
  );
}
