// The debugger of scripts: breakpoints, watches, where it stopped, and what was counted. The game is never stopped: each
// move executes recorded ticks again.
import { Fault, RequestError, Value } from "./backend";
import { StoreTexts } from "./store_texts";

export type Move = "continue" | "in" | "over" | "out" | "back" | "count";

export interface Break {
  script: string;
  line: number;
  condition: string;
}

export interface Variable {
  name: string;
  value: Value;
}

export interface Stop {
  tick: number;
  at: number; // number of the line in the tick
  agent: string | null;
  script: string;
  function: string;
  line: number;
  depth: number;
  break?: number;
  stack: { function: string; line: number; locals: Variable[] }[];
  globals: Variable[];
  watches: { text: string; value: Value; error?: string }[];
}

// How often lines ran and what functions cost, over some ticks.
export interface Counted {
  from: number;
  to: number;
  lines: { script: string; line: number; runs: number }[];
  functions: { script: string; function: string; calls: number; units: number }[];
}

export interface Debugging {
  session: number;
  breaks: Break[];
  watches: string[];
  stop: Stop | null;
  counted: Counted | null;
  busy: boolean;
  note: string; // why there is no stop
  asked: number; // requests so far; only the last one's answer counts
}

const LOOK_BACK = 600; // ticks that a first search and a count cover

export abstract class StoreDebug extends StoreTexts {
  private debuggers = new Map<string, Debugging>();

  // Texts that a debugger can step through.
  get scripts(): string[] {
    return (this.session?.definitions ?? []).filter((one) => one.format === "ploy" || one.format === "lua").map((one) => one.name);
  }

  // Breakpoints and watches belong to a simulation; a stop belongs to one session of it.
  debugging(): Debugging | null {
    const session = this.session;
    if (session === null) return null;
    let found = this.debuggers.get(session.name);
    if (found === undefined) {
      found = { session: session.session, breaks: [], watches: [], stop: null, counted: null, busy: false, note: "", asked: 0 };
      this.debuggers.set(session.name, found);
    }
    if (found.session !== session.session) Object.assign(found, { session: session.session, stop: null, counted: null, busy: false, note: "", asked: found.asked + 1 });
    return found;
  }

  toggleBreak(script: string, line: number): void {
    const all = this.debugging()?.breaks;
    if (all === undefined) return;
    const at = all.findIndex((one) => one.script === script && one.line === line);
    if (at >= 0) all.splice(at, 1);
    else all.push({ script, line, condition: "" });
    this.update();
  }

  setCondition(one: Break, condition: string): void {
    one.condition = condition.trim();
    this.update();
  }

  // Watches are evaluated where the script stopped.
  setWatches(watches: string[]): void {
    const debug = this.debugging();
    if (debug === null) return;
    debug.watches = watches;
    this.update();
    if (debug.stop !== null) void this.askDebug({ move: "stay", tick: debug.stop.tick, at: debug.stop.at });
  }

  leaveStop(): void {
    const debug = this.debugging();
    if (debug === null) return;
    Object.assign(debug, { stop: null, counted: null, note: "", busy: false, asked: debug.asked + 1 });
    this.update();
  }

  async debug(move: Move): Promise<void> {
    const debug = this.debugging();
    if (debug === null || this.pane === null) return;
    const now = Math.max(1, this.pane.tick);
    const first = Math.max(1, now - LOOK_BACK + 1);
    if (move === "count") return void this.askDebug({ move, tick: first, ticks: now - first + 1 });
    if (debug.stop !== null) return void this.askDebug({ move, tick: debug.stop.tick, at: debug.stop.at });
    if (move === "continue") return void this.askDebug({ move, tick: first });
    // The first line of the tick shown; if none ran in it, the last one before.
    if (move === "back" || !(await this.askDebug({ move: "in", tick: now, ticks: 1 }))) await this.askDebug({ move: "back", tick: now });
  }

  // @return whether there was such a line
  private async askDebug(members: { move: string; tick: number; at?: number; ticks?: number }): Promise<boolean> {
    const debug = this.debugging()!;
    const asked = ++debug.asked;
    debug.busy = true;
    debug.note = "";
    this.update();
    let answer: any = null;
    let note = "";
    try {
      answer = await this.backend.request("debug", {
        session: debug.session,
        ...members,
        agent: this.selected,
        watches: debug.watches,
        breaks: debug.breaks.map((one) => ({ script: one.script, line: one.line, ...(one.condition !== "" ? { if: one.condition } : {}) })),
      });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const [fault] = error.faults as Fault[];
      note = fault !== undefined ? `${error.message}: ${fault.message}` : error.message;
    }
    if (asked !== debug.asked) return true; // another question came meanwhile
    debug.busy = false;
    if (answer?.found && members.move === "count") debug.counted = answer;
    else if (answer?.found) debug.stop = answer;
    else if (note === "") note = members.move === "count" ? "No script ran in these ticks." : members.move === "back" ? "There is no earlier line in the recording." : members.move === "continue" ? `No breakpoint was hit from tick ${members.tick} on.` : "There is no later line in the recording yet.";
    debug.note = note;
    this.update();
    return answer?.found === true;
  }
}
