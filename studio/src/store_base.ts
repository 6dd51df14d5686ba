// What the page is showing, and how its parts reach the server: the state that components read, requests, messages,
// what is selected and which parts of it the server is asked for.
import { Panel, Place } from "./address";
import { Backend, Hello, RequestError, Session, SessionOffer, SimulationOffer } from "./backend";
import { Difference } from "./compare";
import { Asked } from "./decided";
import { Pane, Path } from "./pane";
import { timed } from "./perf";
import { onTheme } from "./theme";
import { Thumbnails } from "./thumbnails";

// A question that must be answered before something is lost.
export interface Question {
  text: string;
  yes: string;
  answer: (yes: boolean) => void;
}

export abstract class StoreBase {
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

  private listeners = new Set<() => void>();
  private queued = false;
  private messageTimer = 0;

  constructor(readonly backend: Backend, protected wanted: Place, private rate: number | null, protected reloaded: boolean) {
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
  protected update(): void {
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

  // Whether a dialog is in front of everything.
  get modal(): boolean {
    return this.help || this.about || this.question !== null || this.reading !== null;
  }

  get writable(): boolean {
    return this.connection === "open" && this.hello?.access === "write";
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

  protected async ask(what: string, members: Record<string, unknown> = {}): Promise<any> {
    try {
      return await this.backend.request(what, members);
    } catch (error) {
      if (error instanceof RequestError && (error.code === "cancelled" || error.code === "interrupted")) return null;
      this.say(error instanceof Error ? error.message : String(error), "error");
      return null;
    }
  }

  paneOf(session: number): Pane | undefined {
    return this.panes.find((one) => one.session.session === session);
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

  // One request to the active session, or to both where they are driven together.
  protected drive(what: string, members: Record<string, unknown> = {}): Promise<any> {
    if (this.pane === null || this.pane.session.kind !== "simulation" || !this.writable) return Promise.resolve(null);
    const panes = this.linked ? this.panes : [this.pane];
    return Promise.all(panes.map((pane) => this.ask(what, { session: pane.session.session, ...members }))).then((all) => all[0]);
  }

  // To the active session alone; a program that runs by itself takes commands, and nothing else.
  protected driveOne(what: string, members: Record<string, unknown> = {}): Promise<any> {
    if (this.pane === null || !this.writable) return Promise.resolve(null);
    if (this.pane.session.kind !== "simulation" && what !== "command") return Promise.resolve(null);
    return this.ask(what, { session: this.pane.session.session, ...members });
  }

  // Whether a run is shown in space: it has heights, and the flat picture was not chosen.
  showsSpace(pane: Pane): boolean {
    return pane.session.capabilities?.includes("spatial") === true && !this.flat;
  }

  // Asks only for what is on screen: a thousand agents described five times a second are not free.
  protected async subscribeTo(pane: Pane | null): Promise<void> {
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
    // What the answer contains is not sent again as an event.
    if (answer?.session?.session !== pane.session.session) return;
    pane.takeState(answer.session);
    this.update();
  }

  protected resubscribe(): void {
    for (const pane of this.panes) this.subscribeTo(pane);
  }

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

  toggleFlat(flat = !this.flat): void {
    this.flat = flat;
    this.resubscribe();
    this.redraw();
  }

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

  toggleLayer(index: number): void {
    this.hidden[index] = !this.hidden[index];
    this.resubscribe();
    this.redraw();
  }

  toggleNames(): void {
    this.agentNames = !this.agentNames;
    this.redraw();
  }

  protected redraw(): void {
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

  toggleLinked(): void {
    this.linked = !this.linked;
    this.update();
  }

  activate(place: number): void {
    if (place >= this.panes.length || this.active === place) return;
    this.active = place;
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

  refresh(): void {
    this.update();
  }

  // Writes where the page is into its address.
  protected abstract note(): void;
}
