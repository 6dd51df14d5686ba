// Parameters: their values, undo and redo, and files of them.
import { Value, Values } from "./backend";
import { download } from "./download";
import { StorePlots } from "./store_plots";

// What undo takes back at once: one drag of a slider, or a reset of everything.
interface Edit {
  session: number;
  before: Values;
  after: Values;
}

export abstract class StoreParameters extends StorePlots {
  private edits: Edit[] = [];
  private undone: Edit[] = [];

  get canUndo(): boolean {
    return this.edits.length > 0;
  }

  get canRedo(): boolean {
    return this.undone.length > 0;
  }

  valueOf(path: string): Value {
    return this.session?.pending?.[path] ?? this.session?.params[path] ?? null;
  }

  // `joined` continues the edit before, as the moves of one drag of a slider do.
  async setParameters(after: Values, joined = false): Promise<void> {
    if (this.session === null) return;
    const before: Values = {};
    for (const path of Object.keys(after)) before[path] = this.valueOf(path);
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    const session = this.session.session;
    const last = this.edits[this.edits.length - 1];
    if (joined && last?.session === session && Object.keys(last.after).join() === Object.keys(after).join()) last.after = after;
    else this.edits.push({ session, before, after });
    this.undone = [];
    await this.applyValues(session, after);
  }

  setParameter(path: string, value: Value, joined = false): Promise<void> {
    return this.setParameters({ [path]: value }, joined);
  }

  protected async applyValues(number: number, values: Values): Promise<void> {
    const pane = this.paneOf(number);
    if (pane === undefined || !this.writable) return;
    const past = pane.tick < pane.end;
    const answered = pane.send(values);
    this.update();
    const answer = await this.ask("set", { session: number, values });
    answered();
    if (answer === null) await this.subscribeTo(pane); // the truth
    else if (past) this.say("The recorded future after this tick is forgotten: it will be another one.");
  }

  async undo(): Promise<void> {
    const edit = this.edits.pop();
    if (edit === undefined) return;
    this.undone.push(edit);
    await this.applyValues(edit.session, edit.before);
  }

  async redo(): Promise<void> {
    const edit = this.undone.pop();
    if (edit === undefined) return;
    this.edits.push(edit);
    await this.applyValues(edit.session, edit.after);
  }

  resetParameters(): Promise<void> {
    const defaults: Values = {};
    for (const field of this.session?.fields ?? []) {
      if (field.live && JSON.stringify(this.valueOf(field.path)) !== JSON.stringify(field.default)) defaults[field.path] = field.default;
    }
    return this.setParameters(defaults);
  }

  // The parameters as the file that --params takes: tables nest as the dots in their paths say.
  exportParameters(): void {
    const session = this.session;
    if (session === null) return;
    const file: Record<string, any> = {};
    for (const field of session.fields) {
      const names = field.path.split(".");
      let at = file;
      for (const name of names.slice(0, -1)) at = at[name] ??= {};
      at[names[names.length - 1]] = this.valueOf(field.path);
    }
    download(`${session.name}.json`, JSON.stringify(file, null, 2) + "\n");
  }

  protected async importParameters(name: string, text: string): Promise<void> {
    const values: Values = {};
    const walk = (table: Record<string, any>, path: string) => {
      for (const [key, value] of Object.entries(table)) {
        const at = path === "" ? key : `${path}.${key}`;
        if (value !== null && typeof value === "object" && !Array.isArray(value)) walk(value, at);
        else if (this.session?.fields.find((one) => one.path === at)?.live !== false) values[at] = value;
      }
    };
    walk(JSON.parse(text), "");
    await this.setParameters(values);
    this.say(`${name}: ${Object.keys(values).length} parameters.`);
  }
}
