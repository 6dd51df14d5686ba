// Edits of an XML text that keep everything else in it: comments, blank lines, quotes, and the order of what a person
// wrote. A scanner finds where every element and attribute is; an edit replaces, inserts or removes that stretch.

export interface Span {
  start: number;
  end: number;
}
export interface XmlAttribute extends Span {
  name: string;
  value: string; // without escapes
  inside: Span; // between the quotes
  quote: string;
}
export interface XmlElement extends Span {
  name: string;
  tag: Span; // the start tag, from '<' to behind '>'
  inner: Span | null; // between the tags; null: <name/>
  attributes: XmlAttribute[];
  children: XmlElement[];
  parent: XmlElement | null;
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const decode = (text: string): string => text.replace(/&(lt|gt|amp|quot|apos);/g, (_, name) => ENTITIES[name]);
const encode = (text: string, quote: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, quote === '"' ? "&quot;" : '"').replace(/'/g, quote === "'" ? "&apos;" : "'");

// The outermost elements, or null if the text is not well-formed.
export function scanXml(text: string): XmlElement[] | null {
  const roots: XmlElement[] = [];
  let open: XmlElement | null = null;
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf("<", at);
    if (next < 0) break;
    at = next;
    const skip = text.startsWith("<!--", at) ? "-->" : text.startsWith("<![CDATA[", at) ? "]]>" : /^<[?!]/.test(text.slice(at, at + 2)) ? ">" : null;
    if (skip !== null) {
      const end = text.indexOf(skip, at);
      if (end < 0) return null;
      at = end + skip.length;
      continue;
    }
    const closing = /^<\/([\w:.-]+)\s*>/.exec(text.slice(at, at + 200));
    if (closing !== null) {
      if (open === null || open.name !== closing[1]) return null;
      open.inner!.end = at;
      at += closing[0].length;
      open.end = at;
      open = open.parent;
      continue;
    }
    const element = scanTag(text, at, open);
    if (element === null) return null;
    (open?.children ?? roots).push(element);
    at = element.tag.end;
    if (element.inner !== null) open = element;
  }
  return open === null ? roots : null;
}

function scanTag(text: string, start: number, parent: XmlElement | null): XmlElement | null {
  const name = /^<([A-Za-z_][\w:.-]*)/.exec(text.slice(start, start + 200));
  if (name === null) return null;
  let at = start + name[0].length;
  const attributes: XmlAttribute[] = [];
  for (;;) {
    const blank = /^\s*/.exec(text.slice(at))![0].length;
    if (text.startsWith("/>", at + blank) || text[at + blank] === ">") {
      const alone = text[at + blank] === "/";
      const end = at + blank + (alone ? 2 : 1);
      return { name: name[1], start, end, tag: { start, end }, inner: alone ? null : { start: end, end }, attributes, children: [], parent };
    }
    const found = blank === 0 ? null : /^([\w:.-]+)\s*=\s*("[^"<]*"|'[^'<]*')/.exec(text.slice(at + blank, at + blank + 4000));
    if (found === null) return null;
    const from = at + blank;
    const end = from + found[0].length;
    attributes.push({ name: found[1], value: decode(found[2].slice(1, -1)), start: from, end, inside: { start: end - found[2].length + 1, end: end - 1 }, quote: found[2][0] });
    at = end;
  }
}

export const attributeOf = (element: XmlElement, name: string): string | undefined => element.attributes.find((one) => one.name === name)?.value;

const replace = (text: string, { start, end }: Span, by: string): string => text.slice(0, start) + by + text.slice(end);

// Sets, adds or removes (null) an attribute.
export function setAttribute(text: string, element: XmlElement, name: string, value: string | null): string {
  const found = element.attributes.find((one) => one.name === name);
  if (found === undefined) {
    if (value === null) return text;
    const last = element.attributes[element.attributes.length - 1];
    const at = last?.end ?? element.start + 1 + element.name.length;
    const quote = last?.quote ?? '"';
    return replace(text, { start: at, end: at }, ` ${name}=${quote}${encode(value, quote)}${quote}`);
  }
  if (value !== null) return replace(text, found.inside, encode(value, found.quote));
  const blank = /\s*$/.exec(text.slice(0, found.start))![0].length;
  return replace(text, { start: found.start - blank, end: found.end }, "");
}

export function renameElement(text: string, element: XmlElement, name: string): string {
  let now = text;
  if (element.inner !== null) {
    const at = element.inner.end + 2; // behind "</"
    now = replace(now, { start: at, end: at + element.name.length }, name);
  }
  return replace(now, { start: element.start + 1, end: element.start + 1 + element.name.length }, name);
}

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;
const indentAt = (text: string, at: number): string => /^[ \t]*/.exec(text.slice(lineStart(text, at)))![0];
// Whether nothing but blanks is before it in its line.
const beginsLine = (text: string, at: number): boolean => /^[ \t]*$/.test(text.slice(lineStart(text, at), at));

// An element with its line, if it has one.
function wholeLines(text: string, element: Span): Span {
  const rest = /^[ \t]*(\n|$)/.exec(text.slice(element.end));
  if (!beginsLine(text, element.start) || rest === null) return element;
  return { start: lineStart(text, element.start), end: element.end + rest[0].length };
}

export function removeElement(text: string, element: XmlElement): string {
  return replace(text, wholeLines(text, element), "");
}

// Where a new child at that place begins, and the text that puts it there. The block is written as if it began a line.
function insertion(text: string, parent: XmlElement, index: number, block: string): { span: Span; by: string } {
  const indented = (indent: string) => block.split("\n").map((line, i) => (i === 0 || line === "" ? line : indent + line)).join("\n");
  const before = parent.children[index];
  const after = parent.children[index - 1];
  if (before !== undefined) {
    if (!beginsLine(text, before.start)) return { span: { start: before.start, end: before.start }, by: indented(indentAt(text, before.start)) };
    const indent = indentAt(text, before.start);
    const at = lineStart(text, before.start);
    return { span: { start: at, end: at }, by: `${indent}${indented(indent)}\n` };
  }
  if (after !== undefined) {
    if (!beginsLine(text, after.start)) return { span: { start: after.end, end: after.end }, by: indented(indentAt(text, after.start)) };
    const indent = indentAt(text, after.start);
    return { span: { start: after.end, end: after.end }, by: `\n${indent}${indented(indent)}` };
  }
  const outer = indentAt(text, parent.start);
  const inner = `${outer}  `;
  if (parent.inner === null) return { span: { start: parent.tag.end - 2, end: parent.tag.end }, by: `>\n${inner}${indented(inner)}\n${outer}</${parent.name}>` };
  // Between the tags there is nothing but blanks and comments: behind them.
  const rest = text.slice(parent.inner.start, parent.inner.end);
  const kept = rest.replace(/\s*$/, "");
  return { span: { start: parent.inner.start + kept.length, end: parent.inner.end }, by: `\n${inner}${indented(inner)}\n${outer}` };
}

export function insertElement(text: string, parent: XmlElement, index: number, block: string): string {
  const { span, by } = insertion(text, parent, index, block);
  return replace(text, span, by);
}

const within = (element: XmlElement | null, outer: XmlElement): boolean => element !== null && (element === outer || within(element.parent, outer));

// Takes an element with all that is inside to another place; null if it would be inside itself or is there already.
export function moveElement(text: string, element: XmlElement, parent: XmlElement, index: number): string | null {
  if (within(parent, element)) return null;
  const own = parent.children.indexOf(element);
  if (own >= 0 && (index === own || index === own + 1)) return null;
  // Its lines lose the indent that they have here; the insertion gives them that of the new place.
  const indent = indentAt(text, element.start);
  const block = text.slice(element.start, element.end).split("\n").map((line, i) => (i > 0 && line.startsWith(indent) ? line.slice(indent.length) : line)).join("\n");
  // The place is found without the element, so that it is not its own neighbour.
  const others = { ...parent, children: parent.children.filter((one) => one !== element) };
  const { span, by } = insertion(text, others, own >= 0 && own < index ? index - 1 : index, block);
  const gone = wholeLines(text, element);
  if (span.start >= gone.start && span.end <= gone.end && span.start < gone.end && span.start > gone.start) return null;
  return span.start >= gone.end ? replace(replace(text, span, by), gone, "") : replace(replace(text, gone, ""), span, by);
}

// The innermost element around a place in the text.
export function elementAt(roots: XmlElement[], at: number): XmlElement | null {
  for (const one of roots) {
    if (at < one.start || at > one.end) continue;
    return elementAt(one.children, at) ?? one;
  }
  return null;
}
