#!/usr/bin/env node
// node tests/tree/words.mjs [--count] [FILE...]
//
// Looks for the words and phrases of tests/tree/words.txt in documents, in comments of headers,
// sources and scripts and in messages and help texts, and prints file, line and replacement of each. Entries that begin with `docs:`
// are looked for in documents and public headers only. With FILE, checks those files only; --count prints the hits for
// each folder and word.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fault, files, finish, isC, root } from './tree.mjs';
import { literals } from './literals.mjs';

function readWords() {
  const entries = [];
  readFileSync(join(root, 'tests/tree/words.txt'), 'utf8').split('\n').forEach((line, i) => {
    if (line.trim() === '' || line.startsWith('#')) return;
    const match = /^(?:docs: )?(.+?) => ([^|]+?)(?: \| (.+))?$/.exec(line);
    if (match === null) return fault(`tests/tree/words.txt:${i + 1}`, 'expected PATTERN => REPLACEMENT | ALLOWED; ALLOWED');
    const allowed = match[3]?.split(';').map((one) => one.trim()).filter(Boolean) ?? [];
    entries.push({
      docs: line.startsWith('docs: '),
      pattern: new RegExp(`\\b(?:${match[1]})\\b`, 'gi'),
      replacement: match[2],
      allowed: allowed.length > 0 ? new RegExp(`\\b(?:${allowed.join('|')})\\b`, 'gi') : undefined,
    });
  });
  return entries;
}
const entries = readWords();
const asked = process.argv.slice(2).filter((word) => word !== '--count');

/** The hits in one line of text. */
function hitsOf(text, isComment) {
  const hits = [];
  for (const { pattern, replacement, allowed, docs } of entries) {
    if (docs && isComment) continue;
    const fine = allowed === undefined ? [] : [...text.matchAll(allowed)].map((one) => [one.index, one.index + one[0].length]);
    for (const hit of text.matchAll(pattern)) {
      if (fine.some(([from, to]) => hit.index >= from && hit.index + hit[0].length <= to)) continue;
      hits.push({ word: hit[0], replacement, from: hit.index, to: hit.index + hit[0].length });
    }
  }
  return hits;
}

function commentsOf(text) {
  return text.split('\n').flatMap((line, i) => {
    const comment = /\/\/+<?\s?(.*)$/.exec(line.replace(/"[^"]*"/g, '""'));
    return comment === null ? [] : [{ line: i + 1, text: comment[1].replace(/`[^`]*`/g, '``').replace(/@param \w+/g, '') }];
  });
}

/** The prose of a file: {line, text} each; comment: of a source. */
function proseOf(file, text) {
  if (file.endsWith('.md')) {
    let code = false;
    return text.split('\n').flatMap((line, i) => {
      if (/^\s*```/.test(line)) {
        code = !code;
        return [];
      }
      const plain = line.replace(/`[^`]*`/g, '``').replace(/\]\([^)]*\)/g, ']').replace(/<!--.*?-->/g, '')
        .replace(/\b[A-Z]{3}\b/g, ''); // IDs of techniques
      return code ? [] : [{ line: i + 1, text: plain }];
    });
  }
  if (file.startsWith('include/')) return commentsOf(text);
  const comments = commentsOf(text).map((one) => ({ ...one, comment: true }));
  if (file.endsWith('.h')) return comments;
  // Messages, help and reasons: literals of several words. Not the texts of CLIPS and what characters say; nor the names of
  // described and saved values, which are part of the state hash.
  if (/src\/data\/clips|westworld_words/.test(file)) return comments;
  const messages = literals(text)
    .filter((one) => / /.test(one.text) && !/^ploy_(describe|visit)_/.test(one.call))
    .map((one) => ({ line: one.line, text: one.text.replace(/\\n/g, ' ').replace(/'[^']*'/g, "''") }));
  return [...comments, ...messages];
}

// These quote words that are refused.
const quotes = /tests\/tree\/(words|messages|checks)\.mjs$/;
const counting = process.argv.includes('--count');
const all = [
  ...files('.', (file) => /^(README|CONTRIBUTING|CHANGELOG)\.md$/.test(file)),
  ...files('docs', (file) => file.endsWith('.md')),
  ...files('include', isC),
  ...['src', 'apps', 'labs', 'games', 'bench', 'examples', 'fuzz'].flatMap((folder) => files(folder, isC)),
  ...['studio', 'apps', 'bench', 'tools', 'tests/soak', 'tests/tree'].flatMap((folder) => files(folder, (file) => /\.(ts|tsx|mjs)$/.test(file) && !quotes.test(file))),
];
const counts = new Map();
const found = [];
let checked = 0;
/** The hits of a file. A phrase may go on in the next line of the same text; its line is the first. */
function hitsIn(prose) {
  return prose.flatMap(({ line, text, comment }, i) => {
    const hits = hitsOf(text, comment).map((hit) => ({ ...hit, line }));
    const next = prose[i + 1];
    if (next === undefined || next.line !== line + 1 || next.comment !== comment) return hits;
    const first = text.trimEnd().slice(-80), joined = `${first} ${next.text.trimStart().replace(/^[-*] /, '').slice(0, 80)}`;
    const over = hitsOf(joined, comment).filter(({ from, to }) => from < first.length && to > first.length + 1);
    return [...hits, ...over.map((hit) => ({ ...hit, line }))];
  });
}
for (const file of asked.length > 0 ? asked : all) {
  checked += 1;
  for (const { line, word, replacement } of hitsIn(proseOf(file, readFileSync(asked.length > 0 ? file : join(root, file), 'utf8')))) {
    const folder = dirname(file);
    counts.set(folder, (counts.get(folder) ?? new Map()).set(word.toLowerCase(), (counts.get(folder)?.get(word.toLowerCase()) ?? 0) + 1));
    if (!counting) found.push([`${file}:${line}`, `'${word}': ${replacement}`]);
  }
}
if (counting) {
  for (const [folder, words] of counts) {
    const sorted = [...words].sort((a, b) => b[1] - a[1]);
    console.log(`${folder}: ${sorted.reduce((sum, [, n]) => sum + n, 0)}  ${sorted.slice(0, 12).map(([w, n]) => `${w} ${n}`).join(', ')}`);
  }
}
for (const [place, what] of found) fault(place, what);
finish(`${checked} files, ${entries.length} words and phrases`);
