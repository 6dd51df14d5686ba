// Edits of a recipe's text that keep everything else in it: comments, blanks, and the order of what a person wrote.
// A scanner finds where every value is; an edit replaces, inserts or removes that stretch of the text.
import { Value } from "./backend";

export interface Span {
  start: number;
  end: number;
}
export interface JsonNode extends Span {
  kind: "object" | "array" | "value";
  members: { key: string; at: Span; value: JsonNode }[]; // of an object; `at` is the key
  items: JsonNode[]; // of an array
}

export interface Stage extends Span {
  generator: string;
  seed: string; // "" if the text has none
  node: JsonNode;
}

class Scanner {
  at = 0;
  constructor(readonly text: string) {}

  blank(): void {
    for (;;) {
      const rest = this.text.slice(this.at);
      const found = /^(\s+|\/\/[^\n]*|\/\*[^]*?\*\/)/.exec(rest);
      if (found === null) return;
      this.at += found[0].length;
    }
  }
  private want(letter: string): void {
    this.blank();
    if (this.text[this.at] !== letter) throw new Error(`expected ${letter}`);
    this.at++;
  }
  private has(letter: string): boolean {
    this.blank();
    return this.text[this.at] === letter;
  }

  value(): JsonNode {
    this.blank();
    const node: JsonNode = { kind: "value", start: this.at, end: this.at, members: [], items: [] };
    if (this.text[this.at] === "{" || this.text[this.at] === "[") {
      const object = this.text[this.at++] === "{";
      const close = object ? "}" : "]";
      node.kind = object ? "object" : "array";
      while (!this.has(close)) {
        if (object) {
          const at = this.word();
          this.want(":");
          node.members.push({ key: JSON.parse(this.text.slice(at.start, at.end)), at, value: this.value() });
        } else node.items.push(this.value());
        if (!this.has(close)) this.want(",");
      }
      this.want(close);
    } else this.word();
    node.end = this.at;
    return node;
  }
  private word(): Span {
    this.blank();
    const found = /^("(\\.|[^"\\])*"|[-+.\w]+)/.exec(this.text.slice(this.at));
    if (found === null) throw new Error("expected a value");
    const start = this.at;
    this.at += found[0].length;
    return { start, end: this.at };
  }
}

const read = (text: string, node: JsonNode | undefined): any => {
  if (node === undefined) return undefined;
  if (node.kind === "object") return Object.fromEntries(node.members.map((one) => [one.key, read(text, one.value)]));
  if (node.kind === "array") return node.items.map((one) => read(text, one));
  try {
    return JSON.parse(text.slice(node.start, node.end));
  } catch {
    return text.slice(node.start, node.end);
  }
};
const member = (node: JsonNode | undefined, key: string): JsonNode | undefined => node?.members.find((one) => one.key === key)?.value;
const splice = (text: string, span: Span, by: string): string => text.slice(0, span.start) + by + text.slice(span.end);

// The stages of a text; null if it is not a list of objects.
export function stagesOf(text: string): Stage[] | null {
  try {
    const scanner = new Scanner(text);
    const root = scanner.value();
    scanner.blank();
    if (root.kind !== "array" || scanner.at < text.length) return null;
    return root.items.map((node) => {
      if (node.kind !== "object") throw new Error("expected an object");
      const seed = member(node, "seed");
      return {
        start: node.start,
        end: node.end,
        generator: String(read(text, member(node, "generator")) ?? ""),
        seed: seed === undefined ? "" : String(read(text, seed)),
        node,
      };
    });
  } catch {
    return null;
  }
}

// What the text sets a field to; undefined if it keeps the default.
export function settingOf(text: string, stage: Stage, path: string): Value | undefined {
  let node = member(stage.node, "set");
  for (const name of path.split(".")) node = member(node, name);
  return read(text, node);
}

// Puts a member into an object, or replaces its value. Steps of the path that are missing are made.
function put(text: string, node: JsonNode, path: string[], value: string): string {
  const found = member(node, path[0]);
  if (found !== undefined && path.length > 1 && found.kind === "object") return put(text, found, path.slice(1), value);
  let made = value;
  for (const name of path.slice(1).reverse()) made = `{ ${JSON.stringify(name)}: ${made} }`;
  if (found !== undefined) return splice(text, found, made);
  const entry = `${JSON.stringify(path[0])}: ${made}`;
  if (node.members.length === 0) return splice(text, { start: node.start + 1, end: node.end - 1 }, ` ${entry} `);
  const last = node.members[node.members.length - 1].value.end;
  return splice(text, { start: last, end: last }, `, ${entry}`);
}

// Removes a member, with the comma that went with it.
function drop(text: string, node: JsonNode, path: string[]): string {
  const at = node.members.findIndex((one) => one.key === path[0]);
  if (at < 0) return text;
  if (path.length > 1) return drop(text, node.members[at].value, path.slice(1));
  const own = { start: node.members[at].at.start, end: node.members[at].value.end };
  if (at > 0) own.start = node.members[at - 1].value.end;
  else if (node.members.length > 1) own.end = node.members[1].at.start;
  return splice(text, own, "");
}

export const setSetting = (text: string, stage: Stage, path: string, value: Value): string =>
  put(text, stage.node, ["set", ...path.split(".")], JSON.stringify(value));
export const resetSetting = (text: string, stage: Stage, path: string): string => drop(text, stage.node, ["set", ...path.split(".")]);
export const setSeed = (text: string, stage: Stage, seed: string): string =>
  seed === "" ? drop(text, stage.node, ["seed"]) : put(text, stage.node, ["seed"], seed);
// Another generator has other settings: the old ones go.
export function setGenerator(text: string, stage: Stage, name: string): string {
  const without = drop(text, stage.node, ["set"]);
  const again = new Scanner(without);
  again.at = stage.start;
  return put(without, again.value(), ["generator"], JSON.stringify(name));
}
export function moveStage(text: string, stages: Stage[], from: number, to: number): string {
  const [a, b] = from < to ? [stages[from], stages[to]] : [stages[to], stages[from]];
  return text.slice(0, a.start) + text.slice(b.start, b.end) + text.slice(a.end, b.start) + text.slice(a.start, a.end) + text.slice(b.end);
}
export function removeStage(text: string, stages: Stage[], at: number): string {
  const own = { start: stages[at].start, end: stages[at].end };
  if (at > 0) own.start = stages[at - 1].end;
  else if (stages.length > 1) own.end = stages[1].start;
  return splice(text, own, "");
}
export function addStage(text: string, stages: Stage[], generator: string): string {
  const entry = `{ "generator": ${JSON.stringify(generator)} }`;
  if (stages.length === 0) return `[\n  ${entry}\n]\n`;
  const end = stages[stages.length - 1].end;
  return splice(text, { start: end, end }, `,\n  ${entry}`);
}
