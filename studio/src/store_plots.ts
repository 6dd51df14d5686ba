// Numbers over time: which are plotted, what their owners are called, and where the values come from.
import { TreeNode, Value } from "./backend";
import { Path, pathKey } from "./pane";
import { ownerOf, plotKey, seriesOf } from "./series";
import { StoreTime } from "./store_time";

const PINS_MAX = 24; // series
const SCAN_PATHS = 8; // of one request
const POLL_EVERY = 250; // ms between two looks at agents that are plotted and not selected

export abstract class StorePlots extends StoreTime {
  private scanning = false;
  private scanAgain = false;
  private ownerNames = new Map<string, string>();
  private polling = false;

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

  protected pin(paths: Path[]): void {
    if (this.pins.length + paths.length > PINS_MAX) return this.say(`A page plots up to ${PINS_MAX} series.`);
    this.pins = [...this.pins, ...paths.filter((path) => !this.pins.some((one) => pathKey(one) === pathKey(path)))];
    if (this.session?.playing === false) this.scan();
    this.resubscribe();
    this.pollPins();
    this.update();
  }

  protected unpin(which: (path: Path) => boolean): void {
    this.pins = this.pins.filter((path) => !which(path));
    this.resubscribe();
    this.update();
  }

  // What an agent is called in the description, if it was heard, and its id.
  nameOf(owner: string): string {
    const name = this.ownerNames.get(`${this.session?.session} ${owner}`);
    return name === undefined ? `agent ${owner}` : `${name} (${owner})`;
  }

  protected hearNames(session: number, nodes: TreeNode[]): void {
    for (const node of nodes) {
      const key = `${session} ${node.owner}`;
      // The first group of an agent is the agent; later ones are what others note about it.
      if (node.owner !== undefined && !this.ownerNames.has(key) && !/^\d+(:\d+)?$/.test(node.name)) this.ownerNames.set(key, node.name.replace(/_/g, " "));
      else if (node.children !== undefined) this.hearNames(session, node.children);
    }
  }

  // The subscription brings the selected agent; others that are plotted are asked for while the run goes on.
  protected pollPins(): void {
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

  protected async scanOnce(): Promise<void> {
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
}
