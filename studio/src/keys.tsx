import { view } from "./canvas";
import { MarkKind } from "./backend";
import { Store } from "./store";
import { MARK_COLORS } from "./timeline";

const MARKS: [MarkKind, string][] = [
  ["event", "the simulation's own, such as a goal"],
  ["input", "something came from outside"],
  ["state", "an agent is in another state"],
  ["decision", "an agent decided otherwise than before"],
  ["failed", "nothing that was considered was possible"],
  ["overrun", "the budget began to put turns off"],
];

const KEYS: [string, string][] = [
  ["space", "play or pause"],
  ["← →", "one tick back, one on"],
  ["Shift ← →", "sixty ticks back, sixty on"],
  [", .", "the decision before, the next one, of the selected agent or of anybody"],
  ["< >", "the event before, the next one"],
  ["PgUp, PgDn", "ten seconds back, ten on"],
  ["Home, End", "to the beginning, to the last recorded tick"],
  ["[ ]", "slower, faster"],
  ["n, p", "next agent, previous agent"],
  ["Esc", "select nobody"],
  ["1 2 3 4 5", "parameters, state, why, plots, edit"],
  ["Ctrl Enter", "take the edited text over"],
  ["f, b, c", "fork, the same with another seed beside it, compare the two"],
  ["Tab, o", "the next control, the other of two runs"],
  ["g", "all keys to the simulation; Esc ends that"],
  ["+ − 0", "zoom in, zoom out, show all"],
  ["Ctrl Z, Ctrl Shift Z", "undo and redo a parameter"],
  ["?", "this list"],
];

export function Help({ store }: { store: Store }) {
  const commands = store.session?.commands ?? [];
  return (
    <div class="dialog-back" onClick={() => store.toggleHelp(false)}>
      <div class="dialog" role="dialog" aria-modal="true" aria-label="Keyboard shortcuts" onClick={(event) => event.stopPropagation()}>
        <h2>Keyboard</h2>
        <dl>
          {KEYS.map(([key, what]) => (
            <>
              <dt>{key}</dt>
              <dd>{what}</dd>
            </>
          ))}
          {commands.filter((one) => one.key !== null).map((one) => (
            <>
              <dt>{one.key === "Pointer" ? "click" : one.key === "Arrows" ? "← ↑ → ↓" : one.key}</dt>
              <dd>{one.help}</dd>
            </>
          ))}
        </dl>
        <h2>Timeline</h2>
        <ul class="legend">
          {MARKS.map(([kind, what]) => (
            <li>
              <i style={{ background: MARK_COLORS[kind] }} /> <strong>{kind}</strong> {what}
            </li>
          ))}
        </ul>
        <p>Drag to move, wheel or pinch to zoom, click an agent to select it. Drop a recording on the page to open it, or a file of parameters.</p>
        <button onClick={() => store.toggleHelp(false)}>Close</button>
      </div>
    </div>
  );
}

// Arrow keys that are held, for simulations that want a direction as long as they are.
const ARROWS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const held = new Set<string>();

function steer(store: Store): void {
  const command = store.session?.commands?.find((one) => one.key === "Arrows" && one.value === "vec2");
  if (command === undefined || !store.writable) return;
  let [x, y] = [0, 0];
  for (const key of held) [x, y] = [x + ARROWS[key][0], y + ARROWS[key][1]];
  const length = Math.hypot(x, y) || 1;
  store.command(command.name, [x / length, y / length]);
}

export function handleKeyUp(store: Store, event: KeyboardEvent): void {
  if (held.delete(event.key)) steer(store);
}

// Whoever looks away stops running.
export function letGo(store: Store): void {
  if (held.size === 0) return;
  held.clear();
  steer(store);
}

export function handleKey(store: Store, event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const typing = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== "checkbox" && target.type !== "range");
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !typing) {
    event.preventDefault();
    if (event.shiftKey) store.redo();
    else store.undo();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || typing || target instanceof HTMLSelectElement) return;
  if (store.playing && ARROWS[event.key] !== undefined && store.session?.commands?.some((one) => one.key === "Arrows")) {
    event.preventDefault();
    if (event.repeat || held.has(event.key)) return;
    held.add(event.key);
    return steer(store);
  }
  const onRange = target instanceof HTMLInputElement && target.type === "range";
  const command = store.writable ? store.session?.commands?.find((one) => one.key === event.key && one.value === "none") : undefined;
  const jump = event.shiftKey ? 60 : 1;
  const actions: Record<string, () => void> = {
    " ": () => store.togglePlay(),
    Home: () => store.seek(0),
    End: () => store.seek(store.session?.end ?? 0),
    "[": () => store.changeSpeed(-1),
    "]": () => store.changeSpeed(1),
    n: () => store.selectNext(1),
    p: () => store.selectNext(-1),
    Escape: () => (store.help ? store.toggleHelp(false) : store.playing ? store.togglePlaying(false) : store.select(null)),
    ",": () => store.seekDecision(-1),
    ".": () => store.seekDecision(1),
    "<": () => store.seekEvent(-1),
    ">": () => store.seekEvent(1),
    PageUp: () => store.seekBy(-10),
    PageDown: () => store.seekBy(10),
    f: () => store.fork(),
    b: () => store.beside(),
    c: () => store.compare(),
    o: () => store.activate(1 - store.active),
    g: () => store.togglePlaying(),
    "1": () => store.show("parameters"),
    "2": () => store.show("state"),
    "3": () => store.show("why"),
    "4": () => store.show("plots"),
    "5": () => store.show("edit"),
    "+": () => view.zoom(1.2),
    "=": () => view.zoom(1.2),
    "-": () => view.zoom(1 / 1.2),
    "0": () => view.fit(),
    "?": () => store.toggleHelp(),
  };
  // A slider that has the focus keeps its own arrow keys.
  if (!onRange) {
    actions.ArrowLeft = () => store.step(-jump);
    actions.ArrowRight = () => store.step(jump);
  }
  // A key of the simulation's own takes a person into its game; from then on its keys come first.
  const own = actions[event.key];
  if (command !== undefined && (own === undefined || store.playing)) {
    event.preventDefault();
    if (event.repeat) return; // a held key is one command
    store.togglePlaying(true);
    store.command(command.name, null);
    return;
  }
  if (own === undefined || (event.key === " " && target instanceof HTMLButtonElement)) return;
  event.preventDefault();
  own();
}
