// Sends a simulation what the studio's view shows, where it has commands for that: the middle of the view when a person
// moved it, and that everything is shown again. Both are inputs like any other, so that they are recorded; in the past
// none is sent, because an input there would forget the recorded future.
import { Pane } from "./pane";
import { Store } from "./store";

const mayTell = (store: Store, pane: Pane) => store.writable && store.pane === pane && (pane.session.kind === "live" || pane.tick >= pane.end);

const AFTER = 350; // ms without another move
const AGAIN = 50; // ms until the next try
const LEAST = 0.02; // of the view's width

export class ViewCommand {
  private timer = 0;
  private told: { session: number; at: [number, number] } | null = null;

  constructor(private store: Store) {}

  // A person moved the view: its middle, and how wide it is in metres.
  moved(pane: Pane | null, middle: () => [number, number], width: () => number): void {
    const command = pane?.session.commands?.find((one) => one.key === "View" && one.value === "vec2");
    window.clearTimeout(this.timer);
    if (pane === null || command === undefined) return;
    this.send(pane, () => {
      const at = middle();
      const session = pane.session.session;
      if (this.told?.session === session && Math.hypot(at[0] - this.told.at[0], at[1] - this.told.at[1]) < LEAST * width()) return;
      this.told = { session, at };
      this.store.command(command.name, at);
    }, AFTER);
  }

  // Everything is shown again.
  whole(pane: Pane | null): void {
    window.clearTimeout(this.timer);
    const command = pane?.session.commands?.find((one) => one.key === "Whole" && one.value === "none");
    if (pane === null || command === undefined || this.told?.session !== pane.session.session) return;
    this.send(pane, () => {
      this.told = null;
      this.store.command(command.name, null);
    }, 0);
  }

  // During play the picture may be some ticks behind the end: then it is tried again, until it is at the end or pauses.
  private send(pane: Pane, tell: () => void, after: number): void {
    this.timer = window.setTimeout(() => {
      if (mayTell(this.store, pane)) tell();
      else if (this.store.playing && this.store.pane === pane) this.send(pane, tell, AGAIN);
    }, after);
  }
}

const EVERY = 100; // ms between two places of the cursor

// Sends a simulation the cursor's place, while keys go to the simulation: the first place at once, then the last one of
// every tenth of a second.
class HoverCommand {
  private timer = 0;
  private last = 0;
  private waiting: (() => void) | null = null;

  moved(store: Store, pane: Pane | null, at: [number, number]): void {
    const command = pane?.session.commands?.find((one) => one.key === "Hover" && one.value === "vec2");
    if (pane === null || command === undefined || !store.playing) return;
    this.waiting = () => {
      if (store.playing && mayTell(store, pane)) store.command(command.name, at);
    };
    const left = this.last + EVERY - performance.now();
    if (left <= 0) this.settle();
    else if (this.timer === 0) this.timer = window.setTimeout(() => this.settle(), left);
  }

  // Sends what waits: before a key that acts where the cursor is.
  settle(): void {
    window.clearTimeout(this.timer);
    this.timer = 0;
    if (this.waiting === null) return;
    this.last = performance.now();
    this.waiting();
    this.waiting = null;
  }
}

export const hover = new HoverCommand();
