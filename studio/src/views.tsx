// Views of described groups that are more than lists of values: goals, strategies, blackboards, messages, searches,
// routes and forces. A group gets one by what is in it, also for groups that your own program describes.
import { FunctionComponent } from "preact";
import { TreeNode, Value } from "./backend";
import { Pane } from "./pane";
import { Draft } from "./parameters";
import { nameOf, show, showTyped } from "./state";
import { Store } from "./store";

export interface ViewProps {
  store: Store;
  pane: Pane;
  node: TreeNode;
  at: string; // place of the group in the whole tree
}
type View = FunctionComponent<ViewProps>;

export const child = (node: TreeNode, name: string): TreeNode | undefined => node.children?.find((one) => one.name === name);
export const valueOf = (node: TreeNode, name: string): Value | undefined => child(node, name)?.value;
export const numberOf = (node: TreeNode, name: string): number | null => {
  const value = valueOf(node, name);
  return typeof value === "number" ? value : typeof value === "string" && value !== "" && Number.isFinite(Number(value)) ? Number(value) : null;
};
export const groupsOf = (node: TreeNode): TreeNode[] => node.children?.filter((one) => one.children !== undefined) ?? [];
const leavesOf = (node: TreeNode): TreeNode[] => node.children?.filter((one) => one.children === undefined) ?? [];
const has = (node: TreeNode, ...names: string[]): boolean => names.every((name) => child(node, name) !== undefined);
const isVector = (value: Value | undefined): value is number[] => Array.isArray(value) && value.length >= 2;

// The rows of the table: what a group must have, and how it is shown.
const VIEWS: [kind: string, fits: (node: TreeNode) => boolean, view: View][] = [
  ["goals", (node) => groupsOf(node).some((one) => has(one, "goal", "depth", "status")), Goals],
  ["strategy", (node) => has(node, "strategy", "desirability"), Strategy],
  ["blackboard", (node) => has(node, "#changes"), Board],
  ["messages", (node) => groupsOf(node).some((one) => has(one, "sender", "receiver", "fate")), Messages],
  ["message", (node) => has(node, "sent", "message") && has(child(node, "message")!, "sender", "receiver"), Messages],
  ["route", (node) => has(node, "points", "closed", "length"), Route],
  ["search", (node) => has(node, "open") && (has(node, "pops") || has(node, "taken")), Search],
  ["forces", (node) => /steer|force/i.test(node.name) && leavesOf(node).some((one) => isVector(one.value)), Forces],
];

export function viewFor(node: TreeNode): { kind: string; View: View } | null {
  const found = VIEWS.find(([, fits]) => fits(node));
  return found === undefined ? null : { kind: found[0], View: found[2] };
}

function Bar({ share, className = "" }: { share: number; className?: string }) {
  return (
    <span class={`bar ${className}`}>
      <i style={{ width: `${Math.round(100 * Math.max(0, Math.min(1, share)))}%` }} />
    </span>
  );
}

// Values in a few lines: what is on as chips, then the numbers.
function Facts({ values, on = [] }: { values: TreeNode[]; on?: TreeNode[] }) {
  return (
    <ul class="facts">
      {on.map((one) => (
        <li class="chip" key={one.name}>
          {one.name}
        </li>
      ))}
      {values.map((one) => (
        <li key={one.name}>
          {nameOf(one.name)} <strong>{showTyped(one.value, one.type)}</strong>
        </li>
      ))}
    </ul>
  );
}

// --- goals: the stack, the outermost on top ---

const GOAL_SIGNS: Record<string, string> = { active: "▶", completed: "✔", failed: "✘", inactive: "·" };

function Goals({ node }: ViewProps) {
  return (
    <ul class="goals">
      {groupsOf(node).map((one) => {
        const status = valueOf(one, "suspended") === true ? "suspended" : String(valueOf(one, "status") ?? "");
        const replans = numberOf(one, "replans") ?? 0;
        const to = valueOf(one, "to") ?? valueOf(one, "target");
        return (
          <li key={one.name} class={status} style={{ paddingLeft: `${((numberOf(one, "depth") ?? 1) - 1) * 14}px` }}>
            <span class="sign">{status === "suspended" ? "‖" : (GOAL_SIGNS[status] ?? "·")}</span> {String(valueOf(one, "goal"))} <small>{status}</small>
            {isVector(to) && <small> to {show(to)}</small>}
            {replans > 0 && <small> · planned anew {replans}×</small>}
          </li>
        );
      })}
    </ul>
  );
}

// --- a strategy: how desirable each was when they were weighed last ---

function Strategy({ node }: ViewProps) {
  const now = String(valueOf(node, "strategy") ?? "");
  const scores = leavesOf(child(node, "desirability")!);
  const most = Math.max(1e-6, ...scores.map((one) => Number(one.value)));
  return (
    <ul class="scores">
      {scores.map((one) => (
        <li key={one.name} class={one.name === now ? "now" : ""} title={`bias ${show(valueOf(node, one.name))}`}>
          <span class="name">{one.name}</span>
          <Bar share={Number(one.value) / most} />
          <span class="value">{show(Number(Number(one.value).toPrecision(3)))}</span>
        </li>
      ))}
    </ul>
  );
}

// --- a blackboard: a table, what is new lit ---

export function Board({ store, pane, node, at }: ViewProps) {
  // The agent's own values may be in the same group: only keys of the board can be set.
  const keys = store.writable && pane.session.definitions?.some((one) => one.name === "board") ? store.boardKeys(pane.session.session) : null;
  return (
    <table class="board">
      <thead>
        <tr>
          <th>key</th>
          <th>value</th>
          <th title="the tick at which the page saw it change">changed</th>
        </tr>
      </thead>
      <tbody>
        {leavesOf(node)
          .filter((one) => one.name !== "#changes")
          .map((one) => {
            const when = pane.changedAt.get(`${at}/${one.name}`);
            return (
              <tr key={one.name} class={when !== undefined && when === pane.treeTick ? "fresh" : ""}>
                <td>{one.name.replace(/_/g, " ")}</td>
                <td class="value">{keys?.has(one.name) ? <BoardValue store={store} session={pane.session.session} node={one} /> : showTyped(one.value, one.type)}</td>
                <td>
                  {when !== undefined && (
                    <button class="link" disabled={!store.writable} onClick={() => store.seek(when)}>
                      {when}
                    </button>
                  )}
                </td>
              </tr>
            );
          })}
      </tbody>
    </table>
  );
}

// A value that is edited in place: the simulation checks it as it checks a text, and one that does not fit changes nothing.
function BoardValue({ store, session, node }: { store: Store; session: number; node: TreeNode }) {
  const set = (value: Value) => void store.setBoardValue(session, node.name, value);
  if (node.type === "bool") return <input type="checkbox" aria-label={node.name} checked={node.value === true} onChange={(event) => set(event.currentTarget.checked)} />;
  const vector = isVector(node.value);
  if (!vector && typeof node.value !== "number" && node.type !== "text") return <>{show(node.value)}</>;
  const accept = (text: string) => {
    if (node.type === "text") return set(text);
    const parts = text.replace(/[()]/g, "").split(",").map((part) => Number(part.trim() === "" ? NaN : part));
    const fits = parts.length === (vector ? (node.value as number[]).length : 1) && parts.every(Number.isFinite);
    if (fits) set(vector ? parts : parts[0]);
    else store.say(`${node.name}: '${text}' is not ${vector ? "a vector" : "a number"}.`, "error");
  };
  return <Draft id={`board-${node.name}`} off={false} label={node.name} text={show(node.value)} accept={accept} />;
}

// --- messages: the log, newest first; those that wait are lit ---

function Messages({ store, pane, node }: ViewProps) {
  const who = (value: Value | undefined) =>
    typeof value !== "string" ? (
      <span class="faint">nobody</span>
    ) : value === pane.selected ? (
      <strong>it</strong>
    ) : (
      <button class="link" onClick={() => store.select(value)}>
        {value}
      </button>
    );
  const rows = has(node, "message") ? [child(node, "message")!] : groupsOf(node);
  return (
    <ol class="messages">
      {rows
        .filter((one) => has(one, "sender", "receiver"))
        .map((one) => {
          const fate = String(valueOf(one, "fate") ?? "waits");
          const sent = numberOf(one, "sent") ?? numberOf(node, "sent") ?? 0;
          const due = numberOf(one, "due") ?? 0;
          return (
            <li key={`${one.name} ${show(valueOf(one, "order"))}`} class={fate === "waits" ? "waits" : ""}>
              <span class="time">{sent > 0 ? `${sent.toFixed(2)} s` : `no. ${show(valueOf(one, "order"))}`}</span>
              <span class="who">
                {who(valueOf(one, "sender"))} → {who(valueOf(one, "receiver"))}
              </span>
              <span class="kind">{show(valueOf(one, "called") ?? valueOf(node, "called") ?? valueOf(one, "kind"))}</span>
              <span class="fate">
                {fate}
                {due > sent && <small> · delayed to {due.toFixed(2)} s</small>}
              </span>
            </li>
          );
        })}
    </ol>
  );
}

// --- a search: how much is open and how much is closed ---

function Search({ node }: ViewProps) {
  const open = numberOf(node, "open") ?? 0;
  const closed = numberOf(node, "taken") ?? numberOf(node, "pops") ?? 0;
  const whole = Math.max(1, open + closed);
  const rest = leavesOf(node).filter((one) => !["open", "taken", "pops", "records"].includes(one.name));
  return (
    <div class="search">
      <div class="fill" role="img" aria-label={`${closed} closed, ${open} open`}>
        <i class="closed" style={{ width: `${(100 * closed) / whole}%` }} />
        <i class="open" style={{ width: `${(100 * open) / whole}%` }} />
      </div>
      <p class="legend-line">
        <i class="closed" /> <span>{`${closed} closed`}</span> <i class="open" /> <span>{`${open} open`}</span>
      </p>
      <Facts values={rest} />
    </div>
  );
}

// --- a route: its shape and its length ---

function Route({ node }: ViewProps) {
  const points = groupsOf(child(node, "points")!)
    .map((one) => valueOf(one, "point"))
    .filter(isVector);
  const xs = points.map((one) => one[0]);
  const ys = points.map((one) => one[1]);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.min(96 / Math.max(x1 - x0, 1e-6), 44 / Math.max(y1 - y0, 1e-6));
  const place = (one: number[]) => `${(4 + (one[0] - x0) * scale).toFixed(1)},${(48 - (one[1] - y0) * scale).toFixed(1)}`;
  return (
    <div class="route">
      <svg viewBox="0 0 104 52" width="104" height="52" aria-hidden="true">
        {points.length > 1 && <polyline points={points.map(place).join(" ")} />}
        {points.length > 0 && <circle r="3" cx={place(points[points.length - 1]).split(",")[0]} cy={place(points[points.length - 1]).split(",")[1]} />}
      </svg>
      <span>
        {`${points.length} points, ${show(Number((numberOf(node, "length") ?? 0).toPrecision(4)))} m`}
        {numberOf(node, "cost") !== null && `, cost ${show(Number(numberOf(node, "cost")!.toPrecision(4)))}`}
      </span>
    </div>
  );
}

// --- forces: an arrow for each, and which behaviors are on ---

function Forces({ node }: ViewProps) {
  const vectors = leavesOf(node).filter((one) => isVector(one.value));
  const most = Math.max(1e-6, ...vectors.map((one) => Math.hypot(...(one.value as number[]))));
  const on = leavesOf(node).filter((one) => one.value === true);
  const rest = leavesOf(node).filter((one) => typeof one.value === "number");
  return (
    <div class="forces">
      {vectors.map((one) => {
        const [x, y] = one.value as number[];
        const [tx, ty] = [24 + (20 * x) / most, 24 - (20 * y) / most];
        return (
          <figure key={one.name} title={show(one.value)}>
            <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
              <circle cx="24" cy="24" r="22" />
              <line x1="24" y1="24" x2={tx} y2={ty} />
              <circle class="tip-of-arrow" cx={tx} cy={ty} r="3" />
            </svg>
            <figcaption>
              {one.name} <strong>{show(Number(Math.hypot(...(one.value as number[])).toPrecision(3)))}</strong>
            </figcaption>
          </figure>
        );
      })}
      <Facts values={rest} on={on} />
    </div>
  );
}
