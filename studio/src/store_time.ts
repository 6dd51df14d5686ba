// Time: playing, stepping, seeking, and the agent that is followed meanwhile.
import { Decision, Mark, TreeNode, Value } from "./backend";
import { listAgents } from "./picture";
import { StoreBase } from "./store_base";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];

export abstract class StoreTime extends StoreBase {
  // A scrub in flight and the newest place requested after it: a fast drag requests one seek at a time.
  protected seekBusy = false;
  protected seekNext: number | null = null;
  private choosing: Promise<void> = Promise.resolve();
  // Steps asked for while one is under way: their sum is the next one, so that none is lost on a slow simulation.
  protected stepNext = 0;
  protected stepBusy = false;
  private stepping: Promise<void> = Promise.resolve();
  private seeking: Promise<void> = Promise.resolve();

  // Pressed twice, it plays and pauses, also if the first press is not confirmed yet.
  async togglePlay(): Promise<void> {
    if (this.pane === null) return;
    const play = !this.pane.plays;
    this.stepNext = 0;
    const answered = (this.linked ? this.panes : [this.pane]).map((pane) => pane.order(play));
    const answer = await this.drive(play ? "play" : "pause");
    for (const one of answered) one(answer !== null);
  }

  step(ticks: number): void {
    this.stepNext += ticks;
    if (!this.stepBusy) this.stepping = this.stepOn();
  }

  private async stepOn(): Promise<void> {
    const pane = this.pane;
    this.stepBusy = true;
    while (this.stepNext !== 0 && this.pane === pane) {
      const ticks = this.stepNext;
      this.stepNext = 0;
      await this.drive("step", { ticks });
    }
    this.stepNext = 0;
    this.stepBusy = false;
  }

  // What needs a run that stands still waits for what was asked of it before.
  protected async still(): Promise<void> {
    await Promise.all([this.stepping, this.seeking]);
  }

  setSpeed(speed: number): void {
    this.drive("speed", { speed });
  }

  changeSpeed(by: number): void {
    const now = this.session?.speed ?? 1;
    let at = SPEEDS.findIndex((one) => one >= now - 1e-6);
    if (at < 0) at = SPEEDS.length - 1;
    this.setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + by))]);
  }

  async seek(tick: number): Promise<void> {
    this.seekNext = Math.max(0, tick);
    this.stepNext = 0;
    if (!this.seekBusy) await (this.seeking = this.seekOn());
  }

  private async seekOn(): Promise<void> {
    this.seekBusy = true;
    while (this.seekNext !== null) {
      const next: number = this.seekNext;
      this.seekNext = null;
      await this.drive("seek", { tick: next });
    }
    this.seekBusy = false;
  }

  // A number of seconds of the simulation back or forth.
  seekBy(seconds: number): void {
    const pane = this.pane;
    if (pane === null) return;
    this.seek(Math.min(pane.end, Math.max(0, pane.tick + Math.round(seconds / (pane.session.dt ?? 1 / 60)))));
  }

  // To the next or the last tick at which an agent, or the selected one, changed its mind.
  seekDecision(by: 1 | -1): void {
    const agent = this.selected;
    this.seekMark(by, ([, kind, who]) => (kind === "decision" || kind === "state" || kind === "failed") && (agent === null || who === agent), "decision");
  }

  seekEvent(by: 1 | -1): void {
    this.seekMark(by, ([, kind]) => kind === "event" || kind === "overrun" || kind === "input", "event");
  }

  protected seekMark(by: 1 | -1, wanted: (mark: Mark) => boolean, what: string): void {
    const mark = this.pane?.findMark(this.pane.tick, by, wanted) ?? null;
    if (mark === null) this.say(`There is no ${what} ${by > 0 ? "after" : "before"} this tick.`);
    else this.seek(mark[0]);
  }

  command(name: string, value: Value): void {
    this.driveOne("command", { name, value, ...(this.selected !== null ? { agent: this.selected } : {}) });
  }

  // One after the other: each continues from what the one before selected.
  selectNext(by: number): Promise<void> {
    return (this.choosing = this.choosing.then(() => this.selectNextNow(by)));
  }

  protected async selectNextNow(by: number): Promise<void> {
    const pane = this.pane;
    if (pane === null) return;
    let agents = pane.picture === null ? [] : listAgents(pane.picture);
    // Minds without a body are not in the picture; the description knows them, or the decisions.
    if (agents.length === 0) agents = ownersOf((await this.ask("describe", { session: pane.session.session }))?.tree ?? []);
    if (agents.length === 0 && pane.tick > 0 && pane.session.kind === "simulation") {
      const told = await this.backend.request("why", { session: pane.session.session }).catch(() => null);
      agents = decidersOf([...(told?.decisions ?? []), ...(told?.last?.decisions ?? [])]);
    }
    if (pane !== this.pane) return;
    if (agents.length === 0) return this.say(pane.tick === 0 ? "No agents are known yet: take a step." : "This simulation has no agents to select.");
    const at = this.selected === null ? (by > 0 ? -1 : 0) : agents.indexOf(this.selected);
    this.select(agents[(at + by + agents.length) % agents.length]);
  }
}

// All agents to whom a part of the description belongs, in order of index.
function ownersOf(tree: TreeNode[]): string[] {
  const found = new Set<string>();
  const walk = (nodes: TreeNode[]) => {
    for (const node of nodes) {
      if (node.owner !== undefined) found.add(node.owner);
      if (node.children !== undefined) walk(node.children);
    }
  };
  walk(tree);
  return [...found].sort((a, b) => Number.parseInt(a) - Number.parseInt(b));
}

// All agents that decided something, in order of index.
function decidersOf(decisions: Decision[]): string[] {
  const found = new Set(decisions.map((one) => one.agent).filter((one): one is string => one !== null));
  return [...found].sort((a, b) => Number.parseInt(a) - Number.parseInt(b));
}
