// A chain of command: tiers with the orders in effect, and the last orders and reports between them.
import { TreeNode } from "./backend";
import { show } from "./state";
import { Store } from "./store";
import { child, groupsOf, numberOf, valueOf } from "./views";

export interface Command {
  name: string;
  tiers: TreeNode[];
  log: TreeNode[];
}

// Every group of a description that has tiers and a log of what passed between them.
export function commandsIn(tree: TreeNode[]): Command[] {
  const found: Command[] = [];
  const walk = (nodes: TreeNode[]) => {
    for (const node of nodes) {
      const [tiers, log] = [child(node, "tiers"), child(node, "log")];
      if (tiers?.children !== undefined && log?.children !== undefined) found.push({ name: node.name, tiers: groupsOf(tiers), log: groupsOf(log) });
      else if (node.children !== undefined) walk(node.children);
    }
  };
  walk(tree);
  return found;
}

const depthOf = (tiers: TreeNode[], i: number): number => {
  let depth = 0;
  for (let at = numberOf(tiers[i], "parent") ?? -1; at >= 0 && at < tiers.length && depth < 8; at = numberOf(tiers[at], "parent") ?? -1) depth++;
  return depth;
};

const orderText = (order: TreeNode): string => {
  const place = valueOf(order, "place");
  return `${String(valueOf(order, "kind") ?? "order").replace(/_/g, " ")}${Array.isArray(place) && (place[0] !== 0 || place[1] !== 0) ? ` ${show(place.map((one) => Number(one.toFixed(1))))}` : ""}`;
};

export function Tiers({ store, command }: { store: Store; command: Command }) {
  const { tiers, log } = command;
  // From the top down, each tier under the one above it.
  const order: number[] = [];
  const add = (parent: number) => tiers.forEach((one, i) => (numberOf(one, "parent") ?? -1) === parent && (order.push(i), add(i)));
  add(-1);
  return (
    <section class="command">
      <h4>{command.name.replace(/_/g, " ")}</h4>
      <ul class="tiers">
        {order.map((i) => {
          const tier = tiers[i];
          const orders = groupsOf(child(tier, "orders") ?? tier).filter((one) => child(one, "kind") !== undefined);
          const gone = valueOf(tier, "gone") === true;
          const doing = valueOf(tier, "doing");
          return (
            <li key={i} class={gone ? "gone" : ""} style={{ paddingLeft: `${depthOf(tiers, i) * 16}px` }}>
              {tier.owner !== undefined ? <button class="link" onClick={() => store.select(tier.owner!)}>{tier.name}</button> : <strong>{tier.name}</strong>}
              <small>{gone ? "lost" : String(valueOf(tier, "scheme") ?? "")}</small>
              <span class="orders">{orders.length > 0 ? orders.map(orderText).join("; ") : doing !== undefined ? String(doing) : "no order"}</span>
            </li>
          );
        })}
      </ul>
      <h5>orders ↓ and reports ↑</h5>
      {log.length === 0 && <p class="empty">None so far.</p>}
      <ol class="command-log">
        {log.map((one, i) => {
          const report = valueOf(one, "report");
          const time = numberOf(one, "time");
          const reason = valueOf(one, "reason");
          const place = valueOf(one, "place");
          return (
            <li key={i} class={report !== undefined ? "report" : "order"}>
              {time !== null && <span class="time">{`${time.toFixed(2)} s`}</span>}
              <span>
                {report !== undefined ? "↑" : "↓"} {`${String(valueOf(one, "from"))} → ${String(valueOf(one, "to"))}`}
              </span>
              <strong>{String(report ?? valueOf(one, "order")).replace(/_/g, " ")}</strong>
              {(reason !== undefined || Array.isArray(place)) && <small>{`${reason !== undefined ? String(reason) : ""}${Array.isArray(place) ? ` ${show(place.map((part) => Number(part.toFixed(1))))}` : ""}`}</small>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
