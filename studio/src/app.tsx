import { useEffect, useState } from "preact/hooks";
import { CanvasView } from "./canvas";
import { Found } from "./compare";
import { Edit } from "./edit";
import { handleKey, handleKeyUp, Help, letGo } from "./keys";
import { Parameters } from "./parameters";
import { Plots } from "./plots";
import { State } from "./state";
import { Store } from "./store";
import { Transport } from "./transport";
import { Why } from "./why";

// Renders again whenever the store changed, at most once a frame.
export function useStore(store: Store): void {
  const [, tick] = useState(0);
  useEffect(() => store.subscribe(() => tick((n) => n + 1)), [store]);
}

const PANELS = [
  ["parameters", "Parameters"],
  ["state", "State"],
  ["why", "Why"],
  ["plots", "Plots"],
  ["edit", "Edit"],
] as const;

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
    const away = () => letGo(store);
    window.addEventListener("keydown", key);
    window.addEventListener("keyup", up);
    window.addEventListener("blur", away);
    window.addEventListener("dragover", over);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("keydown", key);
      window.removeEventListener("keyup", up);
      window.removeEventListener("blur", away);
      window.removeEventListener("dragover", over);
      window.removeEventListener("drop", drop);
    };
  }, [store]);
  return (
    <div class={store.panel === "edit" ? "page editing" : "page"}>
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
        <nav role="tablist">
          {PANELS.map(([panel, title]) => (
            <button role="tab" aria-selected={store.panel === panel} onClick={() => store.show(panel)}>
              {title}
            </button>
          ))}
        </nav>
        <div class="panel" role="tabpanel">
          {store.panel === "parameters" && <Parameters store={store} />}
          {store.panel === "state" && <State store={store} />}
          {store.panel === "why" && <Why store={store} />}
          {store.panel === "plots" && <Plots store={store} />}
          {store.panel === "edit" && <Edit store={store} />}
        </div>
      </aside>
      <Notices store={store} />
      {store.help && <Help store={store} />}
    </div>
  );
}

function Header({ store }: { store: Store }) {
  const others = store.sessions.filter((one) => one.session !== store.session?.session);
  return (
    <header>
      <strong class="brand">ploy</strong>
      <label class="chooser">
        <span class="visually-hidden">Simulation</span>
        <select
          aria-label="Simulation"
          value={store.session === null ? "" : store.session.kind === "live" ? `session:${store.session.session}` : `open:${store.session.name}`}
          onChange={(event) => {
            const [kind, name] = event.currentTarget.value.split(":");
            if (kind === "open") store.open(name);
            else if (kind === "session") store.watch(Number(name));
          }}
        >
          {store.session === null && <option value="">nothing open</option>}
          {store.simulations.length > 0 && (
            <optgroup label="Labs and games">
              {store.simulations.map((one) => (
                <option value={`open:${one.name}`} disabled={!store.writable && one.name !== store.session?.name}>
                  {one.title}
                </option>
              ))}
            </optgroup>
          )}
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
      <span class="help-text">{store.session?.help ?? ""}</span>
      <span class="spacer" />
      {store.playing && <button class="badge lit" onClick={() => store.togglePlaying(false)} title="Keys go to the simulation; Esc ends that">keys to the game</button>}
      {store.connection === "open" && !store.writable && <span class="badge" title="Open the address with its token to change things">read only</span>}
      <button onClick={() => store.toggleHelp()} title="Keyboard shortcuts (?)" aria-label="Help">
        ?
      </button>
    </header>
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
