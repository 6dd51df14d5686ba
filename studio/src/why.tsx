import { ComponentChildren } from "preact";
import { Mark, TreeNode } from "./backend";
import { Decided } from "./decided";
import { useGrowing } from "./growing";
import { Pane, Path } from "./pane";
import { show, Tree } from "./state";
import { Store } from "./store";
import { Board, child, viewFor } from "./views";

const CHANGES_MAX = 6;

export function Why({ store }: { store: Store }) {
  if (store.session?.kind === "live") return <p class="empty">A live program is watched from outside; it keeps no reasons to ask for.</p>;
  return (
    <div class="why">
      {store.panes.map((pane, i) => (
        <Answer key={`${pane.session.session} ${pane.selected}`} store={store} pane={pane} name={store.panes.length > 1 ? "AB"[i] : ""} />
      ))}
    </div>
  );
}

// One run's answer: what was decided, then what the agent is in, and what it senses, knows, aims at and does.
function Answer({ store, pane, name }: { store: Store; pane: Pane; name: string }) {
  const agent = pane.selected;
  const ready = agent === null || (pane.heardTree && (pane.heardWhy || pane.tick === 0));
  return (
    <section class="answer">
      <p class="caption">
        {name !== "" && <strong class="pane-letter">{name}</strong>}
        {/* One text: of several the later ones would move when a number gets a digit more. */}
        <span>{`${agent === null ? "Everybody" : `Agent ${agent}`}${agent !== null && pane.tree.length > 0 ? ` · ${pane.tree[0].name}` : ""}, tick ${pane.decisionsTick < 0 ? pane.tick : pane.decisionsTick}`}</span>
        {agent !== null ? <button onClick={() => store.select(null)} title="Show all agents">all</button> : <button onClick={() => store.selectNext(1)}>pick one</button>}
      </p>
      {ready && <Decided store={store} pane={pane} named={agent === null} />}
      {agent !== null && ready && <Chain store={store} pane={pane} />}
    </section>
  );
}

function Link({ title, empty = false, children }: { title: string; empty?: boolean; children: ComponentChildren }) {
  const box = useGrowing<HTMLDivElement>();
  return (
    <div ref={box} class={empty ? "link-of-chain faint" : "link-of-chain"}>
      <h4>{title}</h4>
      {children}
    </div>
  );
}

// --- the chain: groups of the agent's description, sorted by what they are about ---

type Step = "sensed" | "knows" | "wants" | "does";
const WORDS: [Step, RegExp][] = [
  ["sensed", /sens|percept|memory|sees|sight|hear|smell|telegram|message|waiting|lives|visible|threat|distance/i],
  ["wants", /goal|motive|desire|plan|insist|agenda|wish|target|home/i],
  ["does", /steer|force|velocity|speed|position|orientation|rotation|route|path|search|body|action|linear|angular|motor|kick/i],
];
function stepOf(node: TreeNode): Step {
  return WORDS.find(([, words]) => words.test(node.name))?.[0] ?? "knows";
}

interface Part {
  node: TreeNode;
  at: string;
  path: Path;
}

// Machines and trees have separate views; everything else is a list of values under its step.
function partsOf(pane: Pane): { steps: Record<Step, Part[]>; machines: Part[]; trees: Part[]; board: Part[] } {
  const steps: Record<Step, Part[]> = { sensed: [], knows: [], wants: [], does: [] };
  const machines: Part[] = [];
  const trees: Part[] = [];
  const boards: Part[] = []; // values of an agent whose own group is a blackboard
  const sort = (nodes: TreeNode[], at: string, path: Path, board: boolean) => {
    for (const node of nodes) {
      const part = { node, at, path };
      if (node.children !== undefined && isTree(node)) trees.push(part);
      else if (node.children !== undefined && isMachine(node)) machines.push(part);
      else if (node.children === undefined && (node.name === "state" || node.name === "doing" || isInternal(node))) continue;
      else if (board && node.children === undefined) boards.push(part);
      else steps[kindStep(node)].push(part);
    }
  };
  for (const root of pane.tree) {
    if (root.children === undefined) continue;
    if (isTree(root)) trees.push({ node: root, at: "", path: [] });
    else if (pane.tree.indexOf(root) > 0) steps[kindStep(root)].push({ node: root, at: "", path: [] });
    else sort(root.children, `/${root.name}`, [`@${root.owner}`], child(root, "#changes") !== undefined);
  }
  return { steps, machines, trees, board: boards };
}

// Streams of random numbers, hashes and empty names say nothing about an agent; the panel State has them.
const isInternal = (node: TreeNode): boolean => /random stream|^rng|hash|^seed$|^key$/i.test(node.name) || /^#0*$/.test(String(node.value));

// A group with a separate view belongs where its kind does, whatever it is called.
const KIND_STEPS: Record<string, Step> = { goals: "wants", strategy: "wants", blackboard: "knows", messages: "sensed", message: "sensed", search: "does", route: "does", forces: "does" };
function kindStep(node: TreeNode): Step {
  const kind = node.children === undefined ? undefined : viewFor(node)?.kind;
  return kind === undefined ? stepOf(node) : KIND_STEPS[kind];
}

const isTree = (node: TreeNode): boolean => {
  const first = child(child(node, "nodes") ?? node, "0");
  return first !== undefined && child(first, "status") !== undefined && child(first, "kind") !== undefined;
};
const isMachine = (node: TreeNode): boolean => child(node, "changes") !== undefined && (child(node, "state") !== undefined || child(node, "states") !== undefined);

function Chain({ store, pane }: { store: Store; pane: Pane }) {
  const { steps, machines, trees, board } = partsOf(pane);
  const states = statesOf(pane, machines);
  return (
    <>
      {(states.now !== null || states.changes.length > 0) && <MachineView store={store} {...states} />}
      {machines.filter((one) => child(one.node, "states") !== undefined).map((one) => <ActiveStates key={one.node.name} node={child(one.node, "states")!} />)}
      {trees.map((one) => (
        <TreeView key={one.at + one.node.name} node={one.node} />
      ))}
      <Parts store={store} pane={pane} title="sensed" parts={steps.sensed} />
      <Parts store={store} pane={pane} title="goals" parts={steps.wants} />
      {board.length > 0 && (
        <Link title="blackboard">
          <Board store={store} pane={pane} node={{ name: "", children: board.map((one) => one.node) }} at={board[0].at} />
        </Link>
      )}
      <Parts store={store} pane={pane} title="knows" parts={steps.knows} />
      <Parts store={store} pane={pane} title="does" parts={steps.does} />
    </>
  );
}

function Parts({ store, pane, title, parts }: { store: Store; pane: Pane; title: string; parts: Part[] }) {
  if (parts.length === 0) return null;
  return (
    <Link title={title}>
      {parts.map((one, i) => (
        <Tree key={i} store={store} pane={pane} nodes={[one.node]} at={one.at} path={one.path} />
      ))}
    </Link>
  );
}

// --- a state machine: the states that were seen, the present one lit, how it came to it ---

interface States {
  now: string | null;
  previous: string | null;
  seen: string[];
  changes: { tick: number; from: string | null; to: string }[];
}

function statesOf(pane: Pane, machines: Part[]): States {
  const root = pane.tree[0];
  const text = (node: TreeNode | undefined, ...names: string[]): string | null => {
    for (const name of names) {
      const value = node === undefined ? undefined : child(node, name)?.value;
      if (typeof value === "string" && value !== "") return value;
    }
    return null;
  };
  const inner = machines.map((one) => one.node).find((one) => text(one, "state") !== null);
  const now = text(root, "doing", "state") ?? text(inner, "state");
  const seen = new Set<string>();
  const changes: States["changes"] = [];
  for (const mark of pane.marks) {
    const to = stateOf(mark);
    if (to === null || mark[2] !== pane.selected) continue;
    seen.add(to);
    if (mark[0] <= pane.tick && changes[changes.length - 1]?.to !== to) changes.push({ tick: mark[0], from: changes[changes.length - 1]?.to ?? null, to });
  }
  if (now !== null) seen.add(now);
  const previous = text(inner, "previous") ?? changes[changes.length - 1]?.from ?? null;
  return { now, previous, seen: [...seen].sort(), changes: changes.slice(-CHANGES_MAX).reverse() };
}

// A mark that shows a state: one read from the description, or the outcome of a machine's decision.
function stateOf([, kind, , text]: Mark): string | null {
  if (kind === "state") return text;
  const found = kind === "decision" ? /^(?:state|transition): (.*)$/.exec(text) : null;
  return found === null ? null : found[1];
}

function MachineView({ store, now, previous, seen, changes }: States & { store: Store }) {
  return (
    <Link title="state">
      <div class="machine">
        {seen.map((one) => (
          <span class={one === now ? "chip now" : one === previous ? "chip before" : "chip"} key={one}>
            {one}
          </span>
        ))}
      </div>
      <ol class="changes">
        {changes.map((one) => (
          <li key={one.tick}>
            <button class="link" disabled={!store.writable} onClick={() => store.seek(one.tick)}>
              {one.tick}
            </button>
            {one.from ?? "·"} → <strong>{one.to}</strong>
          </li>
        ))}
      </ol>
    </Link>
  );
}

function ActiveStates({ node }: { node: TreeNode }) {
  return (
    <div class="machine">
      {node.children?.map((one) => (
        <span class={child(one, "active")?.value === true ? "chip now" : "chip"} key={one.name}>
          {one.name}
        </span>
      ))}
    </div>
  );
}

// --- a behavior tree, with the status of every node ---

const STATUS_SIGNS: Record<string, string> = { running: "▶", success: "✔", failure: "✘", skipped: "–", idle: "·" };

function TreeView({ node }: { node: TreeNode }) {
  const nodes = (child(node, "nodes") ?? node).children?.filter((one) => child(one, "status") !== undefined) ?? [];
  const depth: number[] = [];
  nodes.forEach((one, i) => {
    const parent = Number(child(one, "parent")?.value ?? -1);
    depth[i] = parent >= 0 && parent < i ? depth[parent] + 1 : 0;
  });
  return (
    <Link title="tree">
      <ul class="bt">
        {nodes.map((one, i) => {
          const status = String(child(one, "status")?.value ?? "idle");
          const kind = show(child(one, "kind")?.value);
          const name = String(child(one, "name")?.value ?? "");
          return (
            <li class={status} style={{ paddingLeft: `${depth[i] * 14}px` }} key={i} title={`${kind}: ${status}`}>
              <span class="sign">{STATUS_SIGNS[status] ?? "·"}</span> {name !== "" ? name : kind} {name !== "" && name !== kind && <small>{kind}</small>}
            </li>
          );
        })}
      </ul>
    </Link>
  );
}
