// A decision: what was considered, what won, why the rest did not, and what changed since the one before.
import { useState } from "preact/hooks";
import { Decision, Told, TraceChild, Value } from "./backend";
import { useGrowing } from "./growing";
import { Pane } from "./pane";
import { listAgents } from "./picture";
import { show, showTyped } from "./state";
import { Store } from "./store";

export type Option = Extract<TraceChild, { option: string }>;
type Fact = Extract<TraceChild, { value: string }>;
const isOption = (child: TraceChild): child is Option => "option" in child;
const isFact = (child: TraceChild): child is Fact => "value" in child;

const DECISIONS_MAX = 30; // of all agents; a crowd makes thousands
const OPTIONS_MAX = 24; // shown at once; the rest on request
const CHANGES_MAX = 8;

const SIGNS: Record<Option["outcome"], string> = { won: "✔", lost: "·", rejected: "✘", skipped: "–" };

export const optionsOf = (decision: Decision): Option[] => decision.children.filter(isOption);
const winnerOf = (decision: Decision): Option | undefined => optionsOf(decision).find((one) => one.outcome === "won");
export const scoreText = (score: number | null): string => (score === null ? "" : show(Number(score.toPrecision(4))));

// The decision and all that are nested in it, the outermost first.
export function flatten(decisions: Decision[]): Decision[] {
  return decisions.flatMap((one) => [one, ...flatten(one.children.filter((child): child is Decision => "topic" in child))]);
}

// What the agent decided in the tick shown, or in the last one in which it decided something.
export function Decided({ store, pane, named }: { store: Store; pane: Pane; named: boolean }) {
  const told = pane.decided;
  const box = useGrowing<HTMLDivElement>();
  const still = pane.session.playing ? "decided" : "decided still";
  if (told === null) {
    return (
      <div class={still} ref={box}>
        <h4>decided</h4>
        <p class="empty">{pane.tick === 0 ? "No decision yet: take a step." : pane.heardWhy ? (pane.session.playing ? "No decision so far; pause to search further back." : `No decision in the last 600 ticks${pane.picture !== null && listAgents(pane.picture).length === 0 ? "; the picture has no agents" : ""}.`) : "…"}</p>
      </div>
    );
  }
  const past = told.tick !== pane.decisionsTick;
  const rest = told.decisions.length - DECISIONS_MAX;
  return (
    <div class={still} ref={box}>
      <h4>
        decided{" "}
        {past ? (
          <button class="link" disabled={!store.writable} onClick={() => store.seek(told.tick)} title="Go to that tick">{`in tick ${told.tick}`}</button>
        ) : (
          <small>in this tick</small>
        )}
      </h4>
      {past && <p class="empty">No decision in this tick. This is the last one.</p>}
      {told.decisions.slice(0, DECISIONS_MAX).map((decision, i) => (
        <DecisionView key={i} store={store} decision={decision} named={named} />
      ))}
      {rest > 0 && <p class="empty">and {rest} more; pick an agent.</p>}
      <WhyNot store={store} pane={pane} told={told} />
      {!named && <Changed store={store} told={told} before={pane.before} />}
    </div>
  );
}

// --- one decision ---

// Whether a score is lower by more than sums in another order differ.
const isBehind = (score: number, best: number) => best - score > 1e-6 * Math.max(1, Math.abs(best));

function DecisionView({ store, decision, named }: { store: Store; decision: Decision; named: boolean }) {
  const [all, setAll] = useState(false);
  // Of many the winner comes first; a few stay in the order in which they were considered.
  const given = optionsOf(decision);
  const options = given.length > 8 ? [...given].sort((a, b) => Number(b.outcome === "won") - Number(a.outcome === "won")) : given;
  const scores = options.filter((one) => one.outcome === "won" || one.outcome === "lost").map((one) => one.score).filter((score): score is number => score !== null);
  const best = scores.length > 0 ? Math.max(...scores) : null;
  const shown = all ? options : options.slice(0, OPTIONS_MAX);
  const box = useGrowing<HTMLElement>();
  return (
    <section class="decision" ref={box}>
      <h3>
        {decision.agent !== null && named ? (
          <button class="link" onClick={() => store.select(decision.agent)}>
            {decision.agent}
          </button>
        ) : null}{" "}
        {decision.topic} <small>by {decision.technique}</small>
      </h3>
      {shown.map((one, i) => (
        <div key={i} class={`option ${one.outcome}`} data-outcome={one.outcome} style={{ "--share": best !== null && best > 0 && one.score !== null ? Math.max(0, Math.min(1, one.score / best)) : 0 }}>
          <span class="outcome" title={one.outcome}>
            {SIGNS[one.outcome]}
          </span>
          <span class="name">{one.option}</span>
          <span class="score">
            {scoreText(one.score)}
            {one.outcome === "lost" && one.score !== null && best !== null && isBehind(one.score, best) && <small> ({show(Number((best - one.score).toPrecision(3)))} behind)</small>}
          </span>
          <span class="reason" title={one.reason}>
            {one.reason}
          </span>
        </div>
      ))}
      {options.length > shown.length && (
        <button class="link" onClick={() => setAll(true)}>{`${options.length - shown.length} more options`}</button>
      )}
      {decision.children
        .filter((one) => !isOption(one))
        .map((one, i) =>
          "topic" in one ? (
            <DecisionView key={i} store={store} decision={one} named={named} />
          ) : "note" in one ? (
            <p class="note" key={i}>
              {one.note}
            </p>
          ) : isFact(one) ? (
            <div class="leaf" key={i}>
              <span class="name">{one.value.replace(/_/g, " ")}</span>
              <span class="value">{showTyped(one.is, one.type)}</span>
            </div>
          ) : null,
        )}
    </section>
  );
}

// --- why not? ---

// What a person points at: an option by its name, another agent, or a place.
export interface Asked {
  name?: string;
  agent?: string;
  point?: [number, number];
}

const DIRECTIONS = ["right", "up right", "up", "up left", "left", "down left", "down", "down right"];

// Names under which an option may stand for what was pointed at, the most exact first.
export function namesFor(asked: Asked, pane: Pane): RegExp[] {
  const plain = (text: string) => new RegExp(`(^|[^0-9a-z:])${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}($|[^0-9a-z:])`, "i");
  if (asked.name !== undefined) return [new RegExp(`^${asked.name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`)];
  if (asked.agent !== undefined) {
    const index = asked.agent.split(":")[0];
    return [plain(asked.agent), plain(`agent ${index}`), plain(`player ${index}`), plain(`member ${index}`)];
  }
  const from = pane.placeOf(pane.selected);
  if (asked.point === undefined || from === null) return [];
  const [dx, dy] = [asked.point[0] - from[0], asked.point[1] - from[1]];
  const direction = DIRECTIONS[(Math.round(Math.atan2(dy, dx) / (Math.PI / 4)) + 8) % 8];
  return [new RegExp(`^${direction}$`, "i"), new RegExp(`^bend ${dy > 0 ? "left" : "right"}$`, "i")];
}

// An option whose name has a place in it, if it is the nearest such one and not far off.
function optionAt(options: Option[], point: [number, number]): Option | undefined {
  let best: Option | undefined;
  let nearest = Infinity;
  for (const one of options) {
    const found = /\((-?[\d.]+), (-?[\d.]+)/.exec(`${one.option} ${one.reason}`);
    if (found === null) continue;
    const away = Math.hypot(Number(found[1]) - point[0], Number(found[2]) - point[1]);
    if (away < nearest) [nearest, best] = [away, one];
  }
  return best;
}

// The answer as sentences, from what the decision reported.
export function answerWhyNot(asked: Asked, told: Told, pane: Pane): { text: string; found: boolean } {
  const what = asked.name ?? (asked.agent !== undefined ? `agent ${asked.agent}` : `(${asked.point!.map((one) => show(Number(one.toFixed(1)))).join(", ")})`);
  const decisions = flatten(told.decisions);
  const find = (): { option: Option; decision: Decision } | null => {
    for (const name of namesFor(asked, pane)) {
      for (const decision of decisions) {
        const option = optionsOf(decision).find((one) => name.test(one.option));
        if (option !== undefined) return { option, decision };
      }
    }
    for (const decision of asked.point !== undefined ? decisions : []) {
      const option = optionAt(optionsOf(decision), asked.point!);
      if (option !== undefined) return { option, decision };
    }
    return null;
  };
  const hit = find();
  if (hit === null) {
    const lists = decisions.filter((one) => optionsOf(one).length > 0).map((one) => `${one.topic}: ${optionsOf(one).slice(0, 8).map((option) => option.option).join(", ")}${optionsOf(one).length > 8 ? ", …" : ""}`);
    return { text: `${what} was not among the options. ${lists.slice(0, 3).join("; ")}.`, found: false };
  }
  const { option, decision } = hit;
  const name = asked.name === undefined ? `${what} is "${option.option}". ` : "";
  const winner = winnerOf(decision);
  const reason = option.reason === "" ? "" : ` ${option.reason[0].toUpperCase()}${option.reason.slice(1)}.`;
  if (option.outcome === "won") return { text: `${name}It was chosen for "${decision.topic}".${reason}`, found: true };
  if (option.outcome === "rejected") return { text: `${name}It was not possible.${reason}`, found: true };
  if (option.outcome === "skipped") return { text: `${name}It was not considered.${reason}`, found: true };
  const behind = winner !== undefined && winner !== option && winner.score !== null && option.score !== null ? ` "${winner.option}" scored ${scoreText(winner.score)}, this ${scoreText(option.score)}.` : winner !== undefined ? ` "${winner.option}" won.` : "";
  return { text: `${name}It was possible, but lost.${behind}${reason}`, found: true };
}

function WhyNot({ store, pane, told }: { store: Store; pane: Pane; told: Told }) {
  const names = [...new Set(flatten(told.decisions).flatMap((one) => optionsOf(one).filter((option) => option.outcome !== "won").map((option) => option.option)))];
  const asked = store.asked;
  const answer = asked === null ? null : answerWhyNot(asked, told, pane);
  return (
    <div class="why-not">
      <label>
        Why not{" "}
        <select aria-label="Why not" value={asked?.name ?? ""} onChange={(event) => store.askWhyNot(event.currentTarget.value === "" ? null : { name: event.currentTarget.value })}>
          <option value="">…</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button aria-pressed={store.pointing} onClick={() => store.togglePointing()} title="Then click an agent or a place in the picture">
        point at it
      </button>
      {answer !== null && (
        <p class="answer-why-not" role="status">
          {answer.text}
        </p>
      )}
    </div>
  );
}

// --- what changed since the decision before ---

export interface Change {
  topic: string;
  what: string;
  from: string;
  to: string;
}

const same = (a: Value, b: Value): boolean => JSON.stringify(a) === JSON.stringify(b);

export function changesBetween(before: Decision[], now: Decision[]): Change[] {
  const changes: Change[] = [];
  const old = flatten(before);
  for (const decision of flatten(now)) {
    const was = old.find((one) => one.topic === decision.topic && one.technique === decision.technique) ?? old.find((one) => one.topic === decision.topic);
    if (was === undefined) {
      changes.push({ topic: decision.topic, what: "decision", from: "not made", to: winnerOf(decision)?.option ?? "no winner" });
      continue;
    }
    const [a, b] = [winnerOf(was)?.option ?? "no winner", winnerOf(decision)?.option ?? "no winner"];
    if (a !== b) changes.push({ topic: decision.topic, what: "winner", from: a, to: b });
    for (const option of optionsOf(decision)) {
      const other = optionsOf(was).find((one) => one.option === option.option);
      if (other === undefined) changes.push({ topic: decision.topic, what: option.option, from: "no option", to: option.outcome });
      else if (other.outcome !== option.outcome) changes.push({ topic: decision.topic, what: option.option, from: other.outcome, to: option.outcome });
      else if (other.score !== null && option.score !== null && scoreText(other.score) !== scoreText(option.score)) changes.push({ topic: decision.topic, what: `${option.option}, score`, from: scoreText(other.score), to: scoreText(option.score) });
      else if (other.reason !== option.reason) changes.push({ topic: decision.topic, what: `${option.option}, reason`, from: other.reason, to: option.reason });
    }
    for (const fact of decision.children.filter(isFact)) {
      const other = was.children.filter(isFact).find((one) => one.value === fact.value);
      if (other !== undefined && !same(other.is, fact.is)) changes.push({ topic: decision.topic, what: fact.value.replace(/_/g, " "), from: show(other.is), to: show(fact.is) });
    }
  }
  // What was decided otherwise comes before numbers that moved.
  const weight = (one: Change) => (one.what === "winner" || one.what === "decision" ? 0 : /, score$/.test(one.what) || /\d/.test(one.from) ? 2 : 1);
  return changes.sort((a, b) => weight(a) - weight(b));
}

function Changed({ store, told, before }: { store: Store; told: Told; before: Told | null }) {
  const box = useGrowing<HTMLDetailsElement>();
  if (before === null || before.tick === null || before.decisions.length === 0) return null;
  const changes = changesBetween(before.decisions, told.decisions);
  return (
    <details class="changed-since" open ref={box}>
      <summary>Since the one before</summary>
      <button class="link" disabled={!store.writable} onClick={() => store.seek(before.tick!)}>{`To tick ${before.tick}`}</button>
      {changes.length === 0 && <p class="empty">Nothing that was considered changed.</p>}
      <ul>
        {changes.slice(0, CHANGES_MAX).map((one, i) => (
          <li key={i} title={`${one.what}: ${one.from} → ${one.to}`}>
            <small>{one.topic}</small> {one.what}: <s>{one.from}</s> → <strong>{one.to}</strong>
          </li>
        ))}
      </ul>
      {changes.length > CHANGES_MAX && <p class="empty">{`and ${changes.length - CHANGES_MAX} more`}</p>}
    </details>
  );
}
