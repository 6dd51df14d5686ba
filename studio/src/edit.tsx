import { useEffect, useRef, useState } from "preact/hooks";
import { Definition, Fault } from "./backend";
import { Tabs } from "./focus";
import { ChartGraph } from "./graph_chart";
import { FuzzyGraph } from "./graph_fuzzy";
import { LevelGraph } from "./graph_level";
import { GraphProps, TreeGraph } from "./graph_tree";
import { Recipe } from "./recipe";
import { download, Store } from "./store";

const CHECK_AFTER = 250; // ms without a key
const FRESH_EVERY = 300; // ms between two checks of a text that is not being edited

// The texts that the simulation is made of, to be edited while it runs.
export function Edit({ store }: { store: Store }) {
  const session = store.session;
  const all = session?.definitions ?? [];
  const [name, setName] = useState<string | null>(null);
  if (session === null || all.length === 0) return <p class="empty">It has nothing to edit.</p>;
  const chosen = all.find((one) => one.name === name) ?? all[0];
  return (
    <div class="edit">
      {all.length > 1 && (
        <Tabs
          class="toolbar"
          label="Definitions"
          controls="definition"
          value={chosen.name}
          choose={setName}
          tabs={all.map((one) => [one.name, <>{one.name}.{one.format}{store.drafts.has(store.draftKey(session.session, one.name)) && <DraftSign />}</>] as const)}
        />
      )}
      <div class="definition" id="definition" role={all.length > 1 ? "tabpanel" : undefined} aria-labelledby={all.length > 1 ? `definition-${chosen.name}` : undefined}>
      <Editor key={`${session.session} ${chosen.name}`} store={store} session={session.session} definition={chosen} />
      </div>
    </div>
  );
}

export function DraftSign() {
  return <span class="draft-sign" title="Edited, not taken over yet" aria-label=" (draft)">•</span>;
}

type Verdict = { kind: "same" | "checking" | "good" | "bad" | "applied"; faults: Fault[]; lost: string[] };
const SAME: Verdict = { kind: "same", faults: [], lost: [] };

function Editor({ store, session, definition }: { store: Store; session: number; definition: Definition }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  // What the simulation has at the tick shown, null until it came, and the editor's text if it is another.
  const [base, setBase] = useState<string | null>(null);
  const place = store.draftKey(session, definition.name);
  const [draft, setDraftState] = useState<string | null>(store.drafts.get(place) ?? null);
  const setDraft = (now: string | null) => {
    if (now === null) store.drafts.delete(place);
    else store.drafts.set(place, now);
    setDraftState(now);
    store.refresh(); // the tab has a sign for it
  };
  // An edit by controls is taken over as soon as it has no faults; one by keys waits for a person, unless the option says otherwise.
  const byControls = useRef(false);
  const [verdict, setVerdict] = useState<Verdict>(SAME);
  const [line, setLine] = useState(1);
  const [cursor, setCursor] = useState(0);
  const tick = store.pane?.tick ?? 0;
  const text = draft ?? base ?? "";
  const alive = useRef(true);
  const timer = useRef(0);
  const known = useRef(false); // the text was read once
  useEffect(
    () => () => {
      alive.current = false;
      window.clearTimeout(timer.current);
    },
    [],
  );

  // A rewind brings another text: as long as the text is not edited, the editor follows. Ticks that come meanwhile do not put the
  // look off.
  const fetched = useRef(-FRESH_EVERY);
  const follow = () => {
    if (timer.current !== 0) return;
    timer.current = window.setTimeout(async () => {
      timer.current = 0;
      if (store.drafts.has(place)) return;
      if (performance.now() < fetched.current + FRESH_EVERY) return follow(); // something was applied meanwhile
      fetched.current = performance.now();
      const now = await store.readDefinition(session, definition.name);
      if (!alive.current) return;
      if (now !== null) setBase(now);
      else if (!known.current) follow(); // the connection was lost
      known.current ||= now !== null;
    }, Math.max(0, fetched.current + FRESH_EVERY - performance.now()));
  };
  useEffect(() => {
    if (draft === null) follow();
  }, [tick, draft === null]);

  useEffect(() => {
    if (draft === null) return;
    setVerdict((before) => ({ ...before, kind: "checking" }));
    const timer = window.setTimeout(async () => {
      const faults = await store.reloadDefinition(session, definition.name, draft, true);
      if (!alive.current || store.drafts.get(place) !== draft) return; // edited again or taken over meanwhile
      setVerdict({ kind: faults.length > 0 ? "bad" : "good", faults, lost: [] });
      if (faults.length === 0 && (byControls.current || store.liveEdits)) await apply();
    }, byControls.current ? 0 : CHECK_AFTER);
    return () => window.clearTimeout(timer);
  }, [draft]);

  const apply = async () => {
    if (draft === null || !store.writable) return;
    const faults = await store.reloadDefinition(session, definition.name, draft, false);
    if (!alive.current) return;
    if (faults.length > 0) return setVerdict({ kind: "bad", faults, lost: [] });
    setBase(draft);
    if (store.drafts.get(place) !== draft) return; // edited again meanwhile: that text goes next
    setDraft(null);
    byControls.current = false;
    fetched.current = performance.now() + FRESH_EVERY; // the old text holds until the next tick
    setVerdict({ kind: "applied", faults: [], lost: [] });
    window.setTimeout(async () => {
      const lost = await store.lostOf(session);
      if (alive.current && lost.length > 0) setVerdict({ kind: "applied", faults: [], lost });
    }, FRESH_EVERY);
  };
  // Edits by controls can be taken back, each on its own: what the text was before and after it.
  const history = store.textHistory(place);
  const editBy = (now: string) => {
    if (now === text) return;
    history.undo.push(text);
    history.redo.length = 0;
    byControls.current = true;
    setDraft(now);
  };
  const walk = (from: string[], to: string[]) => {
    const now = from.pop();
    if (now === undefined) return;
    to.push(text);
    byControls.current = true;
    setDraft(now);
  };
  const graph: GraphProps = {
    text,
    off: !store.writable,
    cursor,
    edit: editBy,
    reveal: (start, end) => {
      const element = area.current!;
      const at = text.slice(0, start).split("\n").length;
      element.setSelectionRange(start, end);
      element.scrollTop = Math.max(0, (at - 3) * LINE);
      setLine(at);
    },
    undo: history.undo.length > 0 ? () => walk(history.undo, history.redo) : null,
    redo: history.redo.length > 0 ? () => walk(history.redo, history.undo) : null,
  };
  const revert = async () => {
    if (!(await store.confirm(`The edited text of ${definition.name} goes back to what the simulation has.`, "Discard the edit"))) return;
    setDraft(null);
    setVerdict(SAME);
  };
  // To the place of a fault, with the word there selected.
  const goTo = (fault: Fault) => {
    const element = area.current!;
    const lines = text.split("\n");
    let at = Math.max(0, fault.column - 1);
    for (let i = 0; i < fault.line - 1 && i < lines.length; i++) at += lines[i].length + 1;
    const end = at + (/^\w+/.exec(text.slice(at))?.[0].length ?? 1);
    element.focus();
    element.setSelectionRange(at, end);
    element.scrollTop = (fault.line - 4) * LINE;
    setLine(fault.line);
  };
  const bad = new Set(verdict.faults.map((one) => one.line));
  const count = text.split("\n").length;
  const off = !store.writable || (draft === null && base === null);
  return (
    <>
      <p class="help-of-text">{definition.help}</p>
      <Recipe
        store={store}
        session={session}
        name={definition.name}
        text={text}
        edit={editBy}
      />
      {definition.format === "xml" && /<BehaviorTree\b/.test(text) && <TreeGraph {...graph} />}
      {definition.format === "scxml" && <ChartGraph {...graph} />}
      {definition.format === "fll" && <FuzzyGraph {...graph} />}
      {definition.format === "level" && <LevelGraph {...graph} session={session} />}
      <div class="code">
        <div class="gutter" ref={gutter} aria-hidden="true">
          {Array.from({ length: count }, (_, i) => (
            <span class={bad.has(i + 1) ? "bad" : i + 1 === line ? "here" : ""}>{i + 1}</span>
          ))}
        </div>
        <textarea
          ref={area}
          aria-label={`Text of ${definition.name}`}
          spellcheck={false}
          autocapitalize="off"
          wrap="off"
          readOnly={off}
          value={text}
          onInput={(event) => {
            const now = event.currentTarget.value;
            byControls.current = false;
            setDraft(now === base ? null : now);
            if (now === base) setVerdict(SAME);
          }}
          onScroll={(event) => (gutter.current!.scrollTop = event.currentTarget.scrollTop)}
          onSelect={(event) => {
            setLine(text.slice(0, event.currentTarget.selectionStart).split("\n").length);
            if (document.activeElement === event.currentTarget) setCursor(event.currentTarget.selectionStart);
          }}
          onKeyDown={(event) => {
            if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
              event.preventDefault();
              void apply();
            } else if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
      </div>
      <div class="toolbar">
        <button disabled={off || draft === null || verdict.kind === "bad"} onClick={() => void apply()} title="From the next tick on (Ctrl Enter)">Apply</button>
        <button disabled={draft === null} onClick={() => void revert()} title="What the simulation has">Revert</button>
        <button onClick={() => download(`${definition.name}.${definition.format}`, text)} title="As a file; drop it on the page to take it over">Export</button>
        <label class="live" title="Take a typed edit over as soon as it has no faults">
          <input type="checkbox" checked={store.liveEdits} disabled={off} onChange={(event) => store.setLiveEdits(event.currentTarget.checked)} /> as I type
        </label>
        <output class={`verdict ${verdict.kind}`}>{VERDICTS[verdict.kind]}</output>
      </div>
      <ul class="faults" aria-label="Faults">
        {verdict.faults.map((one, i) => (
          <li key={i} class={one.severity}>
            <button class="link" onClick={() => goTo(one)} disabled={one.line === 0}>
              {one.line}:{one.column}
            </button>
            <span>
              {one.message}
              {one.expected !== undefined && <>; expected {one.expected}</>}
              {one.nearest !== undefined && <> (did you mean <strong>{one.nearest}</strong>?)</>}
            </span>
          </li>
        ))}
        {verdict.lost.map((one) => (
          <li class="warning">
            <span>restarted: {one}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

const LINE = 18; // pixels, as in the style sheet
const VERDICTS: Record<Verdict["kind"], string> = { same: "as it runs", checking: "…", good: "no faults", bad: "not yet", applied: "taken over" };
