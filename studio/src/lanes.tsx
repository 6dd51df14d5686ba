// Squad scripts as lanes: what each actor did when, with its signals, its waits, and what is still to come.
import { TreeNode } from "./backend";
import { Pane } from "./pane";
import { Store } from "./store";
import { child, groupsOf, numberOf, valueOf } from "./views";

interface Step {
  does: string;
  what: string;
  line: number;
  waits: string[];
  from: number | null; // s
  acts: number | null;
  to: number | null;
}
interface Lane {
  name: string;
  agent: string | null;
  steps: Step[];
}
export interface Script {
  name: string;
  outcome: string;
  reason: string;
  begun: number;
  now: number;
  lanes: Lane[];
}

// Every group of a description that is a run of a script.
export function scriptsIn(tree: TreeNode[]): Script[] {
  const found: Script[] = [];
  const walk = (nodes: TreeNode[]) => {
    for (const node of nodes) {
      const actors = child(node, "actors");
      if (actors !== undefined && groupsOf(actors).some((one) => child(one, "lane") !== undefined)) found.push(scriptOf(node, actors));
      else if (node.children !== undefined) walk(node.children);
    }
  };
  walk(tree);
  return found;
}

function scriptOf(node: TreeNode, actors: TreeNode): Script {
  const lanes = groupsOf(actors).map((actor): Lane => ({
    name: String(valueOf(actor, "name") ?? actor.name),
    agent: typeof valueOf(actor, "agent") === "string" ? String(valueOf(actor, "agent")) : null,
    steps: groupsOf(child(actor, "lane")!).map((step) => ({
      does: String(valueOf(step, "does")),
      what: String(valueOf(step, "what")),
      line: numberOf(step, "line") ?? 0,
      waits: (step.children ?? []).filter((one) => one.name === "for").map((one) => String(one.value)),
      from: numberOf(step, "from"),
      acts: numberOf(step, "acts"),
      to: numberOf(step, "to"),
    })),
  }));
  return { name: String(valueOf(node, "name") ?? node.name), outcome: String(valueOf(node, "outcome") ?? ""), reason: String(valueOf(node, "reason") ?? ""), begun: numberOf(node, "begun") ?? 0, now: numberOf(node, "now") ?? 0, lanes };
}

const WIDE = 320; // of the drawing's own units
const LEFT = 4;
const HIGH = 46;
const BAR = 15;

export function Lanes({ store, pane, script }: { store: Store; pane: Pane; script: Script }) {
  const span = Math.max(1, script.now - script.begun);
  const x = (time: number) => LEFT + ((time - script.begun) / span) * (WIDE - 2 * LEFT);
  const y = (lane: number) => 18 + lane * HIGH;
  const dt = pane.session.dt ?? 1 / 60;
  const running = script.outcome === "running";
  // The signals that were set, and the waits that they ended.
  const links = script.lanes.flatMap((lane, i) =>
    lane.steps.filter((step) => step.does === "signal" && step.to !== null).flatMap((signal) =>
      script.lanes.flatMap((other, k) => other.steps.filter((step) => step.from !== null && step.waits.includes(signal.what)).map((wait) => ({ from: i, to: k, set: signal.to!, seen: Math.max(signal.to!, wait.from!), what: signal.what, met: wait.to !== null }))),
    ),
  );
  const step = [0.5, 1, 2, 5, 10, 20, 60].find((one) => span / one <= 8) ?? 60;
  const marks = Array.from({ length: Math.floor(span / step) + 1 }, (_, i) => i * step);
  const high = y(script.lanes.length) + 8;
  return (
    <section class="script-run">
      <h4>
        {script.name} <small class={`outcome-${script.outcome}`}>{script.outcome}{script.reason !== "" && script.reason !== "none" && `: ${script.reason}`}</small>
      </h4>
      <svg class="lanes" viewBox={`0 0 ${WIDE} ${high + 14}`} role="img" aria-label={`Lanes of ${script.name}: ${script.lanes.map((lane) => lane.name).join(", ")}`}>
        {marks.map((one) => (
          <g key={one} class="lane-time">
            <line x1={x(script.begun + one)} y1="4" x2={x(script.begun + one)} y2={high} />
            <text x={Math.min(x(script.begun + one) + 2, WIDE - 24)} y={high + 11}>{`${one} s`}</text>
          </g>
        ))}
        {script.lanes.map((lane, i) => (
          <g key={lane.name}>
            {lane.steps.map((one, k) => {
              if (one.from === null) return null;
              const to = one.to ?? (running ? script.now : one.from);
              if (one.does === "signal") return null; // over the bars, below
              const begins = one.does === "action" ? one.from : one.acts !== null ? one.acts : to;
              return (
                <g key={k}>
                  {begins > one.from && (
                    <rect class="lane-wait" x={x(one.from)} y={y(i) + 4} width={Math.max(2, x(begins) - x(one.from))} height={BAR - 8}>
                      <title>{`waits for ${one.waits.length > 0 ? one.waits.join(", ") : "its partners"}, ${(begins - one.from).toFixed(2)} s`}</title>
                    </rect>
                  )}
                  {one.does !== "wait" && (
                    <rect class={one.to === null ? "lane-act now" : "lane-act"} x={x(begins)} y={y(i)} width={Math.max(2, x(to) - x(begins))} height={BAR}>
                      <title>{`${one.what}, ${(to - begins).toFixed(2)} s, line ${one.line}`}</title>
                    </rect>
                  )}
                </g>
              );
            })}
          </g>
        ))}
        {links.map((one, i) => (
          <path key={i} class={one.met ? "lane-link met" : "lane-link"} d={`M ${x(one.set)} ${y(one.from) + BAR / 2} L ${x(one.seen)} ${y(one.to) + BAR / 2}`}>
            <title>{one.what}</title>
          </path>
        ))}
        {script.lanes.map((lane, i) =>
          lane.steps.filter((one) => one.does === "signal" && one.to !== null).map((one, k) => (
            <circle key={`${i} ${k}`} class="lane-signal" cx={x(one.to!)} cy={y(i) + BAR / 2} r="5">
              <title>{`signal ${one.what} at ${(one.to! - script.begun).toFixed(2)} s`}</title>
            </circle>
          )),
        )}
        {script.lanes.map((lane, i) => {
          const next = lane.steps.find((one) => one.to === null);
          return <text key={i} class="lane-name" x={LEFT} y={y(i) + BAR + 12}>{`${lane.name}: ${next === undefined ? "done" : next.from === null ? `next: ${next.does} ${next.what}` : next.does === "action" ? next.what : `${next.does} ${next.waits.join(", ") || next.what}`}`}</text>;
        })}
      </svg>
      <ol class="lane-list">
        {script.lanes.map((lane) => (
          <li key={lane.name}>
            {lane.agent !== null ? <button class="link" onClick={() => store.select(lane.agent)}>{lane.name}</button> : <strong>{lane.name}</strong>}
            {lane.steps.map((one, k) => (
              <button
                key={k}
                class={`lane-step ${one.does} ${one.to !== null ? "past" : one.from !== null ? "now" : "later"}`}
                disabled={!store.writable || one.from === null}
                title={one.from === null ? `line ${one.line}` : `line ${one.line}; go to its beginning`}
                onClick={() => store.seek(Math.max(0, Math.round(one.from! / dt)))}
              >
                {one.does === "signal" ? "⚑ " : one.does === "wait" ? "… " : one.does === "joint" ? "⇉ " : ""}
                {one.does === "wait" ? one.waits.join(", ") : one.what}
              </button>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}
