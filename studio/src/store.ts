// The page's state and everything a person can do to it. Components read it and call its methods; the backend's
// events end up here. Pictures bypass rendering by components: the canvas fetches the newest itself.
//
// Each file adds one subject to the class of the file before:
//   store_base.ts        what is shown, requests, selection
//   store_time.ts        playing, stepping, seeking
//   store_plots.ts       numbers over time
//   store_parameters.ts  parameters, undo
//   store_texts.ts       definitions, drafts, blackboards
//   store_debug.ts       the debugger of scripts
//   store_places.ts      sessions, the gallery, the address
//   store.ts             a second run beside the first, files
import { BackendListener, RequestError } from "./backend";
import { Difference, differingValues, findCauses } from "./compare";
import { download } from "./download";
import { Pane } from "./pane";
import { pictureSession } from "./picture";
import { StorePlaces } from "./store_places";

export { download } from "./download";
export type { Question } from "./store_base";
export { SPEEDS } from "./store_time";

// Ticks that a comparison may run on beyond what is recorded, and that are scanned without being asked to.
const COMPARE_ON = 3600;
const SCAN_UNASKED = 100000;
const SAVE_TRIES = 50;

export class Store extends StorePlaces {
  // A second run on its way to where the first one is.
  private arriving: Promise<unknown> = Promise.resolve();

  // What is in the second pane changes places with the first, so that the newcomer takes the other's.
  private firstIs(pane: Pane): void {
    if (this.panes[1] === pane) this.panes.reverse();
  }

  async fork(): Promise<void> {
    const from = this.pane;
    await this.still();
    const answer = await this.driveOne("fork");
    if (from === null || answer === null || answer === undefined) return;
    this.firstIs(from);
    await this.enter(answer.session, 1);
    this.say("A second simulation with the same past. Change one of the two, then compare.");
  }

  // The same simulation with another seed, brought to the same tick.
  async beside(): Promise<void> {
    const first = this.pane;
    if (first === null || first.session.kind !== "simulation" || !this.writable) return;
    const seed = String(BigInt(first.session.seed ?? "1") + 1n);
    const { name, params, pending } = first.session;
    const bring = async () => {
      const answer = await this.ask("open", { simulation: name, seed, params: { ...params, ...pending } });
      if (answer === null) return;
      await this.ask("pause", { session: first.session.session });
      this.firstIs(first);
      await this.enter(answer.session, 1);
      if (first.tick > 0) await this.ask("step", { session: answer.session.session, ticks: first.tick });
      this.say(`The same with seed ${seed}.`);
    };
    await (this.arriving = bring());
  }

  // Runs both from the beginning on to the first decision that is not the same.
  async compare(from = 0): Promise<void> {
    const [here, there] = this.panes;
    if (here === undefined || there === undefined) return;
    this.comparing = true;
    this.difference = null;
    this.message = null;
    this.update();
    await this.arriving;
    await this.still();
    const until = Math.max(here.end, there.end) + COMPARE_ON;
    const causes = await findCauses(this.backend, here, there);
    const numbers = [here.session.session, there.session.session];
    const answer = await this.ask("compare", { session: numbers[0], with: numbers[1], from, until });
    let state: Difference["state"] = null;
    if (answer !== null && typeof answer.state_tick === "number") {
      // What differs first is described at that tick; then both go on to the decision.
      const go = (tick: number) => Promise.all(numbers.map((session) => this.ask("seek", { session, tick })));
      await go(answer.state_tick);
      const trees = await Promise.all(numbers.map((session) => this.ask("describe", { session })));
      if (trees[0] !== null && trees[1] !== null) state = { tick: answer.state_tick, ...differingValues(trees[0].tree, trees[1].tree) };
      await go(answer.tick);
    }
    this.comparing = false;
    if (answer !== null) {
      const differs = answer.differs;
      this.difference = { tick: answer.tick, found: differs !== null, agent: differs?.agent ?? null, here: differs?.here ?? null, there: differs?.there ?? null, state, ...causes };
      this.linked = true;
      if (differs?.agent != null) this.select(differs.agent);
      if (differs !== null) this.show("why");
    }
    this.update();
  }

  // A session cannot be saved while it seeks, which takes a moment longer than its last picture.
  private async savedWhenStill(session: number): Promise<Uint8Array> {
    for (let tries = 0; ; tries++) {
      try {
        return await this.backend.save(session);
      } catch (error) {
        if (!(error instanceof RequestError && error.code === "state") || tries === SAVE_TRIES) throw error;
        await new Promise((done) => window.setTimeout(done, 100));
      }
    }
  }
  async saveRecording(): Promise<void> {
    const session = this.session;
    if (session === null) return;
    try {
      const bytes = await this.savedWhenStill(session.session);
      download(`${session.name}-${session.seed}.ployrec`, bytes);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), "error");
    }
  }

  // A recording, a file of parameters, or a definition that the simulation loads again: the contents decide.
  async openFile(file: File): Promise<void> {
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const definition = this.definitionFor(file.name);
      if (definition !== null && this.session !== null) {
        const key = this.draftKey(this.session.session, definition);
        if (this.drafts.has(key) && !(await this.confirm(`The draft of ${definition} in Edit is replaced by the file.`, "Replace it"))) return;
        this.drafts.delete(key);
        const [fault] = await this.reloadDefinition(this.session.session, definition, new TextDecoder().decode(bytes), false);
        if (fault === undefined) this.say(`${file.name}: taken over as ${definition}.`);
        else this.say(`${file.name}:${fault.line}:${fault.column}: ${fault.message}`, "error");
        return;
      }
      if (/\.json$/i.test(file.name)) return await this.importParameters(file.name, new TextDecoder().decode(bytes));
      if (!(await this.mayLeave())) return;
      const answer = await this.backend.load(bytes);
      this.home = false;
      this.thumbnails.enable(false);
      await this.dropBeside();
      await this.enter(answer.session, 0);
      this.say(`${file.name}: ${answer.session.end} ticks. Play or scrub to execute it again.`);
      if (answer.session.end <= SCAN_UNASKED) await this.scan();
    } catch (error) {
      this.say(`${file.name}: ${error instanceof Error ? error.message : error}`, "error");
    }
  }
}

// How the backend reaches the store.
export function listenerOf(store: Store): BackendListener {
  return {
    connected: (hello) => void store.connected(hello),
    disconnected: (reason) => store.disconnected(reason),
    event: (event) => store.event(event),
    picture: (bytes) => {
      if (store.thumbnails.take(pictureSession(bytes), bytes)) return;
      const pane = store.paneOf(pictureSession(bytes));
      if (pane === undefined) return store.backend.acknowledge(pictureSession(bytes));
      pane.picture = bytes;
      pane.pictureListener?.();
    },
  };
}
