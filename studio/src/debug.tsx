// The debugger's panel: source with breakpoints and coverage, steps forward and back, stack, variables, watches, profile.
import { useEffect, useRef, useState } from "preact/hooks";
import { Tabs } from "./focus";
import { Draft } from "./parameters";
import { show } from "./state";
import { Store } from "./store";
import { Break, Counted, Debugging, Move, Stop, Variable } from "./store_debug";

const READ_EVERY = 1000; // ms between two looks at a text that may be edited meanwhile

const MOVES: [Move, string, string][] = [
  ["continue", "Continue", "To the next breakpoint; before the first stop from 600 ticks before the tick shown"],
  ["in", "In", "To the next line"],
  ["over", "Over", "To the next line, not inside a function that is called"],
  ["out", "Out", "To the next line of the caller"],
  ["back", "Back", "To the line before"],
  ["count", "Count", "Coverage and units by function, of up to 600 ticks before the tick shown"],
];

export function Debug({ store }: { store: Store }) {
  const debug = store.debugging();
  if (debug === null || store.scripts.length === 0) return <p class="empty">It has no scripts.</p>;
  return <DebugOf key={debug.session} store={store} debug={debug} />;
}

function DebugOf({ store, debug }: { store: Store; debug: Debugging }) {
  const [chosen, choose] = useState<string | null>(null);
  const { stop, counted } = debug;
  // A stop leads to its script; a person may look at another one until the next stop.
  useEffect(() => choose(null), [stop]);
  const scripts = store.scripts;
  const name = chosen ?? (stop !== null && scripts.includes(stop.script) ? stop.script : scripts[0]);
  return (
    <div class="debug">
      <div class="toolbar" role="toolbar" aria-label="Debugger">
        {MOVES.map(([move, title, help]) => (
          <button key={move} title={help} onClick={() => void store.debug(move)}>{title}</button>
        ))}
        <button title="Forget the stop and what was counted" disabled={stop === null && counted === null} onClick={() => store.leaveStop()}>Leave</button>
      </div>
      <Where store={store} debug={debug} />
      {scripts.length > 1 && <Tabs class="toolbar" label="Scripts" controls="debug-source" value={name} choose={choose} tabs={scripts.map((one) => [one, one] as const)} />}
      <Source key={name} store={store} debug={debug} name={name} />
      {debug.breaks.length > 0 && <Breaks store={store} breaks={debug.breaks} hit={stop?.break ?? null} />}
      {stop !== null && <Stack key={`${stop.tick} ${stop.at}`} stop={stop} />}
      <Watches store={store} debug={debug} />
      {counted !== null && <Profile counted={counted} />}
    </div>
  );
}

// Where the script stopped. The session may be at another tick: it was never stopped.
function Where({ store, debug }: { store: Store; debug: Debugging }) {
  const stop = debug.stop;
  return (
    <p class="place" role="status">
      {stop === null ? (
        "Not stopped. The game goes on: a move executes recorded ticks again."
      ) : (
        <>
          {stop.script}:{stop.line}
          {stop.function !== "" && ` in ${stop.function}`}, tick{" "}
          <button class="link" disabled={!store.writable} onClick={() => store.seek(stop.tick)} title="Show that tick">{stop.tick}</button>
          {stop.agent !== null && (
            <>
              , agent <button class="link" onClick={() => store.select(stop.agent)}>{stop.agent}</button>
            </>
          )}
        </>
      )}
      {debug.busy && " …"}
      {debug.note !== "" && <span class="note"> {debug.note}</span>}
    </p>
  );
}

// --- source ---

function useText(store: Store, session: number, name: string): string | null {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    let gone = false;
    let timer = 0;
    const read = async () => {
      const now = await store.readDefinition(session, name);
      if (gone) return;
      if (now !== null) setText(now);
      timer = window.setTimeout(read, READ_EVERY);
    };
    void read();
    return () => {
      gone = true;
      window.clearTimeout(timer);
    };
  }, [session, name]);
  return text;
}

function Source({ store, debug, name }: { store: Store; debug: Debugging; name: string }) {
  const text = useText(store, debug.session, name);
  const list = useRef<HTMLOListElement>(null);
  const stop = debug.stop?.script === name ? debug.stop : null;
  const runs = new Map(debug.counted?.lines.filter((one) => one.script === name).map((one) => [one.line, one.runs]));
  const breaks = new Map(debug.breaks.filter((one) => one.script === name).map((one) => [one.line, one]));
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>("li.here");
    if (here == null || list.current === null) return;
    list.current.scrollTop = here.offsetTop - list.current.clientHeight / 2;
  }, [stop, text]);
  if (text === null) return <p class="empty">…</p>;
  return (
    <ol class="source" id="debug-source" role={store.scripts.length > 1 ? "tabpanel" : undefined} aria-label={`Source of ${name}`} ref={list} tabIndex={0}>
      {text.replace(/\n$/, "").split("\n").map((row, i) => {
        const line = i + 1;
        const ran = runs.get(line);
        const set = breaks.get(line);
        const state = [stop?.line === line ? "here" : "", ran === undefined ? "" : ran > 0 ? "ran" : "never"].join(" ");
        return (
          <li key={line} class={state} data-line={line}>
            <button class="line-number" aria-pressed={set !== undefined} aria-label={`Breakpoint at line ${line}`} title={set?.condition ? `if ${set.condition}` : "Set or remove a breakpoint"} onClick={() => store.toggleBreak(name, line)}>
              {line}
            </button>
            <span class="runs" title={ran === undefined ? "" : ran > 0 ? `ran ${ran} times` : "never ran"}>{ran === undefined ? "" : ran > 0 ? brief(ran) : "–"}</span>
            <code aria-current={stop?.line === line ? "step" : undefined}>{row}</code>
          </li>
        );
      })}
    </ol>
  );
}

const brief = (count: number): string => (count < 10000 ? String(count) : count < 1e7 ? `${Math.round(count / 1000)}k` : `${Math.round(count / 1e6)}M`);

// --- breakpoints and watches ---

function Breaks({ store, breaks, hit }: { store: Store; breaks: Break[]; hit: number | null }) {
  return (
    <section>
      <h4>breakpoints</h4>
      <ul class="breaks">
        {breaks.map((one, i) => (
          <li key={`${one.script} ${one.line}`} class={i === hit ? "hit" : ""}>
            <span>{one.script}:{one.line}</span>
            <label>
              if <Draft id={`condition-${one.script}-${one.line}`} off={false} label={`Condition of the breakpoint at line ${one.line}`} text={one.condition} accept={(text) => store.setCondition(one, text)} />
            </label>
            <button aria-label={`Remove the breakpoint at line ${one.line}`} title="Remove" onClick={() => store.toggleBreak(one.script, one.line)}>×</button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Watches({ store, debug }: { store: Store; debug: Debugging }) {
  const [text, setText] = useState("");
  const add = () => {
    const now = text.trim();
    if (now !== "" && !debug.watches.includes(now)) store.setWatches([...debug.watches, now]);
    setText("");
  };
  return (
    <section>
      <h4>watches</h4>
      <ul class="watches">
        {debug.watches.map((one) => {
          const value = debug.stop?.watches.find((other) => other.text === one);
          return (
            <li key={one}>
              <code>{one}</code>
              <span class={value?.error !== undefined ? "value error" : "value"}>{value === undefined ? "" : (value.error ?? show(value.value))}</span>
              <button aria-label={`Remove the watch ${one}`} title="Remove" onClick={() => store.setWatches(debug.watches.filter((other) => other !== one))}>×</button>
            </li>
          );
        })}
      </ul>
      <input
        class="add-watch"
        aria-label="New watch"
        placeholder="a name or an expression, then Enter"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") add();
          else if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
    </section>
  );
}

// --- where it stopped ---

function Stack({ stop }: { stop: Stop }) {
  const [level, setLevel] = useState(0);
  return (
    <>
      <section>
        <h4>call stack</h4>
        <ol class="stack">
          {stop.stack.map((one, i) => (
            <li key={i}>
              <button class={i === level ? "link now" : "link"} aria-pressed={i === level} onClick={() => setLevel(i)}>{one.function === "" ? "(outside functions)" : one.function}</button> line {one.line}
            </li>
          ))}
        </ol>
      </section>
      <Variables title="locals" all={stop.stack[level]?.locals ?? []} />
      <Variables title="of the script" all={stop.globals} />
    </>
  );
}

function Variables({ title, all }: { title: string; all: Variable[] }) {
  if (all.length === 0) return null;
  return (
    <section>
      <h4>{title}</h4>
      <ul class="facts variables" aria-label={title}>
        {all.map((one, i) => (
          <li key={i}>
            {one.name} <strong>{show(one.value)}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}

// --- counted ---

function Profile({ counted }: { counted: Counted }) {
  const most = Math.max(1, ...counted.functions.map((one) => one.units));
  const ran = counted.lines.filter((one) => one.runs > 0).length;
  return (
    <section>
      <h4>profile</h4>
      <p class="caption">{`${ran} of ${counted.lines.length} lines ran in ticks ${counted.from} to ${counted.to}.`}</p>
      <table class="profile">
        <thead>
          <tr>
            <th>function</th>
            <th>units</th>
            <th>calls</th>
          </tr>
        </thead>
        <tbody>
          {counted.functions.map((one) => (
            <tr key={`${one.script} ${one.function}`}>
              <td>
                {one.script} <strong>{one.function}</strong>
                <span class="bar"><i style={{ width: `${(100 * one.units) / most}%` }} /></span>
              </td>
              <td>{one.units}</td>
              <td>{one.calls}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
