import { TreeNode, Value } from "./backend";
import { Store } from "./store";

export function State({ store }: { store: Store }) {
  if (store.tree.length === 0) return <p class="empty">Nothing to describe yet.</p>;
  return (
    <div class="state">
      <p class="caption">
        {store.selected === null ? "Everything" : `Agent ${store.selected}`}, tick {store.treeTick}
        {store.selected !== null && <button onClick={() => store.select(null)}>show everything</button>}
      </p>
      <ul class="tree">
        {store.tree.map((node) => (
          <Node key={node.name} store={store} node={node} path="" />
        ))}
      </ul>
    </div>
  );
}

export function show(value: Value | undefined): string {
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  if (Array.isArray(value)) return `(${value.map((one) => show(one)).join(", ")})`;
  if (value === null || value === undefined) return "none";
  return String(value);
}

function Node({ store, node, path }: { store: Store; node: TreeNode; path: string }) {
  const at = `${path}/${node.name}`;
  if (node.children === undefined) {
    // The key changes with the value, so that the highlight starts anew with every change.
    return (
      <li class={`leaf ${node.mark}`}>
        <span class="name">{node.name.replace(/_/g, " ")}</span>
        <span class={store.changed.has(at) ? "value changed" : "value"} key={show(node.value)}>
          {show(node.value)}
        </span>
      </li>
    );
  }
  const owner = node.owner;
  return (
    <li>
      <details open={node.children.length <= 40}>
        <summary>
          {node.name.replace(/_/g, " ")}
          {owner !== undefined && store.selected !== owner && (
            <button
              class="link"
              onClick={(event) => {
                event.preventDefault();
                store.select(owner);
              }}
            >
              select
            </button>
          )}
        </summary>
        <ul>
          {node.children.map((child) => (
            <Node key={child.name} store={store} node={child} path={at} />
          ))}
        </ul>
      </details>
    </li>
  );
}
