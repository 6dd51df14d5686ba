import { view } from "./canvas";
import { MarkKind } from "./backend";
import { Store } from "./store";
import { Dialog } from "./focus";
import { markColor } from "./timeline";
import { hover } from "./view_command";

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
  [", .", "the decision before, the next one: of the selected agent, or of any agent"],
  ["< >", "the event before, the next one"],
  ["PgUp, PgDn", "ten seconds back, ten on"],
  ["Home, End", "to the beginning, to the last recorded tick"],
  ["[ ]", "slower, faster"],
  ["n, p", "next agent, previous agent"],
  ["Esc", "select no agent"],
  ["1 2 3 4 5 6 7", "parameters, state, why, plots, edit, tactics, debug"],
  ["Ctrl Enter", "take the edited text over"],
  ["f, b, c", "fork, the same with another seed beside it, compare the two"],
  ["Tab, o", "the next control, the other of two runs"],
  ["Enter", "what the control with the focus does"],
  ["Shift H, /", "the gallery of all simulations, the search in it"],
  ["g", "all keys to the simulation; Esc ends that"],
  ["+ − 0", "zoom in, zoom out, show all"],
  ["Ctrl Z, Ctrl Shift Z", "undo and redo a parameter"],
  ["?", "this list"],
];

// Keys of commands that no keyboard has.
const SPOKEN: Record<string, string> = { Pointer: "click", "Shift Pointer": "Shift click", Hover: "cursor", Arrows: "← ↑ → ↓" };

export function Help({ store }: { store: Store }) {
  const commands = store.session?.commands ?? [];
  return (
    <Dialog label="Keyboard shortcuts" close={() => store.toggleHelp(false)}>
        <h2>Keyboard</h2>
        <dl>
          {KEYS.map(([key, what]) => (
            <>
              <dt>{key}</dt>
              <dd>{what}</dd>
            </>
          ))}
          {commands.filter((one) => one.key !== null && one.key !== "View" && one.key !== "Whole").map((one) => (
            <>
              <dt>{SPOKEN[one.key!] ?? one.key}</dt>
              <dd>{one.help}</dd>
            </>
          ))}
        </dl>
        <h2>Timeline</h2>
        <ul class="legend">
          {MARKS.map(([kind, what]) => (
            <li>
              <i style={{ background: markColor(kind) }} /> <strong>{kind}</strong> {what}
            </li>
          ))}
        </ul>
        <p>Drag to move, wheel or pinch to zoom, click an agent to select it. Drop a recording on the page to open it, or a file of parameters.</p>
        <p class="close">
          <button onClick={() => store.toggleHelp(false)}>Close</button>
        </p>
    </Dialog>
  );
}

// Arrow keys that are held, for simulations that need a direction as long as they are.
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

// A button or a box would act on the space key when it is let go.
export function handleKeyUp(store: Store, event: KeyboardEvent): void {
  if (event.key === " " && !isTyping(event.target)) event.preventDefault();
  if (held.delete(event.key)) steer(store);
}

// A page that loses the focus lets every key go.
export function letGo(store: Store): void {
  if (held.size === 0) return;
  held.clear();
  steer(store);
}

const NO_TEXT = new Set(["checkbox", "radio", "range", "button", "submit", "file"]);
function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !NO_TEXT.has(target.type);
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}

// Enter does what the focused control is for, also for those to which browsers give only the space key.
function activate(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement && (target.type === "checkbox" || target.type === "radio")) target.click();
  else if (target instanceof HTMLSelectElement) {
    try {
      target.showPicker();
    } catch {
      return false; // an older browser opens it by itself
    }
  } else return false;
  return true;
}

// Keys that a list or a slider needs for itself while it has the focus.
const SELECT_KEYS = new Set(["ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown", "Escape"]);
const RANGE_KEYS = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"]);

// While keys go to the simulation, the arrows do so before any control sees them.
export function handleGameKey(store: Store, event: KeyboardEvent): void {
  if (!store.playing || store.home || store.modal || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (ARROWS[event.key] === undefined || !store.session?.commands?.some((one) => one.key === "Arrows")) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.repeat || held.has(event.key)) return;
  held.add(event.key);
  steer(store);
}

export function handleKey(store: Store, event: KeyboardEvent): void {
  if (event.defaultPrevented) return; // a tree, a tab or a popup took it
  const target = event.target as HTMLElement;
  const typing = isTyping(target);
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !typing) {
    event.preventDefault();
    if (event.shiftKey) store.redo();
    else store.undo();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || typing) return;
  if (event.key === "Enter") {
    if (activate(target)) event.preventDefault();
    return;
  }
  if (store.modal) {
    // Behind a dialog only time goes on; a key that opened the help closes it.
    if (event.key === "?" && store.help) store.toggleHelp(false);
    else if (event.key !== " ") return;
    else store.togglePlay();
    return event.preventDefault();
  }
  if (store.home) return homeKey(store, event);
  if (target instanceof HTMLSelectElement && SELECT_KEYS.has(event.key)) return;
  if (target instanceof HTMLInputElement && target.type === "range" && RANGE_KEYS.has(event.key)) return;
  const command = store.writable ? store.session?.commands?.find((one) => one.key === event.key && one.value === "none") : undefined;
  const jump = event.shiftKey ? 60 : 1;
  const actions: Record<string, () => void> = {
    " ": () => store.togglePlay(),
    ArrowLeft: () => store.step(-jump),
    ArrowRight: () => store.step(jump),
    H: () => store.goHome(),
    "/": () => store.goHome(true),
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
    "6": () => store.session?.capabilities?.includes("tactics") && store.show("tactics"),
    "7": () => store.scripts.length > 0 && store.show("debug"),
    "+": () => view.zoom(1.2),
    "=": () => view.zoom(1.2),
    "-": () => view.zoom(1 / 1.2),
    "0": () => view.fit(),
    "?": () => store.toggleHelp(),
  };
  // A key of the simulation's own takes a person into its game; from then on its keys come first.
  const own = actions[event.key];
  if (command !== undefined && (own === undefined || store.playing)) {
    event.preventDefault();
    if (event.repeat) return; // a held key is one command
    store.togglePlaying(true);
    hover.settle();
    store.command(command.name, null);
    return;
  }
  if (own === undefined) {
    // A list would jump to the entry that begins with this letter.
    if (target instanceof HTMLSelectElement && event.key.length === 1) event.preventDefault();
    return;
  }
  event.preventDefault();
  own();
}

// In the gallery there is nothing to drive.
function homeKey(store: Store, event: KeyboardEvent): void {
  const actions: Record<string, () => void> = {
    "?": () => store.toggleHelp(),
    "/": () => document.getElementById("find")?.focus(),
    " ": () => undefined,
    Escape: () => store.search(""),
  };
  const action = actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}
