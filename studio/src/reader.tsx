// A page of the guide or a source file in front of what is open: the texts that the gallery's links lead to.
import { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "./focus";
import { Store } from "./store";

let texts: Promise<Record<string, string>> | null = null;
function loadTexts(): Promise<Record<string, string>> {
  texts ??= fetch("/texts.gz").then(async (answer) => {
    if (!answer.ok || answer.body === null) throw new Error("this server has no guide");
    return JSON.parse(await new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).text());
  });
  texts.catch(() => (texts = null));
  return texts;
}

export function Reader({ store, file }: { store: Store; file: string }) {
  const [path, anchor] = file.split("#");
  const [text, setText] = useState<string | null>(null);
  const [fault, setFault] = useState("");
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let alive = true;
    setFault("");
    loadTexts().then(
      (all) => {
        if (!alive) return;
        setText(all[path] ?? null);
        if (all[path] === undefined) setFault(`There is no ${path}.`);
      },
      (error) => alive && setFault(String(error instanceof Error ? error.message : error)),
    );
    return () => void (alive = false);
  }, [path]);
  useEffect(() => {
    const heading = anchor === undefined ? null : box.current?.querySelector(`[id="read-${CSS.escape(anchor)}"]`);
    if (heading != null) heading.scrollIntoView();
    else box.current?.scrollTo(0, 0);
  }, [text, anchor]);
  return (
    <Dialog label={path} class="reader" close={() => store.read(null)}>
      <div class="reader-head">
        <code>{path}</code>
        <button onClick={() => store.read(null)}>Close</button>
      </div>
      <div class="reader-text" ref={box} tabIndex={0} role="region" aria-label="Text">
        {fault !== "" && <p class="empty">{fault}</p>}
        {text !== null && (path.endsWith(".md") ? <Markdown text={text} path={path} open={(to) => store.read(to)} /> : <pre tabIndex={0}>{text}</pre>)}
      </div>
    </Dialog>
  );
}

const slug = (title: string): string => title.toLowerCase().replace(/[^\w\- ]/g, "").replace(/ /g, "-");

// The Markdown that the guide uses: headings, paragraphs, lists, tables, code, links and emphasis.
function Markdown({ text, path, open }: { text: string; path: string; open: (file: string) => void }) {
  const lines = text.split("\n");
  const blocks: ComponentChildren[] = [];
  const inline = (source: string) => <Inline text={source} path={path} open={open} />;
  for (let i = 0; i < lines.length; ) {
    const line = lines[i];
    const heading = /^(#{1,5}) (.*)/.exec(line);
    if (line.startsWith("```")) {
      const end = lines.indexOf("```", i + 1);
      blocks.push(<pre tabIndex={0}>{lines.slice(i + 1, end < 0 ? undefined : end).join("\n")}</pre>);
      i = end < 0 ? lines.length : end + 1;
    } else if (heading !== null) {
      const Level = `h${Math.min(6, heading[1].length + 1)}` as "h2";
      blocks.push(<Level id={`read-${slug(heading[2])}`}>{inline(heading[2])}</Level>);
      i++;
    } else if (/^\s*\|/.test(line)) {
      const rows: string[][] = [];
      for (; i < lines.length && /^\s*\|/.test(lines[i]); i++) rows.push(lines[i].trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim()));
      const [head, , ...body] = rows;
      blocks.push(
        <table tabIndex={0}>
          <thead><tr>{head.map((cell) => <th>{inline(cell)}</th>)}</tr></thead>
          <tbody>{body.map((row) => <tr>{row.map((cell) => <td>{inline(cell)}</td>)}</tr>)}</tbody>
        </table>,
      );
    } else if (/^(\d+\.|[-*]) /.test(line)) {
      const items: string[] = [];
      const ordered = /^\d/.test(line);
      for (; i < lines.length && (/^(\d+\.|[-*]) /.test(lines[i]) || /^ +\S/.test(lines[i])); i++) {
        if (/^(\d+\.|[-*]) /.test(lines[i])) items.push(lines[i].replace(/^(\d+\.|[-*]) /, ""));
        else items[items.length - 1] += " " + lines[i].trim();
      }
      const all = items.map((item) => <li>{inline(item)}</li>);
      blocks.push(ordered ? <ol>{all}</ol> : <ul>{all}</ul>);
    } else if (line.trim() === "" || line.startsWith("<!--")) i++;
    else {
      const parts: string[] = [];
      for (; i < lines.length && lines[i].trim() !== "" && !/^(#|```|\s*\||[-*] |\d+\. |<!--)/.test(lines[i]); i++) parts.push(lines[i]);
      if (parts.length === 0) parts.push(lines[i++]);
      blocks.push(<p>{inline(parts.join(" "))}</p>);
    }
  }
  return <>{blocks}</>;
}

const INLINE = /`([^`]+)`|!\[([^\]]*)\]\([^)]*\)|\[([^\]]+)\]\(([^)]+)\)|\*\*([^*]+)\*\*|\*([^*]+)\*/g;
function Inline({ text, path, open }: { text: string; path: string; open: (file: string) => void }) {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    parts.push(text.slice(at, found.index));
    at = found.index! + found[0].length;
    const [, code, picture, title, href, strong, emphasis] = found;
    if (code !== undefined) parts.push(<code>{code}</code>);
    else if (picture !== undefined) parts.push(<em class="picture">Picture: {picture.replace(/`/g, "")}</em>);
    else if (title !== undefined) parts.push(<Link title={title} href={href} path={path} open={open} />);
    else if (strong !== undefined) parts.push(<strong>{strong}</strong>);
    else parts.push(<em>{emphasis}</em>);
  }
  parts.push(text.slice(at));
  return <>{parts}</>;
}

// Links within the guide and to the sources stay in the reader; others are left to the browser.
function Link({ title, href, path, open }: { title: string; href: string; path: string; open: (file: string) => void }) {
  const plain = title.replace(/`/g, "");
  if (/^https?:/.test(href)) return <a href={href} target="_blank" rel="noreferrer">{plain}</a>;
  const target = href.startsWith("#") ? path + href : new URL(href, `http://x/${path}`).pathname.slice(1) + (href.includes("#") ? href.slice(href.indexOf("#")) : "");
  return <button class="link" onClick={() => open(target)}>{plain}</button>;
}
