// The page's state and everything a person can do to it. Components read it and call its methods; the backend's
// events end up here. Pictures bypass rendering by components: the canvas fetches the newest itself.
import { Backend, BackendEvent, BackendListener, Decision, Hello, RequestError, Session, SessionOffer, SimulationOffer, TreeNode, Value, Values } from "./backend";
import { listAgents, pictureSession } from "./picture";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];

// What undo takes back at once: one drag of a slider, or a reset of everything.
interface Edit {
  before: Values;
  after: Values;
}

export class Store {
  connection: "connecting" | "open" | "lost" = "connecting";
  reason = "";
  hello: Hello | null = null;
  simulations: SimulationOffer[] = [];
  sessions: SessionOffer[] = [];
  session: Session | null = null;
  selected: string | null = null;
  tree: TreeNode[] = [];
  treeTick = -1;
  changed = new Set<string>();
  decisions: Decision[] = [];
  decisionsTick = -1;
  message: { text: string; kind: "info" | "error" } | null = null;
  hidden: boolean[] = [];
  picture: DataView | null = null;
  pictureListener: (() => void) | null = null;
  panel: "parameters" | "state" | "why" = "parameters";
  help = false;

  private edits: Edit[] = [];
  private undone: Edit[] = [];
  private values = new Map<string, string>();
  private listeners = new Set<() => void>();
  private queued = false;
  private messageTimer = 0;
  // A scrub in flight and the newest place wanted after it: a fast drag asks for one seek at a time.
  private seekBusy = false;
  private seekNext: number | null = null;

  constructor(readonly backend: Backend, private wanted: { session: number | null; simulation: string | null; seed: string | null }) {}

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // Components are rendered at most once a frame, however many events arrive.
  private update(): void {
    if (this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      for (const listener of this.listeners) listener();
    });
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
    const list = await this.ask("list");
    if (list === null) return;
    this.simulations = list.simulations;
    this.sessions = list.sessions;
    const again = before?.session ?? this.wanted.session;
    const there = this.sessions.find((one) => one.session === again && (before === null || one.name === before.name));
    const live = this.sessions.find((one) => one.kind === "live");
    if (there !== undefined) await this.watch(there.session);
    else if (wasWritable && !this.writable) {
      this.session = null;
      this.picture = null;
      this.say("This is a new server with another token. Open the address that it printed.", "error");
    } else if (before !== null && before.kind === "simulation") {
      this.say("The server started anew; this is the same simulation from its beginning.");
      await this.open(before.name, before.seed, { ...before.params, ...before.pending });
    } else if (live !== undefined) await this.watch(live.session);
    else if (this.simulations.length > 0 && this.writable) {
      const name = this.simulations.find((one) => one.name === this.wanted.simulation)?.name ?? this.simulations[0].name;
      await this.open(name, this.wanted.seed ?? undefined);
    } else if (this.sessions.length > 0) await this.watch(this.sessions[0].session);
    this.update();
  }

  disconnected(reason: string): void {
    this.connection = this.hello === null && reason === "" ? "connecting" : "lost";
    if (this.hello !== null) this.connection = "lost";
    this.reason = reason;
    this.seekBusy = false;
    this.seekNext = null;
    this.update();
  }

  event(event: BackendEvent): void {
    if (event.event === "sessions") this.sessions = event.sessions;
    if ("session" in event && event.session !== this.session?.session) return this.update();
    switch (event.event) {
      case "state": {
        const { event: _, ...rest } = event;
        this.session = { ...this.session!, ...rest };
        break;
      }
      case "progress":
        this.session = { ...this.session!, tick: event.tick, seeking: event.target };
        break;
      case "describe":
        this.takeTree(event.tree, event.tick);
        break;
      case "why":
        this.decisions = event.decisions;
        this.decisionsTick = event.tick;
        break;
      case "closed":
        this.say(event.reason);
        this.session = null;
        this.picture = null;
        break;
      case "goodbye":
        this.reason = event.message;
        break;
    }
    this.update();
  }

  takePicture(bytes: DataView): void {
    this.picture = bytes;
    this.pictureListener?.();
  }

  // Marks what differs from the tree before, so that the panel can light it up.
  private takeTree(tree: TreeNode[], tick: number): void {
    const next = new Map<string, string>();
    const walk = (nodes: TreeNode[], path: string) => {
      for (const node of nodes) {
        const at = `${path}/${node.name}`;
        if (node.children !== undefined) walk(node.children, at);
        else next.set(at, JSON.stringify(node.value));
      }
    };
    walk(tree, "");
    this.changed = new Set();
    for (const [at, value] of next) {
      if (this.values.has(at) && this.values.get(at) !== value) this.changed.add(at);
    }
    this.values = next;
    this.tree = tree;
    this.treeTick = tick;
  }

  // --- what a person does ---

  async open(simulation: string, seed?: string, params?: Values): Promise<void> {
    const old = this.session;
    const answer = await this.ask("open", { simulation, ...(seed !== undefined ? { seed } : {}), ...(params !== undefined ? { params } : {}) });
    if (answer === null) return;
    if (old !== null && old.session !== answer.session.session && this.sessions.some((one) => one.session === old.session)) {
      this.backend.request("unwatch", { session: old.session }).catch(() => undefined);
    }
    this.enter(answer.session);
    await this.subscribeTo();
    await this.ask("play", { session: answer.session.session });
  }

  async watch(session: number): Promise<void> {
    const old = this.session;
    if (old !== null && old.session !== session) this.backend.request("unwatch", { session: old.session }).catch(() => undefined);
    const answer = await this.ask("watch", { session, rate: 60, acknowledge: true });
    if (answer === null) return;
    this.enter(answer.session);
    await this.subscribeTo();
  }

  private enter(session: Session): void {
    const same = this.session?.session === session.session;
    this.session = session;
    if (!same) {
      this.selected = null;
      this.tree = [];
      this.values.clear();
      this.changed.clear();
      this.decisions = [];
      this.decisionsTick = -1;
      this.edits = [];
      this.undone = [];
      this.picture = null;
    }
    const hash = new URLSearchParams(location.hash.slice(1));
    hash.set("session", String(session.session));
    hash.set("simulation", session.name);
    history.replaceState(null, "", "#" + hash.toString());
    document.title = `${session.title} · ploy studio`;
    this.update();
  }

  private async subscribeTo(): Promise<void> {
    if (this.session === null) return;
    const layers = this.hello?.layers.filter((_, i) => !this.hidden[i]);
    await this.ask("watch", {
      session: this.session.session,
      acknowledge: true,
      layers,
      agent: this.selected,
      describe: this.selected !== null ? "agent" : "all",
      why: this.session.kind === "simulation",
    });
  }

  select(agent: string | null): void {
    if (this.selected === agent) return;
    this.selected = agent;
    this.values.clear();
    this.changed.clear();
    this.decisions = [];
    if (agent !== null && this.panel === "parameters") this.panel = "why";
    this.subscribeTo();
    this.pictureListener?.();
    this.update();
  }

  selectNext(by: number): void {
    if (this.picture === null) return;
    const agents = listAgents(this.picture);
    if (agents.length === 0) return;
    const at = this.selected === null ? (by > 0 ? -1 : 0) : agents.indexOf(this.selected);
    this.select(agents[(at + by + agents.length) % agents.length]);
  }

  private drive(what: string, members: Record<string, unknown> = {}): Promise<any> {
    if (this.session === null || this.session.kind !== "simulation" || !this.writable) return Promise.resolve(null);
    return this.ask(what, { session: this.session.session, ...members });
  }

  togglePlay(): void {
    this.drive(this.session?.playing ? "pause" : "play");
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
    this.seekNext = tick;
    if (this.seekBusy) return;
    this.seekBusy = true;
    while (this.seekNext !== null) {
      const next: number = this.seekNext;
      this.seekNext = null;
      await this.drive("seek", { tick: next });
    }
    this.seekBusy = false;
  }

  command(name: string, value: Value): void {
    this.drive("command", { name, value, ...(this.selected !== null ? { agent: this.selected } : {}) });
  }

  valueOf(path: string): Value {
    return this.session?.pending?.[path] ?? this.session?.params[path] ?? null;
  }

  // `joined` continues the edit before, as the moves of one drag of a slider do.
  async setParameters(after: Values, joined = false): Promise<void> {
    const before: Values = {};
    for (const path of Object.keys(after)) before[path] = this.valueOf(path);
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    const last = this.edits[this.edits.length - 1];
    if (joined && last !== undefined && Object.keys(last.after).join() === Object.keys(after).join()) last.after = after;
    else this.edits.push({ before, after });
    this.undone = [];
    await this.applyValues(after);
  }

  setParameter(path: string, value: Value, joined = false): Promise<void> {
    return this.setParameters({ [path]: value }, joined);
  }

  private async applyValues(values: Values): Promise<void> {
    if (this.session === null || !this.writable) return;
    const past = this.session.tick !== undefined && this.session.end !== undefined && this.session.tick < this.session.end;
    if (this.session.kind === "simulation") this.session = { ...this.session, pending: { ...this.session.pending, ...values } };
    else this.session = { ...this.session, params: { ...this.session.params, ...values } };
    this.update();
    const answer = await this.ask("set", { session: this.session.session, values });
    if (answer === null) await this.watch(this.session.session);
    else if (past) this.say("The recorded future after this tick is forgotten: it will be another one.");
  }

  async undo(): Promise<void> {
    const edit = this.edits.pop();
    if (edit === undefined) return;
    this.undone.push(edit);
    await this.applyValues(edit.before);
  }
  async redo(): Promise<void> {
    const edit = this.undone.pop();
    if (edit === undefined) return;
    this.edits.push(edit);
    await this.applyValues(edit.after);
  }

  resetParameters(): Promise<void> {
    const defaults: Values = {};
    for (const field of this.session?.fields ?? []) {
      if (field.live && JSON.stringify(this.valueOf(field.path)) !== JSON.stringify(field.default)) defaults[field.path] = field.default;
    }
    return this.setParameters(defaults);
  }

  async fork(): Promise<void> {
    const answer = await this.drive("fork");
    if (answer === null || answer === undefined) return;
    await this.watch(answer.session.session);
    this.say("A second simulation with the same past. The first one is still in the list.");
  }

  async restart(seed: string): Promise<void> {
    if (this.session === null) return;
    await this.open(this.session.name, seed, { ...this.session.params, ...this.session.pending });
  }

  async saveRecording(): Promise<void> {
    if (this.session === null) return;
    try {
      const bytes = await this.backend.save(this.session.session);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([bytes as BlobPart]));
      link.download = `${this.session.name}-${this.session.seed}.ployrec`;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), "error");
    }
  }

  async openRecording(file: File): Promise<void> {
    try {
      const answer = await this.backend.load(new Uint8Array(await file.arrayBuffer()));
      await this.watch(answer.session.session);
      this.say(`${file.name}: ${answer.session.end} ticks. Play or scrub to execute it again.`);
    } catch (error) {
      this.say(`${file.name}: ${error instanceof Error ? error.message : error}`, "error");
    }
  }

  toggleLayer(index: number): void {
    this.hidden[index] = !this.hidden[index];
    this.subscribeTo();
    this.pictureListener?.();
    this.update();
  }

  show(panel: Store["panel"]): void {
    this.panel = panel;
    this.update();
  }
  toggleHelp(on = !this.help): void {
    this.help = on;
    this.update();
  }
  refresh(): void {
    this.update();
  }
}

// How the backend reaches the store.
export function listenerOf(store: Store): BackendListener {
  return {
    connected: (hello) => void store.connected(hello),
    disconnected: (reason) => store.disconnected(reason),
    event: (event) => store.event(event),
    picture: (bytes) => {
      if (pictureSession(bytes) === store.session?.session) store.takePicture(bytes);
      else store.backend.acknowledge(pictureSession(bytes));
    },
  };
}
