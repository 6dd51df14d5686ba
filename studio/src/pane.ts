// One run on the page: a session with everything that was heard of it. The page shows one pane, or two side by side.
import { BackendEvent, Costs, Decision, Mark, Session, Told, TreeNode, Value, Values } from "./backend";
import { findPlace } from "./picture";

// A described number over time, as far as it is known: ticks ascend.
export interface Series {
  ticks: number[];
  values: (number | null)[];
}

// What a path through the description leads to, from an agent's group ("@2:1") or from the outermost ones.
export type Path = string[];
export const pathKey = (path: Path): string => path.join("\u001f");

interface Order {
  play: boolean;
  answered: boolean;
}

export class Pane {
  selected: string | null = null;
  forked = false; // a second run beside the first
  set: string[] = []; // parameters given at its start, as in the address
  tree: TreeNode[] = [];
  treeTick = -1;
  changed = new Set<string>();
  decisions: Decision[] = [];
  decisionsTick = -1;
  decided: Told | null = null; // in the tick shown, or the last time before it
  before: Told | null = null; // and the time before that
  // Whether the selected agent's description and reasons have come: before that nothing of either is shown, or what
  // comes second would push the first about.
  heardTree = false;
  heardWhy = false;
  marks: Mark[] = [];
  // What every tick cost: entry i is that of `every` ticks from `from + i * every` on.
  costs: Costs & { from: number; every: number } = { from: 0, every: 1, least: [], most: [], units: [], put_off: [] };
  // The tick at which a value was seen to be another than before, by its place in the tree.
  changedAt = new Map<string, number>();
  series = new Map<string, Series>();
  picture: DataView | null = null;
  pictureListener: (() => void) | null = null;
  private values = new Map<string, string>();
  // Parameters that were sent and are not answered yet, the oldest first.
  private sent: Values[] = [];
  // Whether the last command was to play or to pause, until the run's state confirms it.
  private ordered: Order | null = null;

  constructor(public session: Session) {}

  get tick(): number {
    return this.session.tick ?? 0;
  }
  get end(): number {
    return this.session.end ?? 0;
  }

  // Takes over the contents of a state event. A record that became shorter was cut: what came after never happened.
  takeState(rest: Partial<Session>): void {
    this.session = { ...this.session, ...rest };
    for (const values of this.sent) this.put(values); // this state was sent before they arrived
    if (rest.playing !== undefined && this.ordered?.answered) this.ordered = null;
    const { end } = this.session;
    if (rest.end !== undefined && end !== undefined) {
      for (const one of this.series.values()) {
        while (one.ticks.length > 0 && one.ticks[one.ticks.length - 1] > end) {
          one.ticks.pop();
          one.values.pop();
        }
      }
    }
  }

  // Shows parameters that are being sent. The function that comes back is called with the answer.
  send(values: Values): () => void {
    this.sent.push(values);
    this.put(values);
    return () => void this.sent.splice(this.sent.indexOf(values), 1);
  }
  private put(values: Values): void {
    if (this.session.kind === "simulation") this.session = { ...this.session, pending: { ...this.session.pending, ...values } };
    else this.session = { ...this.session, params: { ...this.session.params, ...values } };
  }

  // Whether it plays, or will as soon as it has heard of it.
  get plays(): boolean {
    return this.ordered?.play ?? this.session.playing === true;
  }
  // Likewise with its answer: false if the order was refused.
  order(play: boolean): (good: boolean) => void {
    const order: Order = { play, answered: false };
    this.ordered = order;
    return (good) => {
      order.answered = true;
      if (!good && this.ordered === order) this.ordered = null;
    };
  }

  // Removes old marks and appends new ones.
  takeCosts(from: number, every: number, first: number, more: Costs): void {
    const costs = this.costs;
    costs.from = from;
    costs.every = every;
    for (const key of ["least", "most", "units", "put_off"] as const) {
      costs[key].length = Math.min(costs[key].length, first);
      for (const value of more[key]) costs[key].push(value);
    }
  }

  takeMarks(from: number, marks: Mark[]): void {
    this.marks.length = Math.min(this.marks.length, from);
    for (const mark of marks) this.marks.push(mark);
  }

  // Marks what differs from the tree before, so that the panel can light it up.
  takeTree(tree: TreeNode[], tick: number, pins: Path[]): void {
    const next = new Map<string, string>();
    const walk = (nodes: TreeNode[], path: string) => {
      for (const node of nodes) {
        const at = `${path}/${node.name}`;
        if (node.children !== undefined) walk(node.children, at);
        else next.set(at, typeof node.value === "object" ? JSON.stringify(node.value) : String(node.value));
      }
    };
    walk(tree, "");
    this.changed = new Set();
    if (tick < this.treeTick) for (const [at, when] of this.changedAt) if (when > tick) this.changedAt.delete(at);
    for (const [at, value] of next) {
      if (!this.values.has(at) || this.values.get(at) === value) continue;
      this.changed.add(at);
      if (tick > this.treeTick) this.changedAt.set(at, tick);
    }
    this.values = next;
    this.tree = tree;
    this.treeTick = tick;
    this.heardTree = true;
    this.sample(tree, tick, pins);
  }

  // Adds a tree's values of the pinned numbers to their series.
  sample(tree: TreeNode[], tick: number, pins: Path[]): void {
    for (const path of pins) {
      const value = numberAt(tree, path);
      if (value !== undefined) this.append(path, tick, value);
    }
  }

  // Takes over the decisions of a tick. While it runs only those of some ticks come, and the page keeps the last ones.
  takeWhy(event: Extract<BackendEvent, { event: "why" }>): void {
    this.decisions = event.decisions;
    this.decisionsTick = event.tick;
    this.heardWhy = true;
    const before = event.before !== undefined && event.before.decisions.length > 0 ? event.before : null;
    if (event.decisions.length > 0) {
      const kept = this.decided !== null && this.decided.tick < event.tick ? this.decided : null;
      this.before = before ?? kept ?? (this.before !== null && this.before.tick < event.tick ? this.before : null);
      this.decided = { tick: event.tick, decisions: event.decisions };
    } else if (event.last !== undefined) {
      this.decided = event.last;
      this.before = before;
    } else if (this.decided !== null && this.decided.tick > event.tick) {
      this.decided = this.before = null; // rewound: that did not happen yet
    }
  }

  // Where an agent is, by the picture.
  placeOf(agent: string | null): [number, number] | null {
    return agent === null || this.picture === null ? null : findPlace(this.picture, agent);
  }

  private append(path: Path, tick: number, value: number): void {
    const key = pathKey(path);
    let series = this.series.get(key);
    if (series === undefined) this.series.set(key, (series = { ticks: [], values: [] }));
    if (tick > (series.ticks[series.ticks.length - 1] ?? -1)) {
      series.ticks.push(tick);
      series.values.push(value);
    }
  }

  forgetAgent(): void {
    this.values.clear();
    this.changed.clear();
    this.changedAt.clear();
    this.tree = [];
    this.decisions = [];
    this.decided = this.before = null;
    this.heardTree = this.heardWhy = false;
  }

  // The nearest mark before or after a tick that `wanted` accepts.
  findMark(tick: number, by: 1 | -1, wanted: (mark: Mark) => boolean): Mark | null {
    let best: Mark | null = null;
    for (const mark of this.marks) {
      if (by > 0 ? mark[0] <= tick : mark[0] >= tick) continue;
      if (!wanted(mark)) continue;
      if (best === null || (by > 0 ? mark[0] < best[0] : mark[0] > best[0])) best = mark;
    }
    return best;
  }
}

export function asNumber(value: Value | undefined, type: string | undefined): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (Array.isArray(value)) return Math.hypot(...value);
  if (typeof value === "string" && (type === "u64" || type === "i64")) return Number(value);
  return undefined;
}

// Looks a path up in a tree as the server would.
function numberAt(tree: TreeNode[], path: Path): number | undefined {
  const down = (nodes: TreeNode[], at: number): number | undefined => {
    for (const node of nodes) {
      if (node.name !== path[at]) continue;
      if (node.children === undefined) {
        if (at === path.length - 1) return asNumber(node.value, node.type);
        return at === path.length - 2 && Array.isArray(node.value) ? node.value["xyzw".indexOf(path[at + 1])] : undefined;
      }
      const found = down(node.children, at + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  if (!path[0].startsWith("@")) return down(tree, 0);
  const owner = path[0].slice(1);
  const search = (nodes: TreeNode[]): number | undefined => {
    for (const node of nodes) {
      if (node.children === undefined) continue;
      const found = node.owner === owner ? down(node.children, 1) : search(node.children);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return search(tree);
}
