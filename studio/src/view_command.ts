// Tells a simulation what the studio's view shows, where it has commands for that: the middle of the view when a person
// moved it, and that everything is shown again. Both are inputs like any other, so that they are recorded; in the past
// none is sent, because an input there would forget the recorded future.
import { Pane } from "./pane";
import { Store } from "./store";

const AFTER = 350; // ms without another move
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
    this.timer = window.setTimeout(() => {
      const at = middle();
      const session = pane.session.session;
      const near = this.told?.session === session && Math.hypot(at[0] - this.told.at[0], at[1] - this.told.at[1]) < LEAST * width();
      if (near || !this.may(pane)) return;
      this.told = { session, at };
      this.store.command(command.name, at);
    }, AFTER);
  }

  // Everything is shown again.
  whole(pane: Pane | null): void {
    window.clearTimeout(this.timer);
    const command = pane?.session.commands?.find((one) => one.key === "Whole" && one.value === "none");
    if (pane === null || command === undefined || this.told?.session !== pane.session.session || !this.may(pane)) return;
    this.told = null;
    this.store.command(command.name, null);
  }

  private may(pane: Pane): boolean {
    return this.store.writable && this.store.pane === pane && (pane.session.kind === "live" || pane.tick >= pane.end);
  }
}
