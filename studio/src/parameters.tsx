import { useRef, useState } from "preact/hooks";
import { Field, Value } from "./backend";
import { Store } from "./store";

export function Parameters({ store }: { store: Store }) {
  const session = store.session;
  if (session === null) return <p class="empty">Nothing is open.</p>;
  const groups = new Map<string, Field[]>();
  for (const field of session.fields) {
    const group = field.path.includes(".") ? field.path.slice(0, field.path.lastIndexOf(".")) : "";
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group)!.push(field);
  }
  return (
    <div class="parameters">
      <div class="toolbar">
        <button disabled={!store.canUndo || !store.writable} onClick={() => store.undo()} title="Undo (Ctrl+Z)">Undo</button>
        <button disabled={!store.canRedo || !store.writable} onClick={() => store.redo()} title="Redo (Ctrl+Shift+Z)">Redo</button>
        <button disabled={!store.writable} onClick={() => store.resetParameters()} title="Everything back to its default">Reset all</button>
        <button disabled={session.fields.length === 0} onClick={() => store.exportParameters()} title="A file for --params; drop one on the page to take it over">Export</button>
      </div>
      {session.seed !== undefined && <Seed store={store} seed={session.seed} />}
      {[...groups].map(([group, fields]) => (
        <fieldset key={group}>
          {group !== "" && <legend>{group.replace(/_/g, " ")}</legend>}
          {fields.map((field) => (
            <Row key={field.path} store={store} field={field} />
          ))}
        </fieldset>
      ))}
      {session.fields.length === 0 && <p class="empty">It has no parameters.</p>}
      <Commands store={store} />
    </div>
  );
}

// The commands that the simulation receives by keys and clicks, as buttons: for a hand without a keyboard, and because some of its keys
// are also the page's.
function Commands({ store }: { store: Store }) {
  const commands = (store.session?.commands ?? []).filter((one) => one.value === "none" && one.key !== "Whole");
  if (commands.length === 0) return null;
  return (
    <fieldset class="commands">
      <legend>Commands</legend>
      <div class="toolbar">
        {commands.map((one) => (
          <button key={one.name} disabled={!store.writable || (one.needs_agent && store.selected === null)} onClick={() => store.command(one.name, null)} title={one.needs_agent ? `${one.help} (the selected agent)` : one.help}>
            {one.name.replace(/_/g, " ")}
            {one.key !== null && <kbd>{one.key}</kbd>}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

function Seed({ store, seed }: { store: Store; seed: string }) {
  const [text, setText] = useState(seed);
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        store.restart(text);
      }}
    >
      <label class="name" for="seed" title="The same seed gives the same run">seed</label>
      <input id="seed" inputMode="numeric" pattern="[0-9]+" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      <button disabled={!store.writable || !/^\d+$/.test(text)}>Restart</button>
    </form>
  );
}

export function format(value: Value): string {
  if (typeof value === "number") return String(Number(value.toPrecision(6)));
  if (Array.isArray(value)) return value.map((one) => Number(one.toPrecision(6))).join(", ");
  return String(value);
}

// A range may reach up to a million; a slider that did would be useless, so it ends at eight times the default. The
// number beside it takes the rest.
function sliderOf(field: Field): { toSlider(v: number): number; toValue(s: number): number } {
  const min = field.min ?? 0;
  let max = field.max ?? min + 1;
  if (typeof field.default === "number" && field.default > 0) max = Math.min(max, field.default * 8);
  const span = max > min ? max - min : 1;
  return {
    toSlider: (v) => (1000 * (v - min)) / span,
    toValue: (s) => {
      const value = min + (s / 1000) * span;
      return field.type === "i32" ? Math.round(value) : Number(value.toPrecision(4));
    },
  };
}

function Row({ store, field }: { store: Store; field: Field }) {
  const value = store.valueOf(field.path);
  const off = !store.writable || !field.live;
  const pending = store.session?.pending?.[field.path] !== undefined;
  const id = `field-${field.path}`;
  const differs = JSON.stringify(value) !== JSON.stringify(field.default);
  const range =
    field.min !== undefined ? `${field.help} (${format(field.min)} to ${format(field.max ?? 0)} ${field.unit})` : field.help;
  return (
    <div class={pending ? "row pending" : "row"} title={field.live ? range : `${range}; fixed at the start`}>
      <label class="name" for={id}>
        {field.name.replace(/_/g, " ")} {field.unit !== "" && <small>{field.unit}</small>}
      </label>
      <FieldInput field={field} value={value} id={id} off={off} set={(next, joined) => store.setParameter(field.path, next, joined)} />
      <button class="reset" disabled={off || !differs} onClick={() => store.setParameter(field.path, field.default)} title={`Back to ${format(field.default)}`} aria-label={`Reset ${field.path}`}>
        ↺
      </button>
    </div>
  );
}

// A text field that keeps what is being typed, however often the page is rendered meanwhile, and then until the page
// shows what became of it: in between, the old text would be back for a moment.
export function Draft({ id, off, text, accept, placeholder, label }: { id: string; off: boolean; text: string; accept: (text: string) => void; placeholder?: string; label?: string }) {
  const [draft, setDraft] = useState<string | null>(null);
  const typed = useRef(0);
  const end = () => {
    const then = typed.current;
    requestAnimationFrame(() => typed.current === then && setDraft(null));
  };
  return (
    <input
      id={id}
      class="number"
      disabled={off}
      placeholder={placeholder}
      aria-label={label}
      value={draft ?? text}
      onInput={(event) => {
        typed.current++;
        setDraft(event.currentTarget.value);
      }}
      onChange={(event) => {
        accept(event.currentTarget.value);
        end();
      }}
      onBlur={end}
    />
  );
}

// The control of one field: a box to tick, a list, a slider with its number, or a text. `joined` is set while one drag
// of a slider goes on.
export function FieldInput({ field, value, id, off, set }: { field: Field; value: Value; id: string; off: boolean; set: (next: Value, joined?: boolean) => void }) {
  const dragging = useRef(false);
  if (field.type === "bool") {
    return <input id={id} type="checkbox" checked={value === true} disabled={off} onChange={(event) => set(event.currentTarget.checked)} />;
  }
  if (field.type === "enum") {
    return (
      <select id={id} disabled={off} value={String(value)} onChange={(event) => set(event.currentTarget.value)}>
        {field.choices!.map((choice) => (
          <option>{choice}</option>
        ))}
      </select>
    );
  }
  const parse = (text: string): Value | undefined => {
    if (field.type === "u64") return /^\d+$/.test(text) ? text : undefined;
    if (field.type === "vec2" || field.type === "vec3") {
      const parts = text.split(",").map((part) => Number(part.trim()));
      return parts.length === (field.type === "vec2" ? 2 : 3) && parts.every(Number.isFinite) ? parts : undefined;
    }
    const number = Number(text);
    return text.trim() !== "" && Number.isFinite(number) ? number : undefined;
  };
  const text = <Draft id={id} off={off} text={format(value)} accept={(text) => {
    const next = parse(text);
    if (next !== undefined) set(next);
  }} />;
  if (field.type !== "f32" && field.type !== "f64" && field.type !== "i32") return text;
  const slider = sliderOf(field);
  return (
    <>
      <input
        type="range"
        aria-label={field.path}
        min={0}
        max={1000}
        disabled={off}
        value={slider.toSlider(Number(value))}
        onInput={(event) => {
          set(slider.toValue(Number(event.currentTarget.value)), dragging.current);
          dragging.current = true;
        }}
        onChange={() => (dragging.current = false)}
      />
      {text}
    </>
  );
}
