// The backend over a WebSocket: numbers requests, matches answers, connects again when the server is back.
import { Backend, BackendListener, RequestError } from "./backend";
import { timed } from "./perf";

const PICTURE = 1;
const RECORDING = 2;
const ACKNOWLEDGE = 3;
const VERSION = 1;

interface Waiting {
  resolve: (answer: any) => void;
  reject: (error: Error) => void;
}

export class SocketBackend implements Backend {
  private socket: WebSocket | null = null;
  private listener: BackendListener | null = null;
  private waiting = new Map<number, Waiting>();
  private nextId = 1;
  private delay = 250;
  private timer = 0;
  private reason = "";

  constructor(private url: string, private token: string | null) {}

  start(listener: BackendListener): void {
    this.listener = listener;
    this.connect();
  }

  retry(): void {
    if (this.socket !== null) return;
    window.clearTimeout(this.timer);
    this.connect();
  }

  request(what: string, members: Record<string, unknown> = {}): Promise<any> {
    const id = this.nextId++;
    return this.send(id, () => JSON.stringify({ id, do: what, ...members }));
  }

  acknowledge(session: number): void {
    const bytes = new DataView(new ArrayBuffer(8));
    bytes.setUint8(0, ACKNOWLEDGE);
    bytes.setUint8(1, VERSION);
    bytes.setUint32(4, session, true);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(bytes.buffer);
  }

  save(session: number): Promise<Uint8Array> {
    return this.request("save", { session });
  }

  load(file: Uint8Array): Promise<any> {
    const id = this.nextId++;
    return this.send(id, () => {
      const bytes = new Uint8Array(8 + file.length);
      const view = new DataView(bytes.buffer);
      view.setUint8(0, RECORDING);
      view.setUint8(1, VERSION);
      view.setUint32(4, id, true);
      bytes.set(file, 8);
      return bytes.buffer;
    });
  }

  private send(id: number, make: () => string | ArrayBuffer): Promise<any> {
    const socket = this.socket;
    if (socket === null || socket.readyState !== WebSocket.OPEN) {
      return Promise.reject(new RequestError("interrupted", "the server is not there"));
    }
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      socket.send(make());
    });
  }

  private connect(): void {
    const socket = new WebSocket(this.url, ["ploy.inspector.1"]);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.reason = "";
    socket.onopen = async () => {
      try {
        const hello: any = { protocol: VERSION, client: "ploy studio" };
        if (this.token !== null) hello.token = this.token;
        let answer;
        try {
          answer = await this.request("hello", hello);
        } catch (error) {
          // A token of an earlier server: look without it rather than not at all.
          if (!(error instanceof RequestError) || error.code !== "denied" || this.token === null) throw error;
          this.token = null;
          answer = await this.request("hello", { protocol: VERSION, client: "ploy studio" });
        }
        this.delay = 250;
        this.listener?.connected(answer);
      } catch (error) {
        this.reason = error instanceof Error ? error.message : String(error);
        socket.close();
      }
    };
    socket.onmessage = (message) =>
      timed(() => {
        if (typeof message.data === "string") this.receiveText(message.data);
        else this.receiveBytes(message.data);
      });
    socket.onclose = () => {
      this.socket = null;
      for (const one of this.waiting.values()) one.reject(new RequestError("interrupted", "the server went away"));
      this.waiting.clear();
      this.listener?.disconnected(this.reason);
      this.timer = window.setTimeout(() => this.connect(), this.delay);
      this.delay = Math.min(this.delay * 1.5, 3000);
    };
  }

  private receiveText(text: string): void {
    const message = JSON.parse(text);
    if (message.event !== undefined) {
      if (message.event === "goodbye") this.reason = message.message;
      this.listener?.event(message);
      return;
    }
    const one = this.waiting.get(message.id);
    if (one === undefined) return;
    this.waiting.delete(message.id);
    if (message.ok) one.resolve(message);
    else one.reject(new RequestError(message.error.code, message.error.message, message.error.path, message.error.nearest, message.error.faults));
  }

  private receiveBytes(buffer: ArrayBuffer): void {
    const bytes = new DataView(buffer);
    if (bytes.byteLength < 8 || bytes.getUint8(1) !== VERSION) return;
    if (bytes.getUint8(0) === PICTURE && bytes.byteLength >= 32) this.listener?.picture(bytes);
    if (bytes.getUint8(0) === RECORDING) {
      const id = bytes.getUint32(4, true);
      const one = this.waiting.get(id);
      this.waiting.delete(id);
      one?.resolve(new Uint8Array(buffer, 8));
    }
  }
}
