#!/usr/bin/env node
// node tools/docs.mjs --check | --update
//
// Keeps the documents true. Every relative link and picture leads to a file, every #anchor to a heading, every module
// has its guide. A code block below a line `<!-- from examples/hello.c -->` is that file; with
// `<!-- from examples/hello.c#main -->` it is the one function (with the comment above it). --update puts the present
// text there, --check fails if it differs. The table between `<!-- modules -->` and `<!-- end of modules -->` is made
// from the one that tree.includes checks.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fault, files, finish, modules, moduleTable, root } from '../tests/tree/tree.mjs';

const mode = process.argv[2];
if (mode !== '--check' && mode !== '--update') {
  console.error('usage: docs.mjs --check | --update');
  process.exit(2);
}
const read = (file) => readFileSync(join(root, file), 'utf8');

/** The text that a marker asks for, or undefined (and a fault). */
function snippet(place, source, name) {
  if (!existsSync(join(root, source))) return fault(place, `${source} does not exist`);
  const lines = read(source).replace(/\n+$/, '').split('\n');
  if (name === undefined) return lines.join('\n');
  // A definition begins in the first column with its name before a bracket, and ends with } in the first column.
  const begin = lines.findIndex((line) => new RegExp(`^\\w[^;]*\\b${name}\\(`).test(line));
  if (begin < 0) return fault(place, `${source} defines no ${name}`);
  const end = lines.findIndex((line, i) => i >= begin && (line.startsWith('}') || (i === begin && line.endsWith('}'))));
  if (end < 0) return fault(place, `the end of ${name} in ${source} is not to be found`);
  let first = begin;
  while (first > 0 && lines[first - 1].startsWith('//')) first -= 1;
  return lines.slice(first, end + 1).join('\n');
}

let snippets = 0;
function checkSnippets(file, text) {
  // The block may still be empty; it ends at the first fence, or the text up to the next block would go with it.
  const marked = /^<!-- from (\S+?)(?:#(\w+))? -->\n+```(\w*)\n((?:(?!```).*\n)*)```$/gm;
  const markers = text.match(/^<!-- from .*-->$/gm) ?? [];
  let found = 0;
  const updated = text.replace(marked, (whole, source, name, language, old) => {
    found += 1;
    snippets += 1;
    const code = snippet(file, source, name);
    const now = `${code}\n`;
    if (code === undefined || now === old) return whole;
    if (mode === '--check') fault(file, `the code from ${source} is not what is there now: make docs`);
    return `${whole.slice(0, whole.length - old.length - 3)}${now}\`\`\``;
  });
  if (found !== markers.length) fault(file, `${markers.length - found} "from" line(s) without a code block below`);
  if (mode === '--update' && updated !== text) {
    writeFileSync(join(root, file), updated);
    console.log(`${file}: code brought up to date`);
  }
}

function checkModules(file) {
  const text = read(file);
  const match = /<!-- modules -->\n([\s\S]*?)<!-- end of modules -->/.exec(text);
  if (match === null) return fault(file, 'missing the table between <!-- modules --> and <!-- end of modules -->');
  const now = `${moduleTable()}\n`;
  if (match[1] === now) return undefined;
  if (mode === '--check') return fault(file, 'the table of modules differs from tests/tree/tree.mjs: make docs');
  writeFileSync(join(root, file), text.replace(match[0], () => `<!-- modules -->\n${now}<!-- end of modules -->`));
  return console.log(`${file}: table of modules brought up to date`);
}

// As web sites make anchors from headings.
const anchorOf = (heading) =>
  heading.replace(/`/g, '').trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
const anchors = new Map();
function anchorsOf(file) {
  if (!anchors.has(file)) {
    const body = read(file).replace(/^```[\s\S]*?^```/gm, '');
    anchors.set(file, new Set([...body.matchAll(/^#+ (.*)$/gm)].map((match) => anchorOf(match[1]))));
  }
  return anchors.get(file);
}

let links = 0;
function checkLinks(file, text) {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  const targets = [
    ...[...prose.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)].map((match) => match[1]),
    ...[...prose.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]),
    ...[...prose.matchAll(/^\[[^\]]+\]:\s+(\S+)/gm)].map((match) => match[1]),
  ];
  for (const target of targets) {
    if (/^[a-z]+:/.test(target)) continue; // elsewhere on the web; not asked, so that tests need no network
    links += 1;
    const [path, anchor] = target.split('#');
    const to = path === '' ? file : normalize(join(dirname(file), decodeURIComponent(path)));
    if (!existsSync(join(root, to))) fault(file, `the link to ${target} leads nowhere`);
    else if (anchor && to.endsWith('.md') && !anchorsOf(to).has(anchor)) {
      fault(file, `${to} has no heading for #${anchor}`);
    }
  }
}

checkModules('CONTRIBUTING.md');
const documents = files('.', (file) => file.endsWith('.md'));
for (const file of documents) {
  const text = read(file);
  checkSnippets(file, text);
  checkLinks(file, text);
}
for (const module of Object.keys(modules)) {
  if (existsSync(join(root, 'src', module)) && !documents.includes(`docs/guide/${module}.md`)) {
    fault(`docs/guide/${module}.md`, 'the module has no guide');
  }
}
// A chapter begins with a problem of a game, shows a picture or a program, and states when another technique is better.
// Reference pages and pages about whole games have no such choice.
const OTHER_PAGES = /\/(authoring|glossary|first-game|games[\w-]*)\.md$/;
for (const file of documents.filter((name) => name.startsWith('docs/guide/') && !OTHER_PAGES.test(name))) {
  const text = read(file);
  if (!/When not to use (it|them):/.test(text)) fault(file, "expected a paragraph 'When not to use it:'");
  if (!/^(```|!\[)/m.test(text)) fault(file, 'expected a picture or a program');
}
for (const file of ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'docs/techniques.md', 'docs/conventions.md']) {
  if (!documents.includes(file)) fault(file, 'is missing');
}
finish(`${documents.length} documents, ${links} links, ${snippets} pieces of code from examples`);
