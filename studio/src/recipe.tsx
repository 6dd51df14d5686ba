import { useEffect, useState } from "preact/hooks";
import { Field, Part, Value } from "./backend";
import { Draft, FieldInput, format } from "./parameters";
import { addStage, moveStage, removeStage, resetSetting, setGenerator, setSeed, setSetting, settingOf, Stage, stagesOf } from "./recipe_text";
import { Store } from "./store";

// What the lab shows; the words are those of its parameter.
const SHOWS = [
  ["result", "Result", "What the last stage leaves"],
  ["stages", "Every stage", "A picture after each stage"],
  ["seeds", "Sheet of seeds", "Several seeds side by side; a click takes one"],
  ["walk", "Walk it", "An agent on a mesh of the result; a click sends it there"],
] as const;

// The stages of a recipe, above its text. Every edit is an edit of the text, which keeps all else that is in it.
export function Recipe({ store, session, name, text, edit }: { store: Store; session: number; name: string; text: string; edit: (text: string) => void }) {
  const [parts, setParts] = useState<Part[]>([]);
  const [open, setOpen] = useState<number | null>(null);
  const [next, setNext] = useState("");
  useEffect(() => {
    let alive = true;
    void store.partsOf(session, name).then((found) => alive && setParts(found));
    return () => void (alive = false);
  }, [session, name]);
  const stages = stagesOf(text);
  const off = !store.writable;
  const show = store.valueOf("show");
  const looked = show === "result" ? Number(store.valueOf("stage")) : 0;
  if (parts.length === 0) return null;
  const see = (values: Record<string, Value>) => store.setParameters(values);
  return (
    <div class="recipe">
      <div class="toolbar" role="group" aria-label="Show">
        {store.session?.fields.some((one) => one.path === "show") && SHOWS.map(([word, title, help]) => (
          <button key={word} aria-pressed={show === word && looked === 0} disabled={off} title={help} onClick={() => see({ show: word, stage: 0 })}>
            {title}
          </button>
        ))}
      </div>
      {stages === null && <p class="empty">The text below is not a list of stages yet.</p>}
      <ol class="stages">
        {(stages ?? []).map((stage, i) => {
          const part = parts.find((one) => one.name === stage.generator);
          const changed = part?.fields.filter((field) => settingOf(text, stage, field.path) !== undefined).length ?? 0;
          return (
            <li key={i} class={looked === i + 1 ? "looked" : ""}>
              <div class="stage-head">
                <span class="number-of">{i + 1}</span>
                <select aria-label={`Generator ${i + 1}`} title={part?.help} disabled={off} value={stage.generator} onChange={(event) => edit(setGenerator(text, stage, event.currentTarget.value))}>
                  {part === undefined && <option>{stage.generator}</option>}
                  {parts.map((one) => (
                    <option key={one.name}>{one.name}</option>
                  ))}
                </select>
                <label title="Seed of this stage; empty: by its number among its kind">
                  seed
                  <Draft id={`seed-${i}`} off={off} text={stage.seed} placeholder="auto" accept={(seed) => /^\d*$/.test(seed) && edit(setSeed(text, stage, seed))} />
                </label>
                <span class="spacer" />
                <button aria-label={`see stage ${i + 1}`} title="The result after this stage" disabled={off} aria-pressed={looked === i + 1} onClick={() => see({ show: "result", stage: looked === i + 1 ? 0 : i + 1 })}>see</button>
                <button aria-label={`Settings of stage ${i + 1}`} data-sign={changed > 0 ? `⚙ ${changed}` : "⚙"} aria-expanded={open === i} disabled={part === undefined} onClick={() => setOpen(open === i ? null : i)} />
                <button aria-label={`Stage ${i + 1} up`} disabled={off || i === 0} onClick={() => edit(moveStage(text, stages!, i, i - 1))}>↑</button>
                <button aria-label={`Stage ${i + 1} down`} disabled={off || i + 1 === stages!.length} onClick={() => edit(moveStage(text, stages!, i, i + 1))}>↓</button>
                <button aria-label={`Remove stage ${i + 1}`} disabled={off || stages!.length === 1} onClick={() => edit(removeStage(text, stages!, i))}>×</button>
              </div>
              {open === i && part !== undefined && <Settings text={text} stage={stage} number={i} fields={part.fields} off={off} edit={edit} />}
            </li>
          );
        })}
      </ol>
      <div class="toolbar">
        <select aria-label="New generator" value={next} onChange={(event) => setNext(event.currentTarget.value)}>
          <option value="">add a stage…</option>
          {parts.map((one) => (
            <option key={one.name} value={one.name} title={one.help}>
              {one.name}: {one.help}
            </option>
          ))}
        </select>
        <button
          disabled={off || next === "" || stages === null}
          onClick={() => {
            edit(addStage(text, stages!, next));
            setNext("");
          }}
        >
          Add
        </button>
      </div>
    </div>
  );
}

// The settings of one stage, from the field table of its generator.
function Settings({ text, stage, number, fields, off, edit }: { text: string; stage: Stage; number: number; fields: Field[]; off: boolean; edit: (text: string) => void }) {
  return (
    <div class="stage-settings parameters">
      {fields.map((field) => {
        const own = settingOf(text, stage, field.path);
        const range = field.min !== undefined ? `${field.help} (${format(field.min)} to ${format(field.max ?? 0)} ${field.unit})` : field.help;
        return (
          <div class={own !== undefined ? "row own" : "row"} title={range} key={field.path}>
            <label class="name" for={`stage-${number}-${field.path}`}>
              {field.path.replace(/_/g, " ")} {field.unit !== "" && <small>{field.unit}</small>}
            </label>
            <FieldInput field={field} value={own ?? field.default} id={`stage-${number}-${field.path}`} off={off} set={(value) => edit(setSetting(text, stage, field.path, value))} />
            <button class="reset" disabled={off || own === undefined} onClick={() => edit(resetSetting(text, stage, field.path))} title={`Back to ${format(field.default)}`} aria-label={`Reset ${field.path}`}>
              ↺
            </button>
          </div>
        );
      })}
    </div>
  );
}
