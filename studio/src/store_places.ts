// What is open: sessions that come and go, the gallery, and the address that names the place. What the server reports
// arrives here.
import { Place, writePlace } from "./address";
import { BackendEvent, Hello, Session, SessionOffer, Values } from "./backend";
import { Pane } from "./pane";
import { StoreDebug } from "./store_debug";

// Sessions that are listed as running: those that others opened have been there for so long, because a gallery opens and
// closes many.
const RUNNING_AFTER = 3000; // ms
const NOTE_EVERY = 500; // ms between two ticks in the address

// A place without what changes all the time.
const keyOf = (place: Place): string => JSON.stringify({ ...place, tick: null, find: "" });

const parseSet = (set: string[]): Values => {
  const params: Values = {};
  for (const one of set) {
    const [path, text] = [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)];
    if (path !== "") params[path] = text === "true" || text === "false" ? text === "true" : text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
  }
  return params;
};

export abstract class StorePlaces extends StoreDebug {
  private restoring = false;
  private restores = 0;
  private restored: Promise<void> = Promise.resolve();
  // When each session was heard of first, and which of them this page opened.
  private heard = new Map<number, number>();
  private entered = new Set<number>();
  // The place that the address names, without its tick; null before the first.
  private noted: string | null = null;
  private noteTimer = 0;

  // Sessions to go to: programs that run, what this page opened, what others have had open for a while.
  get running(): SessionOffer[] {
    const now = performance.now();
    return this.sessions.filter((one) => one.kind === "live" || one.attached === true || this.entered.has(one.session) || (!this.thumbnails.owns(one.session) && now - (this.heard.get(one.session) ?? now) > RUNNING_AFTER));
  }

  async connected(hello: Hello): Promise<void> {
    const before = this.session;
    const wasWritable = this.hello?.access === "write";
    this.connection = "open";
    this.hello = hello;
    this.hidden = hello.layers.map((_, i) => this.hidden[i] ?? false);
    this.difference = null;
    const list = await this.ask("list");
    if (list === null) return;
    this.simulations = list.simulations;
    this.takeSessions(list.sessions);
    if (before === null && this.home) {
      // A program that runs by itself is what the page was opened for.
      // So is what others watch for a person who may only look.
      const own = this.sessions.find((one) => one.kind === "live" || one.attached === true) ?? (this.writable ? undefined : this.sessions[0]);
      if (own !== undefined) {
        this.home = false;
        await this.watch(own.session, 0);
      }
      this.thumbnails.enable(this.home);
      return this.update();
    }
    if (before === null) {
      await this.openPlace(this.wanted, this.reloaded);
      return this.update();
    }
    const there = this.sessions.find((one) => one.session === before.session && one.name === before.name);
    const live = this.sessions.find((one) => one.kind === "live" || one.attached === true);
    this.panes.length = Math.min(this.panes.length, 1);
    this.active = 0;
    if (this.home) {
      this.panes = [];
      this.thumbnails.enable(true);
    } else if (there !== undefined) await this.watch(there.session);
    else if (wasWritable && !this.writable) {
      this.panes = [];
      this.say("This is a new server with another token. Open the address that it printed.", "error");
    } else if (before.kind === "simulation") {
      this.say("The server was restarted; this is the same simulation from its beginning.");
      await this.open(before.name, before.seed, { ...before.params, ...before.pending });
    } else if (live !== undefined) await this.watch(live.session);
    else this.goHome();
    this.update();
  }

  disconnected(reason: string): void {
    this.connection = this.hello === null && reason === "" ? "connecting" : "lost";
    if (this.hello !== null) this.connection = "lost";
    this.reason = reason;
    this.seekBusy = this.stepBusy = false;
    this.seekNext = null;
    this.stepNext = 0;
    this.comparing = false;
    this.update();
  }

  event(event: BackendEvent): void {
    if (event.event === "sessions") this.takeSessions(event.sessions);
    const pane = "session" in event ? this.paneOf(event.session) : undefined;
    if ("session" in event && pane === undefined) return;
    switch (event.event) {
      case "state": {
        const { event: _, ...rest } = event;
        pane!.takeState(rest);
        break;
      }
      case "progress":
        // The hash that is known is that of another tick; the next state brings this one's.
        pane!.session = { ...pane!.session, tick: event.tick, seeking: event.target, hash: undefined };
        break;
      case "describe":
        this.hearNames(event.session, event.tree);
        if (event.agent === pane!.selected) pane!.takeTree(event.tree, event.tick, this.pins);
        break;
      case "why":
        if (event.agent === pane!.selected) pane!.takeWhy(event);
        break;
      case "marks":
        pane!.takeMarks(event.from, event.marks);
        break;
      case "loads":
        pane!.takeCosts(event.from, event.every, event.first, event);
        break;
      case "closed":
        this.say(event.reason);
        this.panes = this.panes.filter((one) => one !== pane);
        this.active = 0;
        break;
      case "goodbye":
        this.reason = event.message;
        break;
    }
    this.update();
  }

  protected takeSessions(sessions: SessionOffer[]): void {
    this.sessions = sessions;
    for (const one of sessions) if (!this.heard.has(one.session)) this.heard.set(one.session, performance.now());
    for (const number of this.heard.keys()) if (!sessions.some((one) => one.session === number)) this.heard.delete(number);
  }

  get place(): Place {
    const pane = this.panes[0];
    const common = { panel: this.panel, read: this.reading, find: this.home ? this.find : "" };
    if (this.home || pane === undefined) return { session: null, simulation: null, seed: null, set: [], tick: null, agent: null, ...common, panel: "parameters" };
    const { session, name, seed } = pane.session;
    return { session, simulation: name, seed: seed ?? null, set: pane.set, tick: pane.session.kind === "live" ? null : pane.tick, agent: this.selected, ...common };
  }

  // Writes the place into the address: another one as a new entry, another tick of the same now and then.
  protected note(): void {
    if (this.restoring) return; // an entry for something half open would cut off what is forward of it
    const place = this.place;
    const key = keyOf(place);
    const first = this.noted === null;
    if (key !== this.noted) {
      this.noted = key;
      window.clearTimeout(this.noteTimer);
      this.noteTimer = 0;
      writePlace(place, !first);
    } else if (this.noteTimer === 0) {
      this.noteTimer = window.setTimeout(() => {
        this.noteTimer = 0;
        if (this.connection === "open" && !this.restoring) writePlace(this.place, false); // not over the entry that is gone to
      }, NOTE_EVERY);
    }
  }

  // Goes where the address says: Back, Forward, or a link on the page. One after the other; of those that wait, the
  // last counts.
  restore(place: Place): Promise<void> {
    const turn = ++this.restores;
    this.restored = this.restored.then(async () => {
      if (turn !== this.restores) return;
      this.restoring = true;
      try {
        await this.restoreNow(place);
      } finally {
        this.restoring = false;
      }
      if (turn !== this.restores) return;
      this.noted = keyOf(this.place);
      writePlace(this.place, false);
    });
    return this.restored;
  }

  protected async restoreNow(place: Place): Promise<void> {
    this.reading = place.read;
    this.find = place.find;
    const now = this.panes[0];
    if (place.simulation === null && place.session === null) {
      this.panel = place.panel;
      this.noted = keyOf(this.homePlace(place));
      this.enterHome();
      return;
    }
    const same = !this.home && now !== undefined && (place.session === null ? place.simulation === now.session.name && place.seed === (now.session.seed ?? null) : place.session === now.session.session);
    if (!same) {
      if (!(await this.mayLeave())) return writePlace(this.place, true);
      this.noted = null; // the address is there already
      await this.openPlace(place, false);
      return this.update();
    }
    if (place.agent !== this.selected) this.select(place.agent);
    this.panel = place.panel;
    this.noted = keyOf(this.place);
    this.resubscribe();
    // A run that plays goes on; one that is paused goes to the tick of the link.
    if (place.tick !== null && now.session.playing !== true && place.tick !== now.tick) await this.seek(place.tick);
    this.update();
  }

  protected homePlace(place: Place): Place {
    return { session: null, simulation: null, seed: null, set: [], tick: null, agent: null, panel: "parameters", read: place.read, find: "" };
  }

  // Opens what a place names: its session if it is still there, or the same run again, brought to the same tick.
  protected async openPlace(place: Place, reloaded: boolean): Promise<void> {
    const wasHome = this.home;
    const { panel, read, tick } = place;
    const session = this.sessions.find((one) => one.session === place.session && (place.simulation === null || one.name === place.simulation));
    this.home = false;
    this.thumbnails.enable(false);
    // Before anything is waited for: what a person chooses meanwhile holds.
    this.panel = panel;
    this.reading = read;
    if (session !== undefined && (session.kind === "live" || session.attached === true || reloaded || tick === null || !this.writable)) await this.watch(session.session, 0);
    else if (session !== undefined && session.watchers > 0 && !this.entered.has(session.session)) {
      // A client watches it: the link's tick is shown in a run of the same past.
      const answer = await this.ask("fork", { session: session.session });
      if (answer !== null) await this.enter(answer.session, 0);
      if (answer !== null) await this.seek(tick ?? 0);
    } else if (session !== undefined) {
      await this.watch(session.session, 0);
      if (this.pane !== null && this.pane.tick !== tick) await this.seek(tick ?? 0);
    } else if (place.simulation !== null && this.simulations.some((one) => one.name === place.simulation) && this.writable) {
      await this.open(place.simulation, place.seed ?? undefined, parseSet(place.set), place.set, tick);
    } else {
      const live = this.sessions.find((one) => one.kind === "live" || one.attached === true) ?? (this.writable ? undefined : this.sessions[0]);
      if (live !== undefined) await this.watch(live.session, 0);
      else {
        if (place.simulation !== null && this.simulations.length > 0) this.say(this.writable ? `There is no simulation '${place.simulation}'.` : "Only the address with the token can open a simulation.", "error");
        return this.goHome();
      }
    }
    if (this.panes.length === 0 && wasHome) return this.enterHome();
    if (place.agent !== null && this.pane !== null && this.selected === null) {
      const shown = this.panel;
      this.select(place.agent);
      this.panel = shown;
    }
    this.resubscribe();
  }

  goHome(search = false): void {
    if (this.home) return;
    void this.mayLeave().then((yes) => {
      if (!yes) return;
      this.find = "";
      this.enterHome();
      if (search) window.setTimeout(() => document.getElementById("find")?.focus(), 50);
    });
  }

  protected enterHome(): void {
    for (const pane of this.panes) this.backend.request("unwatch", { session: pane.session.session }).catch(() => undefined);
    this.panes = [];
    this.active = 0;
    this.difference = null;
    this.playing = false;
    this.home = true;
    document.title = "ploy studio";
    this.thumbnails.enable(true);
    this.update();
  }

  // A chosen simulation, from its start; a draft of the run beside it is not lost without a question.
  async choose(simulation: string): Promise<void> {
    if (await this.mayLeave()) await this.open(simulation);
  }

  // With a tick the run is brought there and waits; without one it plays.
  async open(simulation: string, seed?: string, params?: Values, set: string[] = [], tick: number | null = null): Promise<void> {
    const answer = await this.ask("open", { simulation, ...(seed !== undefined ? { seed } : {}), ...(params !== undefined ? { params } : {}) });
    if (answer === null) return;
    this.home = false;
    this.thumbnails.enable(false);
    await this.dropBeside();
    await this.enter(answer.session, 0, set);
    if (tick === null) await this.ask("play", { session: answer.session.session });
    else if (tick > 0) await this.ask("step", { session: answer.session.session, ticks: Math.min(tick, 1000000) });
  }

  async watch(session: number, place = this.active): Promise<void> {
    const answer = await this.ask("watch", { session, acknowledge: true });
    if (answer !== null) await this.enter(answer.session, place);
  }

  // Shows a session in the first or the second pane; what was there before is not watched any more.
  protected async enter(session: Session, place: number, set: string[] = []): Promise<void> {
    const old = this.panes[place];
    if (old?.session.session === session.session) old.takeState(session);
    else {
      const elsewhere = this.panes.some((one) => one !== old && one.session.session === old?.session.session);
      if (old !== undefined && !elsewhere) this.backend.request("unwatch", { session: old.session.session }).catch(() => undefined);
      const pane = new Pane(session);
      pane.forked = place > 0;
      pane.set = set;
      pane.selected = place > 0 ? (this.panes[0]?.selected ?? null) : null;
      this.panes[place] = pane;
    }
    this.active = place;
    this.difference = null;
    this.entered.add(session.session);
    document.title = `${session.title} · ploy studio`;
    this.update();
    await this.subscribeTo(this.panes[place]);
  }

  async closeBeside(): Promise<void> {
    if (await this.mayLeave()) await this.dropBeside();
  }

  protected async dropBeside(): Promise<void> {
    const pane = this.panes[1];
    if (pane === undefined) return;
    this.panes.length = 1;
    this.active = 0;
    this.difference = null;
    this.update();
    await this.ask("close", { session: pane.session.session });
  }

  async restart(seed: string): Promise<void> {
    if (this.session === null) return;
    await this.open(this.session.name, seed, { ...this.session.params, ...this.session.pending });
  }
}
