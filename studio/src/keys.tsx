import { view } from "./canvas";
import { Store } from "./store";

const KEYS: [string, string][] = [
  ["space", "play or pause"],
  ["← →", "one tick back, one on"],
  ["Shift ← →", "sixty ticks back, sixty on"],
  ["Home, End", "to the beginning, to the last recorded tick"],
  ["[ ]", "slower, faster"],
  ["n, p", "next agent, previous agent"],
  ["Esc", "select nobody"],
  ["1 2 3", "parameters, state, why"],
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
          {commands.map((one) => (
            <>
              <dt>{one.key === "Pointer" ? "click" : (one.key ?? "")}</dt>
              <dd>{one.help}</dd>
            </>
          ))}
        </dl>
        <p>Drag to move, wheel or pinch to zoom, click an agent to select it. Drop a recording on the page to open it.</p>
        <button onClick={() => store.toggleHelp(false)}>Close</button>
      </div>
    </div>
  );
}

export function handleKey(store: Store, event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const typing = target instanceof HTMLInputElement && target.type !== "checkbox" && target.type !== "range";
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !typing) {
    event.preventDefault();
    if (event.shiftKey) store.redo();
    else store.undo();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || typing || target instanceof HTMLSelectElement) return;
  const onRange = target instanceof HTMLInputElement && target.type === "range";
  const command = store.session?.commands?.find((one) => one.key === event.key && one.value === "none");
  const jump = event.shiftKey ? 60 : 1;
  const actions: Record<string, () => void> = {
    " ": () => store.togglePlay(),
    Home: () => store.seek(0),
    End: () => store.seek(store.session?.end ?? 0),
    "[": () => store.changeSpeed(-1),
    "]": () => store.changeSpeed(1),
    n: () => store.selectNext(1),
    p: () => store.selectNext(-1),
    Escape: () => (store.help ? store.toggleHelp(false) : store.select(null)),
    "1": () => store.show("parameters"),
    "2": () => store.show("state"),
    "3": () => store.show("why"),
    "+": () => view?.zoom(1.2),
    "=": () => view?.zoom(1.2),
    "-": () => view?.zoom(1 / 1.2),
    "0": () => view?.fit(),
    "?": () => store.toggleHelp(),
  };
  // A slider that has the focus keeps its own arrow keys.
  if (!onRange) {
    actions.ArrowLeft = () => store.step(-jump);
    actions.ArrowRight = () => store.step(jump);
  }
  const action = command !== undefined ? () => store.command(command.name, null) : actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}
