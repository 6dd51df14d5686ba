// What the page knows of the world behind it. It is implemented by a socket now; a WebAssembly
// core in a worker can stand behind it later. The shapes are those of docs/inspector-protocol.md.

export type Value = boolean | number | string | number[] | null;
export type Values = Record<string, Value>;

export interface Field {
  path: string;
  name: string;
  type: "bool" | "i32" | "u64" | "f32" | "f64" | "enum" | "vec2" | "vec3";
  unit: string;
  min?: number;
  max?: number;
  default: Value;
  choices?: string[];
  help: string;
  live: boolean;
}

export interface Command {
  name: string;
  help: string;
  value: string;
  needs_agent: boolean;
  key: string | null;
}

// A text that can be edited while the session runs.
export interface Definition {
  name: string;
  format: string;
  help: string;
}

// What such a text can be made of: a kind of stage, node or rule.
export interface Part {
  name: string;
  help: string;
  fields: Field[];
}

// What a checker found in one.
export interface Fault {
  line: number;
  column: number;
  severity: "note" | "warning" | "error";
  message: string;
  expected?: string;
  nearest?: string;
}

export interface SimulationOffer {
  name: string;
  title: string;
  help: string;
  view: [number, number, number, number];
}

export interface SessionOffer {
  session: number;
  kind: "simulation" | "live";
  attached?: boolean; // a running program's own recorder
  name: string;
  title: string;
  watchers: number;
  tick?: number;
}

export interface Failure {
  code: string;
  message: string;
}

export interface Session {
  session: number;
  kind: "simulation" | "live";
  name: string;
  title: string;
  help?: string;
  view: [number, number, number, number];
  fields: Field[];
  params: Values;
  pending?: Values;
  commands?: Command[];
  capabilities?: string[];
  definitions?: Definition[];
  load?: Load;
  dt?: number;
  seed?: string;
  tick?: number;
  end?: number;
  time?: number;
  playing?: boolean;
  speed?: number;
  seeking?: number | null;
  hash?: string;
  failed?: Failure | null;
}

// What thinking cost in the last tick, in units of work.
export interface Load {
  units: number | null;
  spent: number;
  due: number;
  ran: number;
  put_off: number;
  top: { name: string; agent: string | null; units: number }[];
}

// What every few ticks cost: the least and the most that one of them spent, its budget (-1: none), turns put off.
export interface Costs {
  least: number[];
  most: number[];
  units: number[];
  put_off: number[];
}

export const MARK_KINDS = ["event", "state", "decision", "failed", "overrun", "input"] as const;
export type MarkKind = (typeof MARK_KINDS)[number];
// Tick, kind, agent, text: as they come.
export type Mark = [number, MarkKind, string | null, string];

export interface TreeNode {
  name: string;
  owner?: string;
  children?: TreeNode[];
  value?: Value;
  type?: string;
  mark?: "state" | "derived" | "note";
}

export type TraceChild =
  | Decision
  | { option: string; outcome: "won" | "lost" | "rejected" | "skipped"; score: number | null; reason: string }
  | { value: string; type: string; is: Value }
  | { note: string };

export interface Decision {
  agent: string | null;
  topic: string;
  technique: string;
  children: TraceChild[];
}

// The decisions of an earlier tick; null and none if there are none.
export interface Told {
  tick: number;
  decisions: Decision[];
}

export interface Hello {
  access: "none" | "look" | "write";
  server: string;
  layers: string[];
  styles: { name: string; color: string; meaning?: string }[];
}

export type BackendEvent =
  | ({ event: "state"; session: number } & Partial<Session>)
  | { event: "progress"; session: number; tick: number; target: number }
  | { event: "describe"; session: number; tick: number; agent: string | null; truncated: boolean; tree: TreeNode[] }
  | { event: "why"; session: number; tick: number; agent: string | null; truncated: boolean; decisions: Decision[]; last?: Told; before?: Told }
  | { event: "marks"; session: number; from: number; count: number; marks: Mark[] }
  | ({ event: "loads"; session: number; from: number; every: number; first: number; count: number } & Costs)
  | { event: "sessions"; sessions: SessionOffer[] }
  | { event: "closed"; session: number; reason: string }
  | { event: "goodbye"; code: string; message: string };

// An answer that is no success. `expected` and `nearest` help to mend the request.
export class RequestError extends Error {
  constructor(readonly code: string, message: string, readonly path?: string, readonly nearest?: string, readonly faults: Fault[] = []) {
    super(message);
  }
}

export interface BackendListener {
  connected(hello: Hello): void;
  disconnected(reason: string): void;
  event(event: BackendEvent): void;
  picture(bytes: DataView): void;
}

export interface Backend {
  start(listener: BackendListener): void;
  // Tries to connect now instead of waiting for the next attempt.
  retry(): void;
  request(what: string, members?: Record<string, unknown>): Promise<any>;
  // Reports that a picture was drawn, so that the next may come.
  acknowledge(session: number): void;
  save(session: number): Promise<Uint8Array>;
  load(file: Uint8Array): Promise<any>;
}
