import { useEffect, useState } from "preact/hooks";
import { CanvasView } from "./canvas";
import { Panel } from "./address";
import { Found } from "./compare";
import { Debug } from "./debug";
import { DraftSign, Edit } from "./edit";
import { Dialog, Tabs } from "./focus";
import { byCategory, entryOf, Home, Techniques } from "./home";
import { handleGameKey, handleKey, handleKeyUp, Help, letGo } from "./keys";
import { Parameters } from "./parameters";
import { Plots } from "./plots";
import { Reader } from "./reader";
import { State } from "./state";
import { Store } from "./store";
import { Tactics } from "./tactics";
import { Transport } from "./transport";
import { Why } from "./why";

// Renders again whenever the store changed, at most once a frame.
export function useStore(store: Store): void {
  const [, tick] = useState(0);
  useEffect(() => store.subscribe(() => tick((n) => n + 1)), [store]);
}

const PANELS: [Panel, string][] = [
  ["parameters", "Parameters"],
  ["state", "State"],
  ["why", "Why"],
  ["tactics", "Tactics"],
  ["plots", "Plots"],
  ["edit", "Edit"],
  ["debug", "Debug"],
];

// Tactics and the debugger only where there is something for them, or where a link leads to them.
const panelsOf = (store: Store): [Panel, string][] =>
  PANELS.filter(([panel]) => panel === store.panel || (panel !== "tactics" && panel !== "debug") || (panel === "debug" ? store.scripts.length > 0 : store.session?.capabilities?.includes("tactics") === true));

export function App({ store }: { store: Store }) {
  useStore(store);
  useEffect(() => {
    const key = (event: KeyboardEvent) => handleKey(store, event);
    const over = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file !== undefined) store.openFile(file);
    };
    const up = (event: KeyboardEvent) => handleKeyUp(store, event);
    const first = (event: KeyboardEvent) => handleGameKey(store, event);
    const away = () => letGo(store);
    window.addEventListener("keydown", first, true);
    window.addEventListener("keydown", key);
    window.addEventListener("keyup", up);
    window.addEventListener("blur", away);
    window.addEventListener("dragover", over);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("keydown", first, true);
      window.removeEventListener("keydown", key);
      window.removeEventListener("keyup", up);
      window.removeEventListener("blur", away);
      window.removeEventListener("dragover", over);
      window.removeEventListener("drop", drop);
    };
  }, [store]);
  const dialogs = (
    <>
      <Notices store={store} />
      {store.help && <Help store={store} />}
      {store.about && store.session !== null && <About store={store} />}
      {store.reading !== null && <Reader store={store} file={store.reading} />}
      {store.question !== null && <Ask store={store} />}
    </>
  );
  if (store.home) {
    return (
      <div class="page at-home">
        <Header store={store} />
        <Home store={store} />
        {dialogs}
      </div>
    );
  }
  const draft = (store.session?.definitions ?? []).some((one) => store.drafts.has(store.draftKey(store.session!.session, one.name)));
  return (
    <div class={`page${store.panel === "edit" || store.panel === "debug" ? " editing" : ""}${store.panes.length > 1 ? " comparing" : ""}`}>
      <Header store={store} />
      <main>
        <div class={store.panes.length > 1 ? "views two" : "views"}>
          <CanvasView key="a" store={store} pane={store.panes[0] ?? null} place={0} />
          {store.panes.length > 1 && <CanvasView key="b" store={store} pane={store.panes[1]} place={1} />}
          <Found store={store} />
        </div>
        {store.session?.kind !== "live" && <Transport store={store} />}
      </main>
      <aside>
        <Tabs class="panels" label="Panels" controls="panel" value={store.panel} choose={(panel) => store.show(panel)} tabs={panelsOf(store).map(([panel, title]) => [panel, panel === "edit" && draft ? <>{title}<DraftSign /></> : title] as const)} />
        <div class="panel" id="panel" role="tabpanel" aria-labelledby={`panel-${store.panel}`} tabIndex={-1}>
          {store.panel === "parameters" && <Parameters store={store} />}
          {store.panel === "state" && <State store={store} />}
          {store.panel === "why" && <Why store={store} />}
          {store.panel === "tactics" && <Tactics store={store} />}
          {store.panel === "plots" && <Plots store={store} />}
          {store.panel === "edit" && <Edit store={store} />}
          {store.panel === "debug" && <Debug store={store} />}
        </div>
      </aside>
      {dialogs}
    </div>
  );
}

function Header({ store }: { store: Store }) {
  const others = store.running.filter((one) => one.session !== store.session?.session);
  const help = store.session?.help ?? "";
  return (
    <header>
      <button class="brand" onClick={() => store.goHome()} aria-label="ploy: all simulations" title="All simulations (Shift H)" disabled={store.home && store.connection === "open"}>
        ploy
      </button>
      <label class="chooser">
        <span class="visually-hidden">Simulation</span>
        <select
          aria-label="Simulation"
          value={store.session === null ? "" : store.session.kind === "live" ? `session:${store.session.session}` : `open:${store.session.name}`}
          onChange={(event) => {
            const [kind, name] = event.currentTarget.value.split(":");
            if (kind === "open") void store.choose(name);
            else if (kind === "session") store.watch(Number(name));
            event.currentTarget.blur(); // keys are the page's again
          }}
        >
          {store.session === null && <option value="">choose a simulation…</option>}
          {byCategory(store.simulations).map(([category, all]) => (
            <optgroup key={category} label={category}>
              {all.map((one) => (
                <option key={one.name} value={`open:${one.name}`} disabled={!store.writable && one.name !== store.session?.name}>
                  {one.title}
                </option>
              ))}
            </optgroup>
          ))}
          {store.session?.kind === "live" && <option value={`session:${store.session.session}`}>{store.session.title}</option>}
          {others.length > 0 && (
            <optgroup label="Running">
              {others.map((one) => (
                <option value={`session:${one.session}`}>
                  {one.title} ({one.kind === "live" ? "live" : `number ${one.session}`})
                </option>
              ))}
            </optgroup>
          )}
        </select>
      </label>
      {!store.home && (
        <button class="about" disabled={store.session === null} onClick={() => store.toggleAbout()} title="What this is, and the techniques that it shows">
          About
        </button>
      )}
      <span class="help-text" title={help}>{help}</span>
      <span class="spacer" />
      {store.playing && <button class="badge lit" onClick={() => store.togglePlaying(false)} title="Keys go to the simulation; Esc ends that">keys<span class="words"> to the game</span></button>}
      {store.connection === "open" && !store.writable && <span class="badge" title="Open the address with its token to change things">read only</span>}
      <button onClick={() => store.toggleHelp()} title="Keyboard shortcuts (?)" aria-label="Help">
        ?
      </button>
    </header>
  );
}

// The whole help text of a simulation, its techniques and its source.
function About({ store }: { store: Store }) {
  const session = store.session!;
  return (
    <Dialog label={`About ${session.title}`} close={() => store.toggleAbout(false)}>
      <h2>{session.title}</h2>
      <p>{session.help}</p>
      <Techniques entry={entryOf(session.name)} open />
      <p class="close">
        <button onClick={() => store.toggleAbout(false)}>Close</button>
      </p>
    </Dialog>
  );
}

function Ask({ store }: { store: Store }) {
  const { text, yes, answer } = store.question!;
  return (
    <Dialog label="Question" close={() => answer(false)} class="question">
      <p>{text}</p>
      <div class="toolbar">
        <button onClick={() => answer(false)}>Cancel</button>
        <button class="danger" onClick={() => answer(true)}>{yes}</button>
      </div>
    </Dialog>
  );
}

function Notices({ store }: { store: Store }) {
  return (
    <div class="notices" role="status" aria-live="polite">
      {store.connection === "lost" && (
        <div class="notice error" data-notice="lost">
          <span>
            The server is gone{store.reason !== "" ? `: ${store.reason}` : ""}. Trying again…
          </span>
          <button onClick={() => store.backend.retry()}>Now</button>
        </div>
      )}
      {store.session?.failed != null && <div class="notice error">The simulation stopped: {store.session.failed.message}. Going back in time mends it.</div>}
      {store.message !== null && <div class={`notice ${store.message.kind}`}>{store.message.text}</div>}
    </div>
  );
}
