// Pictures for the gallery. The server has few sessions and one thread, so pictures are made one at a time: a simulation
// is opened, stepped to where something is to be seen, drawn and closed again. The one under the pointer stays open and runs.
import { Backend } from "./backend";
import { drawPicture } from "./picture";
import { styleColor, textColor, themeColor } from "./theme";

const TICKS = 90; // of the still pictures
const PATIENCE = 4000; // ms until a slow one is shown as far as it is
const RATE = 15; // pictures a second of the one that runs
const WAIT = 150; // ms that a pointer must rest on a card

export class Thumbnails {
  private pictures = new Map<string, DataView>();
  private listeners = new Map<string, () => void>();
  private wanted: string[] = []; // on screen and without a picture
  private failed = new Set<string>();
  private busy = false;
  private on = false;
  private running: { name: string; session: number | null } | null = null;
  private timer = 0;
  private sessions = new Map<number, { name: string; arrived: (() => void) | null }>();

  constructor(private backend: Backend, private may: () => boolean) {}

  listen(name: string, listener: () => void): () => void {
    this.listeners.set(name, listener);
    return () => this.listeners.delete(name);
  }
  owns(session: number): boolean {
    return this.sessions.has(session);
  }
  picture(name: string): DataView | null {
    return this.pictures.get(name) ?? null;
  }

  // Only while the gallery is shown: behind a simulation nothing else runs.
  enable(on: boolean): void {
    this.on = on;
    if (on) void this.work();
    else if (this.running !== null) this.rest(this.running.name);
  }

  want(name: string, wanted: boolean): void {
    this.wanted = this.wanted.filter((one) => one !== name);
    if (wanted && !this.pictures.has(name) && !this.failed.has(name)) this.wanted.push(name);
    void this.work();
  }

  // True if the picture was a thumbnail.
  take(session: number, bytes: DataView): boolean {
    const known = this.sessions.get(session);
    if (known === undefined) return false;
    this.pictures.set(known.name, bytes);
    if (known.arrived === null) this.listeners.get(known.name)?.();
    else known.arrived();
    this.backend.acknowledge(session);
    return true;
  }

  private async work(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    while (this.on && this.may() && this.wanted.length > 0) {
      const name = this.wanted.shift()!;
      await this.still(name).catch(() => this.failed.add(name));
      this.listeners.get(name)?.();
    }
    this.busy = false;
  }

  private async still(name: string): Promise<void> {
    const { session } = await this.backend.request("open", { simulation: name });
    const number: number = session.session;
    const known: { name: string; arrived: (() => void) | null } = { name, arrived: () => undefined };
    this.sessions.set(number, known);
    try {
      await this.backend.request("watch", { session: number, rate: 0 });
      const stepped = this.backend.request("step", { session: number, ticks: TICKS }).catch(() => undefined);
      await Promise.race([stepped, new Promise((done) => window.setTimeout(done, PATIENCE))]);
      await new Promise<void>((done) => {
        const timer = window.setTimeout(done, PATIENCE);
        known.arrived = () => {
          window.clearTimeout(timer);
          done();
        };
        this.backend.request("watch", { session: number, rate: RATE }).catch(() => done());
      });
    } finally {
      this.sessions.delete(number);
      await this.backend.request("close", { session: number }).catch(() => undefined);
    }
  }

  // The card under the pointer or the focus runs, after a moment: a pointer on its way elsewhere starts nothing.
  run(name: string): void {
    if (!this.on || !this.may() || this.running?.name === name) return;
    if (this.running !== null) this.rest(this.running.name);
    const self = (this.running = { name, session: null as number | null });
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(async () => {
      if (this.running !== self) return;
      const answer = await this.backend.request("open", { simulation: name }).catch(() => null);
      if (answer === null) return;
      const session: number = answer.session.session;
      this.sessions.set(session, { name, arrived: null });
      self.session = session;
      if (this.running !== self) return this.drop(session);
      await this.backend.request("watch", { session, rate: RATE, acknowledge: true }).catch(() => undefined);
      await this.backend.request("play", { session }).catch(() => undefined);
    }, WAIT);
  }
  rest(name: string): void {
    if (this.running?.name !== name) return;
    const { session } = this.running;
    this.running = null;
    window.clearTimeout(this.timer);
    if (session !== null) this.drop(session);
  }
  private drop(session: number): void {
    this.sessions.delete(session);
    this.backend.request("close", { session }).catch(() => undefined);
  }
}

export function drawThumbnail(element: HTMLCanvasElement, bytes: DataView | null, view: [number, number, number, number], styles: { name: string; color: string }[]): void {
  const ratio = window.devicePixelRatio || 1;
  const width = element.clientWidth;
  const height = element.clientHeight;
  if (width === 0) return;
  element.width = Math.round(width * ratio);
  element.height = Math.round(height * ratio);
  const context = element.getContext("2d", { alpha: false })!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = themeColor("paper");
  context.fillRect(0, 0, width, height);
  if (bytes === null) return;
  const [x0, y0, x1, y1] = view;
  const camera = { x: (x0 + x1) / 2, y: (y0 + y1) / 2, scale: Math.min(width / (x1 - x0), height / (y1 - y0)) * 0.96 };
  // Texts are too large for a picture of this size: their layer stays away.
  drawPicture(context, bytes, camera, width, height, { styles: styles.map(styleColor), texts: styles.map((one) => textColor(one.color)), ink: themeColor("ink"), paper: themeColor("paper"), hidden: [], names: false, small: true }, null);
}
