// Two runs side by side: what was set differently, the first value that differs, the first decision that differs, and
// the values in between.
import { Backend, Session, TreeNode, Value, Values } from "./backend";
import { changesBetween, flatten, Option, optionsOf, scoreText } from "./decided";
import { Pane } from "./pane";
import { show } from "./state";
import { Store } from "./store";

export interface Setting {
  path: string;
  here: Value;
  there: Value;
  tick: number | null; // before which it was set to another value; null: from the start
}

export interface Differing {
  where: string; // the agent or the groups, and the value's name
  here: string;
  there: string;
}

// What a comparison found; `found` says whether a decision differs up to that tick.
export interface Difference {
  tick: number;
  agent: string | null;
  here: string | null;
  there: string | null;
  found: boolean;
  seeds: [string, string] | null; // if they differ
  settings: Setting[];
  inputs: string[]; // commands and edited texts that only one of them got
  state: { tick: number; values: Differing[]; more: number } | null; // the first tick whose states differ
}

const VALUES_MAX = 3;

interface Input {
  tick: number;
  kind: string;
  name: string;
  agent: string | null;
  value: Value;
}

async function inputsOf(backend: Backend, session: number): Promise<Input[]> {
  const answer = await backend.request("log", { session }).catch(() => null);
  return answer?.inputs ?? [];
}

const effective = (session: Session): Values => ({ ...session.params, ...session.pending });
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

// What was different from outside: seeds, parameters with the tick at which they were set, other inputs.
export async function findCauses(backend: Backend, here: Pane, there: Pane): Promise<Pick<Difference, "seeds" | "settings" | "inputs">> {
  const logs = await Promise.all([inputsOf(backend, here.session.session), inputsOf(backend, there.session.session)]);
  const [a, b] = [effective(here.session), effective(there.session)];
  const settings: Setting[] = [];
  for (const path of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const sets = logs.map((log) => log.filter((one) => one.kind === "parameter" && one.name === path).map(({ tick, value }) => ({ tick, value })));
    if (same(a[path], b[path]) && same(sets[0], sets[1])) continue;
    const only = [...sets[0].filter((one) => !sets[1].some((other) => same(one, other))), ...sets[1].filter((one) => !sets[0].some((other) => same(one, other)))];
    settings.push({ path, here: a[path] ?? null, there: b[path] ?? null, tick: only.length > 0 ? Math.min(...only.map((one) => one.tick)) : null });
  }
  settings.sort((one, other) => (one.tick ?? -1) - (other.tick ?? -1));
  const others = logs.map((log) => log.filter((one) => one.kind !== "parameter"));
  const name = (one: Input, which: string) => `${which}: ${one.kind} ${one.name}${one.value === null ? "" : ` ${show(one.value)}`} at tick ${one.tick}`;
  const inputs = [
    ...others[0].filter((one) => !others[1].some((other) => same(one, other))).map((one) => name(one, "A")),
    ...others[1].filter((one) => !others[0].some((other) => same(one, other))).map((one) => name(one, "B")),
  ];
  const seeds: [string, string] | null = here.session.seed !== there.session.seed ? [here.session.seed ?? "", there.session.seed ?? ""] : null;
  return { seeds, settings, inputs };
}

// The values of a description, by their place.
function leavesOf(tree: TreeNode[], path: string[] = [], out = new Map<string, { where: string; value: Value }>()): Map<string, { where: string; value: Value }> {
  const seen = new Map<string, number>();
  for (const node of tree) {
    if (path.length === 0 && (node.name === "params" || node.name === "tick")) continue;
    const count = seen.get(node.name) ?? 0;
    seen.set(node.name, count + 1);
    const here = [...path, count > 0 ? `${node.name} ${count}` : node.name];
    if (node.children !== undefined) leavesOf(node.children, node.owner !== undefined ? [...here.slice(0, -1), `${node.name} (agent ${node.owner})`] : here, out);
    else if (node.mark === "state") out.set(here.join("/"), { where: here.slice(path[0] === "state" ? 1 : 0).join(" · ").replace(/_/g, " "), value: node.value ?? null });
  }
  return out;
}

// The first values that differ between two descriptions. What a person knows by name comes before hashes.
export function differingValues(here: TreeNode[], there: TreeNode[]): { values: Differing[]; more: number } {
  const [a, b] = [leavesOf(here), leavesOf(there)];
  const values: Differing[] = [];
  for (const [key, one] of a) {
    const other = b.get(key);
    if (other === undefined || same(one.value, other.value)) continue;
    const [short, long] = [[show(one.value), show(other.value)], [String(one.value), String(other.value)]];
    const [left, right] = short[0] !== short[1] ? short : long; // a difference beyond the digits that are usually shown
    values.push({ where: one.where, here: left, there: right });
  }
  const plain = (one: Differing) => (/hash|stream|rng|seed/i.test(one.where) ? 1 : 0);
  values.sort((one, other) => plain(one) - plain(other));
  return { values: values.slice(0, VALUES_MAX), more: Math.max(0, values.length - VALUES_MAX) };
}

// --- what was found, as a list from cause to effect ---

export function Found({ store }: { store: Store }) {
  const found = store.difference;
  if (found === null) return null;
  const [here, there] = store.panes;
  const topic = (found.here ?? found.there ?? "").split(": ")[0];
  const optionsIn = (pane: Pane | undefined) => (pane?.decisionsTick === found.tick ? flatten(pane.decisions).filter((one) => one.topic === topic && (found.agent === null || one.agent === null || one.agent === found.agent)).flatMap(optionsOf) : []);
  const [inA, inB] = [optionsIn(here), optionsIn(there)];
  const winner = (options: Option[]) => options.find((one) => one.outcome === "won");
  const won = (options: Option[]) => winner(options)?.reason ?? "";
  // The two winners, scored in both runs: by how much each of them was ahead.
  const rivals = [...new Set([winner(inA)?.option, winner(inB)?.option])].flatMap((name) => {
    const scores = [inA, inB].map((options) => options.find((one) => one.option === name)?.score ?? null);
    return name === undefined || scores[0] === null || scores[1] === null || winner(inA)?.option === winner(inB)?.option ? [] : [`${name} scored A ${scoreText(scores[0])}, B ${scoreText(scores[1])}`];
  });
  const both = here?.decisionsTick === found.tick && there?.decisionsTick === found.tick;
  const between = found.found && both ? changesBetween(here.decisions, there.decisions).filter((one) => one.what !== "winner" && one.what !== winner(inA)?.option && one.what !== winner(inB)?.option) : [];
  const beside = [...rivals, ...new Set(between.map((one) => `${one.what} A ${one.from}, B ${one.to}`))].slice(0, VALUES_MAX);
  const nothing = found.settings.length === 0 && found.seeds === null && found.inputs.length === 0;
  return (
    <div class="found" role="status">
      <ol>
        {found.seeds !== null && <li data-cause="seed">{`Seeds: A ${found.seeds[0]}, B ${found.seeds[1]}.`}</li>}
        {found.settings.map((one) => (
          <li key={one.path} data-cause="parameter">
            Parameter <strong>{one.path}</strong>: A <em>{show(one.here)}</em>, B <em>{show(one.there)}</em>
            {one.tick !== null && `, set at tick ${one.tick}`}.
          </li>
        ))}
        {found.inputs.slice(0, 4).map((one) => (
          <li key={one} data-cause="input">{one}.</li>
        ))}
        {nothing && <li data-cause="none">Parameters, seeds and inputs are the same.</li>}
        {found.state !== null && (
          <li data-cause="state">
            First value that differs, at tick{" "}
            <button class="link" disabled={!store.writable} onClick={() => store.seek(found.state!.tick)}>
              {found.state.tick}
            </button>
            :{" "}
            {found.state.values.map((one, i) => (
              <span key={one.where}>
                {i > 0 && "; "}
                {one.where}: A <em>{one.here}</em>, B <em>{one.there}</em>
              </span>
            ))}
            {found.state.more > 0 && `; and ${found.state.more} more`}.
          </li>
        )}
        <li data-cause="decision">
          {found.found ? (
            <>
              First different decision at tick <strong>{found.tick}</strong>
              {found.agent !== null && <>, agent <strong>{found.agent}</strong></>}: A <em>{found.here ?? "none"}</em>
              {won(inA) !== "" && ` (${won(inA)})`}, B <em>{found.there ?? "none"}</em>
              {won(inB) !== "" && ` (${won(inB)})`}.{" "}
              {beside.length > 0 && <span class="beside">{`In it: ${beside.join("; ")}.`}</span>}{" "}
              <button onClick={() => store.compare(found.tick)} title="Continue from here">next</button>
            </>
          ) : (
            <>No decision differs up to tick {found.tick}.</>
          )}
        </li>
      </ol>
    </div>
  );
}
