import { useState } from "preact/hooks";
import { treeKeys, useTreeStop } from "./focus";
import { TreeNode, Value } from "./backend";
import { asNumber, Pane, Path } from "./pane";
import { Store } from "./store";
import { viewFor } from "./views";

// Larger groups are closed at first, and what is closed is not rendered: a crowd has thousands of values.
const OPEN_MAX = 40;

export function State({ store }: { store: Store }) {
  const pane = store.pane;
  if (pane === null || pane.tree.length === 0) return <p class="empty">Nothing to describe yet.</p>;
  return (
    <div class="state">
      <p class="caption">
        <span>{`${pane.selected === null ? "Everything" : `Agent ${pane.selected}`}, tick ${pane.treeTick}`}</span>
        {pane.selected !== null && <button onClick={() => store.select(null)}>show everything</button>}
      </p>
      <Tree store={store} pane={pane} nodes={pane.tree} />
    </div>
  );
}

// A described tree, or a part of one. `at` and `path` say where it is in the whole.
export function Tree({ store, pane, nodes, at = "", path = [], label = "Values" }: { store: Store; pane: Pane; nodes: TreeNode[]; at?: string; path?: Path; label?: string }) {
  const stop = useTreeStop();
  return (
    <ul class="tree" role="tree" aria-label={label} ref={stop} onKeyDown={treeKeys}>
      {nodes.map((node, i) => (
        <Node key={`${i} ${node.name}`} store={store} pane={pane} node={node} at={at} path={path} />
      ))}
    </ul>
  );
}

export function show(value: Value | undefined): string {
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  if (Array.isArray(value)) return `(${value.map((one) => show(Number(one.toPrecision(4)))).join(", ")})`;
  if (value === null || value === undefined) return "none";
  return String(value);
}

// Whole numbers come as text. One that no double holds is never a quantity: it is the digest of a large part of the state, which shows
// whether that part changed, or the largest number, which stands for "no limit".
const EXACT = 15;
export const isDigest = (value: Value | undefined, type: string | undefined): boolean =>
  typeof value === "string" && (type === "u64" || type === "i64") && value.replace("-", "").length > EXACT;

export function showTyped(value: Value | undefined, type: string | undefined): string {
  if (!isDigest(value, type)) return show(value);
  const number = BigInt(value as string);
  if (number === 2n ** 63n - 1n || number === 2n ** 64n - 1n) return "no limit";
  return `digest ${BigInt.asUintN(64, number).toString(16).padStart(16, "0").slice(0, 8)}`;
}

// The names of values, in words.
export const nameOf = (name: string): string => (name === "rng" ? "random stream" : name.replace(/_/g, " "));

function Node({ store, pane, node, at, path }: { store: Store; pane: Pane; node: TreeNode; at: string; path: Path }) {
  const here = `${at}/${node.name}`;
  const [open, setOpen] = useState((node.children?.length ?? 0) <= OPEN_MAX);
  // Every number as it is, with its plot: what a view leaves out.
  const [plain, setPlain] = useState(false);
  if (node.children === undefined) {
    const full = [...path, node.name];
    const plots = asNumber(node.value, node.type) !== undefined && !isDigest(node.value, node.type) && pane.session.kind === "simulation";
    // The key changes with the value, so that the highlight restarts with every change.
    return (
      <li class={`leaf ${node.mark}`} role="treeitem" tabIndex={-1}>
        <span class="name">{nameOf(node.name)}</span>
        <span class={pane.changed.has(here) ? "value changed" : "value"} key={show(node.value)}>
          {showTyped(node.value, node.type)}
        </span>
        {plots && (
          <button class="pin" data-enter="" tabIndex={-1} aria-pressed={store.isPinned(full, node.value)} aria-label={`Plot ${node.name}`} title="Over time" onClick={() => store.togglePin(full, node.value)}>
            ∿
          </button>
        )}
      </li>
    );
  }
  const owner = node.owner;
  const view = plain ? null : viewFor(node);
  // Numbers of an agent are named from its group on, so that the path holds wherever the agent is.
  const down = owner !== undefined && !(path[0] ?? "").startsWith("@") ? [`@${owner}`] : [...path, node.name];
  return (
    <li role="treeitem" tabIndex={-1} aria-expanded={open}>
      <div class="branch">
        <span class="toggle" data-toggle="" onClick={() => setOpen(!open)}>
          <i aria-hidden="true">{open ? "▾" : "▸"}</i>
          {nameOf(node.name)} {view !== null && open && view.kind !== node.name && <small class="kind-of-view">{view.kind}</small>} {!open && <small>({node.children.length})</small>}
        </span>
          {owner !== undefined && pane.selected !== owner && (
            <button class="link" data-enter="" onClick={() => store.select(owner)}>
              select
            </button>
          )}
          {viewFor(node) !== null && open && (
            <button
              class="link plain"
              aria-pressed={plain}
              title="As a list of values"
              onClick={() => setPlain(!plain)}
            >
              {plain ? "view" : "values"}
            </button>
          )}
      </div>
      {open && view !== null && <view.View store={store} pane={pane} node={node} at={here} />}
      {open && view === null && (
        <ul class="tree" role="group">
          {node.children.map((one, i) => (
            <Node key={`${i} ${one.name}`} store={store} pane={pane} node={one} at={here} path={down} />
          ))}
        </ul>
      )}
    </li>
  );
}
