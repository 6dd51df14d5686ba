import { Decision, TraceChild } from "./backend";
import { show } from "./state";
import { Store } from "./store";

type Option = Extract<TraceChild, { option: string }>;
const isOption = (child: TraceChild): child is Option => "option" in child;

export function Why({ store }: { store: Store }) {
  if (store.session?.kind === "live") return <p class="empty">A live program is watched from outside; it keeps no reasons to ask for.</p>;
  return (
    <div class="why">
      <p class="caption">
        {store.selected === null ? "Everybody" : `Agent ${store.selected}`}, tick {Math.max(store.decisionsTick, 0)}
        {store.selected !== null ? (
          <button onClick={() => store.select(null)}>ask everybody</button>
        ) : (
          <button onClick={() => store.selectNext(1)}>pick one</button>
        )}
      </p>
      {store.decisions.length === 0 ? (
        <p class="empty">{(store.session?.tick ?? 0) === 0 ? "Nothing was decided yet: take a step." : "Nothing was decided in this tick."}</p>
      ) : (
        store.decisions.map((decision, i) => <DecisionView key={i} store={store} decision={decision} />)
      )}
    </div>
  );
}

function DecisionView({ store, decision }: { store: Store; decision: Decision }) {
  const options = decision.children.filter(isOption);
  const scores = options.filter((one) => one.outcome === "won" || one.outcome === "lost").map((one) => one.score).filter((score): score is number => score !== null);
  const best = scores.length > 0 ? Math.max(...scores) : null;
  return (
    <section class="decision">
      <h3>
        {decision.agent !== null && store.selected === null ? (
          <button class="link" onClick={() => store.select(decision.agent)}>
            {decision.agent}
          </button>
        ) : null}{" "}
        {decision.topic} <small>by {decision.technique}</small>
      </h3>
      {options.map((one) => (
        <div class={`option ${one.outcome}`}>
          <span class="outcome">{one.outcome === "won" ? "✔" : one.outcome === "lost" ? "·" : one.outcome === "rejected" ? "✘" : "–"}</span>
          <span class="name">{one.option}</span>
          <span class="score">
            {one.score === null ? "" : show(one.score)}
            {one.outcome === "lost" && one.score !== null && best !== null && one.score < best && <small> ({show(best - one.score)} behind)</small>}
          </span>
          <span class="reason">{one.reason}</span>
        </div>
      ))}
      {decision.children
        .filter((child) => !isOption(child))
        .map((child, i) =>
          "topic" in child ? (
            <DecisionView key={i} store={store} decision={child} />
          ) : "note" in child ? (
            <p class="note">{child.note}</p>
          ) : (
            <div class="leaf">
              <span class="name">{(child as { value: string }).value.replace(/_/g, " ")}</span>
              <span class="value">{show((child as { is: any }).is)}</span>
            </div>
          ),
        )}
    </section>
  );
}
