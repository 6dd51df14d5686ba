// The page's state and everything a person can do to it. Components read it and call its methods; the backend's
// events end up here. Pictures bypass rendering by components: the canvas fetches the newest itself.
import { Panel, Place, writePlace } from "./address";
import { Backend, BackendEvent, BackendListener, Decision, Fault, Hello, Mark, Part, RequestError, Session, SessionOffer, SimulationOffer, TreeNode, Value, Values } from "./backend";
import { Difference, differingValues, findCauses } from "./compare";
import { Asked } from "./decided";
import { Pane, Path, pathKey } from "./pane";
import { timed } from "./perf";
import { listAgents, pictureSession } from "./picture";
import { ownerOf, plotKey, seriesOf } from "./series";
import { onTheme } from "./theme";
import { Thumbnails } from "./thumbnails";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];
const PINS_MAX = 24; // series
const SCAN_PATHS = 8; // of one request
const POLL_EVERY = 250; // ms between two looks at agents that are plotted and not selected
// Ticks that a comparison may run on beyond what is recorded, and that are scanned without being asked to.
const COMPARE_ON = 3600;
const SCAN_UNASKED = 100000;

// What undo takes back at once: one drag of a slider, or a reset of everything.
interface Edit {
  session: number;
  before: Values;
  after: Values;
}

// A question that must be answered before something is lost.
export interface Question {
  text: string;
  yes: string;
  answer: (yes: boolean) => void;
}

// Sessions that are listed as running: those that others opened have been there for so long, because a gallery opens and
// closes many.
const RUNNING_AFTER = 3000; // ms
const NOTE_EVERY = 500; // ms between two ticks in the address

export const parseSet = (set: string[]): Values => {
  const params: Values = {};
  for (const one of set) {
    const [path, text] = [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)];
    if (path !== "") params[path] = text === "true" || text === "false" ? text === "true" : text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
  }
  return params;
};

export class Store {
  connection: "connecting" | "open" | "lost" = "connecting";
  reason = "";
  hello: Hello | null = null;
  simulations: SimulationOffer[] = [];
  sessions: SessionOffer[] = [];
  panes: Pane[] = [];
  active = 0;
  linked = true;
  difference: Difference | null = null;
  comparing = false;
  pins: Path[] = [];
  message: { text: string; kind: "info" | "error" } | null = null;
  hidden: boolean[] = [];
  agentNames = false;
  panel: Panel = "parameters";
  help = false;
  about = false;
  home = false; // the gallery is shown
  find = "";
  reading: string | null = null;
  question: Question | null = null;
  liveEdits = false; // a typed text is taken over as soon as it has no faults
  themes = 0; // how often the colours changed
  private restoring = false;
  private restores = 0;
  private restored: Promise<void> = Promise.resolve();
  readonly thumbnails: Thumbnails;
  // Edited texts that the simulation does not have yet, by simulation (a fork: by session) and definition. They outlive
  // the panel and the session.
  readonly drafts = new Map<string, string>();
  flat = false;
  // What "why not?" is about, and whether the next click in the picture says it.
  asked: Asked | null = null;
  pointing = false;
  // Whether keys that the studio knows too go to the simulation.
  playing = false;

  private edits: Edit[] = [];
  private undone: Edit[] = [];
  private listeners = new Set<() => void>();
  private queued = false;
  private messageTimer = 0;
  // A scrub in flight and the newest place wanted after it: a fast drag asks for one seek at a time.
  private seekBusy = false;
  private seekNext: number | null = null;
  private scanning = false;
  private scanAgain = false;
  private choosing: Promise<void> = Promise.resolve();
  // A second run on its way to where the first one stands.
  private arriving: Promise<unknown> = Promise.resolve();

  // When each session was heard of first, and which of them this page opened.
  private heard = new Map<number, number>();
  private entered = new Set<number>();
  // The place that the address names, without its tick; null before the first.
  private noted: string | null = null;
  private noteTimer = 0;
  private boards = new Map<number, Set<string> | null>();
  private histories = new Map<string, { undo: string[]; redo: string[] }>();
  private ownerNames = new Map<string, string>();
  private polling = false;

  constructor(readonly backend: Backend, private wanted: Place, private rate: number | null, private reloaded: boolean) {
    this.panel = wanted.panel;
    this.reading = wanted.read;
    this.find = wanted.find;
    this.home = wanted.simulation === null && wanted.session === null;
    this.thumbnails = new Thumbnails(backend, () => this.writable);
    onTheme(() => {
      this.themes++;
      this.redraw();
    });
    window.addEventListener("beforeunload", (event) => {
      if (this.drafts.size > 0) event.preventDefault();
    });
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // Components are rendered at most once a frame, however many events arrive.
  private update(): void {
    if (this.queued) return;
    this.queued = true;
    requestAnimationFrame(() =>
      timed(() => {
        this.queued = false;
        if (this.connection === "open" && (this.home || this.panes.length > 0)) this.note();
        for (const listener of this.listeners) listener();
      }),
    );
  }

  get pane(): Pane | null {
    return this.panes[this.active] ?? null;
  }
  get session(): Session | null {
    return this.pane?.session ?? null;
  }
  get selected(): string | null {
    return this.pane?.selected ?? null;
  }
  get tree(): TreeNode[] {
    return this.pane?.tree ?? [];
  }
  get decisions(): Decision[] {
    return this.pane?.decisions ?? [];
  }
  // Whether a dialog is in front of everything.
  get modal(): boolean {
    return this.help || this.about || this.question !== null || this.reading !== null;
  }
  // Sessions to go to: programs that run, what this page opened, what others have had open for a while.
  get running(): SessionOffer[] {
    const now = performance.now();
    return this.sessions.filter((one) => one.kind === "live" || one.attached === true || this.entered.has(one.session) || (!this.thumbnails.owns(one.session) && now - (this.heard.get(one.session) ?? now) > RUNNING_AFTER));
  }
  get writable(): boolean {
    return this.connection === "open" && this.hello?.access === "write";
  }
  get canUndo(): boolean {
    return this.edits.length > 0;
  }
  get canRedo(): boolean {
    return this.undone.length > 0;
  }

  say(text: string, kind: "info" | "error" = "info"): void {
    this.message = { text, kind };
    window.clearTimeout(this.messageTimer);
    this.messageTimer = window.setTimeout(() => {
      this.message = null;
      this.update();
    }, kind === "error" ? 8000 : 4000);
    this.update();
  }

  private async ask(what: string, members: Record<string, unknown> = {}): Promise<any> {
    try {
      return await this.backend.request(what, members);
    } catch (error) {
      if (error instanceof RequestError && (error.code === "cancelled" || error.code === "interrupted")) return null;
      this.say(error instanceof Error ? error.message : String(error), "error");
      return null;
    }
  }

  // --- what the backend tells ---

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

  private takeSessions(sessions: SessionOffer[]): void {
    this.sessions = sessions;
    for (const one of sessions) if (!this.heard.has(one.session)) this.heard.set(one.session, performance.now());
    for (const number of this.heard.keys()) if (!sessions.some((one) => one.session === number)) this.heard.delete(number);
  }

  // --- where the page is ---

  get place(): Place {
    const pane = this.panes[0];
    const common = { panel: this.panel, read: this.reading, find: this.home ? this.find : "" };
    if (this.home || pane === undefined) return { session: null, simulation: null, seed: null, set: [], tick: null, agent: null, ...common, panel: "parameters" };
    const { session, name, seed } = pane.session;
    return { session, simulation: name, seed: seed ?? null, set: pane.set, tick: pane.session.kind === "live" ? null : pane.tick, agent: this.selected, ...common };
  }

  // Writes the place into the address: another one as a new entry, another tick of the same now and then.
  private note(): void {
    if (this.restoring) return; // an entry for something half open would cut off what is forward of it
    const place = this.place;
    const key = JSON.stringify({ ...place, tick: null, find: "" });
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
      this.noted = JSON.stringify({ ...this.place, tick: null, find: "" });
      writePlace(this.place, false);
    });
    return this.restored;
  }
  private async restoreNow(place: Place): Promise<void> {
    this.reading = place.read;
    this.find = place.find;
    const now = this.panes[0];
    if (place.simulation === null && place.session === null) {
      this.panel = place.panel;
      this.noted = JSON.stringify({ ...this.homePlace(place), tick: null, find: "" });
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
    this.noted = JSON.stringify({ ...this.place, tick: null, find: "" });
    this.resubscribe();
    // A run that plays goes on; one that is paused goes to the tick of the link.
    if (place.tick !== null && now.session.playing !== true && place.tick !== now.tick) await this.seek(place.tick);
    this.update();
  }
  private homePlace(place: Place): Place {
    return { session: null, simulation: null, seed: null, set: [], tick: null, agent: null, panel: "parameters", read: place.read, find: "" };
  }

  // Opens what a place names: its session if it is still there, or the same run again, brought to the same tick.
  private async openPlace(place: Place, reloaded: boolean): Promise<void> {
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
      // Somebody watches it: the link's tick is shown in a run of the same past.
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
  private enterHome(): void {
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
  search(text: string): void {
    this.find = text;
    this.update();
  }
  setLiveEdits(on: boolean): void {
    this.liveEdits = on;
    this.update();
  }
  read(file: string | null): void {
    this.reading = file;
    this.update();
  }

  // --- drafts ---

  draftKey(session: number, definition: string): string {
    const pane = this.paneOf(session);
    return pane === undefined || pane.forked ? `#${session} ${definition}` : `${pane.session.name} ${definition}`;
  }
  // The definitions of a simulation that have a draft.
  draftsOf(simulation: string): string[] {
    return [...this.drafts.keys()].filter((key) => key.startsWith(`${simulation} `)).map((key) => key.slice(simulation.length + 1));
  }
  // Texts before and after the edits by controls of one definition, for as long as the page is open.
  textHistory(key: string): { undo: string[]; redo: string[] } {
    let found = this.histories.get(key);
    if (found === undefined) this.histories.set(key, (found = { undo: [], redo: [] }));
    return found;
  }
  confirm(text: string, yes: string): Promise<boolean> {
    this.question?.answer(false);
    return new Promise((done) => {
      this.question = {
        text,
        yes,
        answer: (value) => {
          this.question = null;
          this.update();
          done(value);
        },
      };
      this.update();
    });
  }
  // A fork's drafts go with it; those of a simulation are there again when it is opened again.
  private async mayLeave(): Promise<boolean> {
    const pane = this.panes.find((one) => one.forked);
    const keys = pane === undefined ? [] : [...this.drafts.keys()].filter((key) => key.startsWith(`#${pane.session.session} `));
    if (keys.length === 0) return true;
    if (!(await this.confirm("The second run has an edited text that it has not taken over. It is lost if the run is closed.", "Discard it"))) return false;
    for (const key of keys) this.drafts.delete(key);
    return true;
  }

  disconnected(reason: string): void {
    this.connection = this.hello === null && reason === "" ? "connecting" : "lost";
    if (this.hello !== null) this.connection = "lost";
    this.reason = reason;
    this.seekBusy = false;
    this.seekNext = null;
    this.comparing = false;
    this.update();
  }

  paneOf(session: number): Pane | undefined {
    return this.panes.find((one) => one.session.session === session);
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

  // --- what is open ---

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
  private async enter(session: Session, place: number, set: string[] = []): Promise<void> {
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

  // Asks only for what is on screen: a thousand agents described five times a second are not free.
  private async subscribeTo(pane: Pane | null): Promise<void> {
    if (pane === null) return;
    const chosen = pane.selected !== null;
    const answer = await this.ask("watch", {
      session: pane.session.session,
      acknowledge: true,
      layers: this.hello?.layers.filter((_, i) => !this.hidden[i]),
      ...(this.rate !== null ? { rate: this.rate } : {}),
      space: this.showsSpace(pane),
      maps: !this.showsSpace(pane),
      agent: pane.selected,
      describe: chosen ? "agent" : this.panel === "state" || this.pins.length > 0 ? "all" : "none",
      why: pane.session.kind === "simulation" && (chosen || this.panel === "why" || this.panel === "tactics"),
      marks: pane.session.kind === "simulation",
    });
    // What the answer tells is not told again as an event.
    if (answer?.session?.session !== pane.session.session) return;
    pane.takeState(answer.session);
    this.update();
  }
  private resubscribe(): void {
    for (const pane of this.panes) this.subscribeTo(pane);
  }

  activate(place: number): void {
    if (place >= this.panes.length || this.active === place) return;
    this.active = place;
    this.update();
  }

  async closeBeside(): Promise<void> {
    if (await this.mayLeave()) await this.dropBeside();
  }
  private async dropBeside(): Promise<void> {
    const pane = this.panes[1];
    if (pane === undefined) return;
    this.panes.length = 1;
    this.active = 0;
    this.difference = null;
    this.update();
    await this.ask("close", { session: pane.session.session });
  }

  // --- who is selected ---

  select(agent: string | null): void {
    if (this.pane === null || this.selected === agent) return;
    // Side by side it is the same agent twice, or the comparison would be of two people.
    for (const pane of this.linked ? this.panes : [this.pane]) {
      pane.selected = agent;
      pane.forgetAgent();
      this.subscribeTo(pane);
      pane.pictureListener?.();
    }
    this.asked = null;
    this.pointing = false;
    if (agent !== null && this.panel === "parameters") this.panel = "why";
    this.update();
  }

  // --- space ---

  // Whether a run is shown in space: it has heights, and nobody chose the flat picture.
  showsSpace(pane: Pane): boolean {
    return pane.session.capabilities?.includes("spatial") === true && !this.flat;
  }
  toggleFlat(flat = !this.flat): void {
    this.flat = flat;
    this.resubscribe();
    this.redraw();
  }

  // --- why not? ---

  // Asks the shown decision about an option, an agent or a place; null: about nothing any more.
  askWhyNot(asked: Asked | null): void {
    this.asked = asked;
    this.pointing = false;
    this.update();
  }
  // The next click in the picture says what is meant.
  togglePointing(on = !this.pointing): void {
    this.pointing = on;
    this.update();
  }

  // One after the other: each goes on from what the one before selected.
  selectNext(by: number): Promise<void> {
    return (this.choosing = this.choosing.then(() => this.selectNextNow(by)));
  }
  private async selectNextNow(by: number): Promise<void> {
    const pane = this.pane;
    if (pane === null) return;
    let agents = pane.picture === null ? [] : listAgents(pane.picture);
    // Minds without a body are not in the picture; the description knows them, or the decisions.
    if (agents.length === 0) agents = ownersOf((await this.ask("describe", { session: pane.session.session }))?.tree ?? []);
    if (agents.length === 0 && pane.tick > 0 && pane.session.kind === "simulation") {
      const told = await this.backend.request("why", { session: pane.session.session }).catch(() => null);
      agents = decidersOf([...(told?.decisions ?? []), ...(told?.last?.decisions ?? [])]);
    }
    if (agents.length === 0 || pane !== this.pane) return;
    const at = this.selected === null ? (by > 0 ? -1 : 0) : agents.indexOf(this.selected);
    this.select(agents[(at + by + agents.length) % agents.length]);
  }

  // --- time ---

  // One request to the active session, or to both where they are driven together.
  private drive(what: string, members: Record<string, unknown> = {}): Promise<any> {
    if (this.pane === null || this.pane.session.kind !== "simulation" || !this.writable) return Promise.resolve(null);
    const panes = this.linked ? this.panes : [this.pane];
    return Promise.all(panes.map((pane) => this.ask(what, { session: pane.session.session, ...members }))).then((all) => all[0]);
  }
  // To the active session alone; a program that runs by itself takes commands, and nothing else.
  private driveOne(what: string, members: Record<string, unknown> = {}): Promise<any> {
    if (this.pane === null || !this.writable) return Promise.resolve(null);
    if (this.pane.session.kind !== "simulation" && what !== "command") return Promise.resolve(null);
    return this.ask(what, { session: this.pane.session.session, ...members });
  }

  // Pressed twice, it plays and pauses, also if the first press is not confirmed yet.
  async togglePlay(): Promise<void> {
    if (this.pane === null) return;
    const play = !this.pane.plays;
    const answered = (this.linked ? this.panes : [this.pane]).map((pane) => pane.order(play));
    const answer = await this.drive(play ? "play" : "pause");
    for (const one of answered) one(answer !== null);
  }
  step(ticks: number): void {
    this.drive("step", { ticks });
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
    if (this.seekBusy) return;
    this.seekBusy = true;
    while (this.seekNext !== null) {
      const next: number = this.seekNext;
      this.seekNext = null;
      await this.drive("seek", { tick: next });
    }
    this.seekBusy = false;
  }
  // So many seconds of the simulation back or forth.
  seekBy(seconds: number): void {
    const pane = this.pane;
    if (pane === null) return;
    this.seek(Math.min(pane.end, Math.max(0, pane.tick + Math.round(seconds / (pane.session.dt ?? 1 / 60)))));
  }

  // To the next or the last tick at which somebody, or the selected one, changed its mind.
  seekDecision(by: 1 | -1): void {
    const agent = this.selected;
    this.seekMark(by, ([, kind, who]) => (kind === "decision" || kind === "state" || kind === "failed") && (agent === null || who === agent), "decision");
  }
  seekEvent(by: 1 | -1): void {
    this.seekMark(by, ([, kind]) => kind === "event" || kind === "overrun" || kind === "input", "event");
  }
  private seekMark(by: 1 | -1, wanted: (mark: Mark) => boolean, what: string): void {
    const mark = this.pane?.findMark(this.pane.tick, by, wanted) ?? null;
    if (mark === null) this.say(`There is no ${what} ${by > 0 ? "after" : "before"} this tick.`);
    else this.seek(mark[0]);
  }

  command(name: string, value: Value): void {
    this.driveOne("command", { name, value, ...(this.selected !== null ? { agent: this.selected } : {}) });
  }

  // --- parameters ---

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

  private async applyValues(number: number, values: Values): Promise<void> {
    const pane = this.paneOf(number);
    if (pane === undefined || !this.writable) return;
    const past = pane.tick < pane.end;
    const answered = pane.send(values);
    this.update();
    const answer = await this.ask("set", { session: number, values });
    answered();
    if (answer === null) await this.watch(number, this.panes.indexOf(pane));
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

  private async importParameters(name: string, text: string): Promise<void> {
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

  // --- definitions ---

  // A definition as of the tick shown; null if it cannot be had.
  async readDefinition(session: number, name: string): Promise<string | null> {
    const answer = await this.backend.request("definition", { session, name }).catch(() => null);
    return answer?.text ?? null;
  }

  // What a definition can be made of; empty if it has no parts.
  async partsOf(session: number, name: string): Promise<Part[]> {
    const answer = await this.backend.request("parts", { session, name }).catch(() => null);
    return answer?.parts ?? [];
  }

  // Hands a new text over, or only has it checked. The faults come back, none if all is well.
  async reloadDefinition(session: number, name: string, text: string, check: boolean): Promise<Fault[]> {
    try {
      await this.backend.request("reload", { session, name, text, ...(check ? { check } : {}) });
      return [];
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const plain: Fault = { line: 0, column: 0, severity: "error", message: error.message };
      return error.faults.length > 0 ? error.faults : [plain];
    }
  }

  // The keys that a blackboard has, asked for once; null until the answer is there.
  boardKeys(session: number): Set<string> | null {
    const known = this.boards.get(session);
    if (known !== undefined) return known;
    this.boards.set(session, null);
    void this.readDefinition(session, "board").then((text) => {
      if (text !== null) this.boards.set(session, new Set(Object.keys(JSON.parse(text))));
      this.update();
    });
    return null;
  }
  // One value of the blackboard; the others stay as they are.
  async setBoardValue(session: number, key: string, value: Value): Promise<void> {
    const [fault] = await this.reloadDefinition(session, "board", JSON.stringify({ [key]: value }), false);
    if (fault !== undefined) this.say(`${key}: ${fault.message}`, "error");
  }

  // What the last exchange could not match, as the simulation tells it.
  async lostOf(session: number): Promise<string[]> {
    const answer = await this.backend.request("describe", { session }).catch(() => null);
    const found: string[] = [];
    const walk = (nodes: TreeNode[], inside: boolean) => {
      for (const node of nodes) {
        if (node.children !== undefined) walk(node.children, node.name === "definition");
        else if (inside && node.name === "lost") found.push(String(node.value));
      }
    };
    walk(answer?.tree ?? [], false);
    return found;
  }

  // The definition that a file of that name is for: by its name, or the only one with that ending.
  private definitionFor(file: string): string | null {
    const own = this.session?.definitions?.filter((one) => one.name !== "parameters") ?? [];
    const [, name, format] = /^(.*?)\.([^.]*)$/.exec(file) ?? ["", file, ""];
    const fits = own.filter((one) => (one.format === format || (one.format === "level" && format === "txt")) && one.name !== "board");
    return (own.find((one) => one.name === name) ?? (fits.length === 1 ? fits[0] : undefined))?.name ?? null;
  }

  // --- a second run beside the first ---

  // What stands in the second pane changes places with the first, so that the newcomer takes the other's.
  private firstIs(pane: Pane): void {
    if (this.panes[1] === pane) this.panes.reverse();
  }

  async fork(): Promise<void> {
    const from = this.pane;
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

  toggleLinked(): void {
    this.linked = !this.linked;
    this.update();
  }

  // --- numbers over time ---

  // A vector is pinned if its components are.
  isPinned(path: Path, value: Value | undefined): boolean {
    const keys = new Set(seriesOf(path, value).map(pathKey));
    return this.pins.some((one) => keys.has(pathKey(one)));
  }
  togglePin(path: Path, value: Value | undefined): void {
    const all = seriesOf(path, value);
    if (this.isPinned(path, value)) this.unpin((one) => all.some((other) => pathKey(other) === pathKey(one)));
    else this.pin(all);
  }
  closePlot(key: string): void {
    this.unpin((path) => plotKey(path) === key);
  }
  // The series of a plot once more, of another agent.
  addAgent(key: string, agent: string): void {
    const first = this.pins.filter((path) => plotKey(path) === key);
    const like = first.filter((path) => path[0] === first[0][0]);
    if (agent !== "") this.pin(like.map((path) => [`@${agent}`, ...path.slice(1)]));
  }
  private pin(paths: Path[]): void {
    if (this.pins.length + paths.length > PINS_MAX) return this.say(`A page plots up to ${PINS_MAX} series.`);
    this.pins = [...this.pins, ...paths.filter((path) => !this.pins.some((one) => pathKey(one) === pathKey(path)))];
    if (this.session?.playing === false) this.scan();
    this.resubscribe();
    this.pollPins();
    this.update();
  }
  private unpin(which: (path: Path) => boolean): void {
    this.pins = this.pins.filter((path) => !which(path));
    this.resubscribe();
    this.update();
  }

  // What an agent is called in the description, if it was heard, and its id.
  nameOf(owner: string): string {
    const name = this.ownerNames.get(`${this.session?.session} ${owner}`);
    return name === undefined ? `agent ${owner}` : `${name} (${owner})`;
  }
  private hearNames(session: number, nodes: TreeNode[]): void {
    for (const node of nodes) {
      const key = `${session} ${node.owner}`;
      // The first group of an agent is the agent; later ones are what others note about it.
      if (node.owner !== undefined && !this.ownerNames.has(key) && !/^\d+(:\d+)?$/.test(node.name)) this.ownerNames.set(key, node.name.replace(/_/g, " "));
      else if (node.children !== undefined) this.hearNames(session, node.children);
    }
  }

  // The subscription brings the selected agent; others that are plotted are asked for while the run goes on.
  private pollPins(): void {
    if (this.polling) return;
    this.polling = true;
    const poll = async () => {
      for (const pane of this.panes) {
        if (pane.session.playing !== true || this.connection !== "open") continue;
        const owners = new Set(this.pins.map(ownerOf));
        if (pane.selected === null) owners.clear(); // everything comes
        else owners.delete(pane.selected);
        for (const owner of owners) {
          const answer = await this.backend.request("describe", { session: pane.session.session, ...(owner !== null ? { agent: owner } : {}) }).catch(() => null);
          if (answer === null) continue;
          this.hearNames(pane.session.session, answer.tree);
          pane.sample(answer.tree, answer.tick, this.pins.filter((path) => ownerOf(path) === owner));
        }
      }
      if (this.pins.length === 0) this.polling = false;
      else window.setTimeout(poll, POLL_EVERY);
    };
    void poll();
  }

  // Has the whole recording gone through for the pinned numbers and for all marks. One at a time: what is asked for
  // meanwhile is gone through once more.
  async scan(): Promise<void> {
    this.scanAgain = true;
    if (this.scanning) return;
    this.scanning = true;
    while (this.scanAgain) {
      this.scanAgain = false;
      await this.scanOnce();
    }
    this.scanning = false;
  }
  private async scanOnce(): Promise<void> {
    const pane = this.pane;
    if (pane === null || pane.session.kind !== "simulation" || !this.writable) return;
    const was = pane.session.playing === true;
    for (let first = 0; first === 0 || first < this.pins.length; first += SCAN_PATHS) {
      const pins = this.pins.slice(first, first + SCAN_PATHS);
      const answer = await this.ask("scan", { session: pane.session.session, paths: pins, samples: 800 });
      if (answer === null) return;
      pins.forEach((path, i) => {
        const ticks = answer.series[i].map((_: unknown, k: number) => answer.from + k * answer.every);
        pane.series.set(pathKey(path), { ticks, values: answer.series[i] });
      });
    }
    if (was) await this.ask("play", { session: pane.session.session });
    this.update();
  }

  async restart(seed: string): Promise<void> {
    if (this.session === null) return;
    await this.open(this.session.name, seed, { ...this.session.params, ...this.session.pending });
  }

  // --- files ---

  async saveRecording(): Promise<void> {
    if (this.session === null) return;
    try {
      const bytes = await this.backend.save(this.session.session);
      download(`${this.session.name}-${this.session.seed}.ployrec`, bytes);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), "error");
    }
  }

  // A recording, a file of parameters, or a definition that the simulation loads anew: the contents tell.
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

  // --- the page ---

  toggleLayer(index: number): void {
    this.hidden[index] = !this.hidden[index];
    this.resubscribe();
    this.redraw();
  }
  toggleNames(): void {
    this.agentNames = !this.agentNames;
    this.redraw();
  }
  private redraw(): void {
    for (const pane of this.panes) pane.pictureListener?.();
    this.update();
  }

  show(panel: Panel): void {
    this.panel = panel;
    this.resubscribe();
    this.update();
  }
  toggleHelp(on = !this.help): void {
    this.help = on;
    this.update();
  }
  toggleAbout(on = !this.about): void {
    this.about = on;
    this.update();
  }
  togglePlaying(on = !this.playing): void {
    if (this.playing === on) return;
    this.playing = on;
    this.update();
  }
  refresh(): void {
    this.update();
  }
}

// Everybody to whom a part of the description belongs, in order of index.
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

// Everybody who decided something, in order of index.
function decidersOf(decisions: Decision[]): string[] {
  const found = new Set(decisions.map((one) => one.agent).filter((one): one is string => one !== null));
  return [...found].sort((a, b) => Number.parseInt(a) - Number.parseInt(b));
}

export function download(name: string, contents: string | Uint8Array): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([contents as BlobPart]));
  link.download = name;
  link.click();
  // A busy browser begins to read a while after the click.
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60000);
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
