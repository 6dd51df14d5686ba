#!/usr/bin/env node
// node tests/tree/words.mjs [--count] [FILE...]
//
// Looks for the words and phrases of tests/tree/words.txt in documents, in comments of public headers and in messages and
// help texts, and prints file, line and replacement of each. Modules in the table `later` are counted, not refused. With
// FILE, checks those files only, whatever their module; --count prints the hits for each folder and word.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fault, files, finish, isC, root } from './tree.mjs';
import { literals } from './literals.mjs';

/** Not yet rewritten: hits are counted and printed, and the table shrinks. */
const later = [];

function readWords() {
  const entries = [];
  readFileSync(join(root, 'tests/tree/words.txt'), 'utf8').split('\n').forEach((line, i) => {
    if (line.trim() === '' || line.startsWith('#')) return;
    const match = /^(.+?) => ([^|]+?)(?: \| (.+))?$/.exec(line);
    if (match === null) return fault(`tests/tree/words.txt:${i + 1}`, 'expected PATTERN => REPLACEMENT | ALLOWED; ALLOWED');
    const allowed = match[3]?.split(';').map((one) => one.trim()).filter(Boolean) ?? [];
    entries.push({
      pattern: new RegExp(`\\b(?:${match[1]})\\b`, 'gi'),
      replacement: match[2],
      allowed: allowed.length > 0 ? new RegExp(`\\b(?:${allowed.join('|')})\\b`, 'gi') : undefined,
    });
  });
  return entries;
}
const entries = readWords();

/** The hits in one line of text. */
function hitsOf(text) {
  const hits = [];
  for (const { pattern, replacement, allowed } of entries) {
    const fine = allowed === undefined ? [] : [...text.matchAll(allowed)].map((one) => [one.index, one.index + one[0].length]);
    for (const hit of text.matchAll(pattern)) {
      if (fine.some(([from, to]) => hit.index >= from && hit.index + hit[0].length <= to)) continue;
      hits.push({ word: hit[0], replacement });
    }
  }
  return hits;
}

/** The prose of a file: {line, text} each. */
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
  if (file.startsWith('include/') || file.endsWith('.h')) {
    return text.split('\n').flatMap((line, i) => {
      const comment = /\/\/+<?\s?(.*)$/.exec(line.replace(/"[^"]*"/g, '""'));
      return comment === null ? [] : [{ line: i + 1, text: comment[1].replace(/`[^`]*`/g, '``').replace(/@param \w+/g, '') }];
    });
  }
  // Messages, help and reasons: literals of several words. Not the texts of CLIPS and what characters say; nor the names of
  // described and saved values, which are part of the state hash.
  if (/src\/data\/clips|westworld_words/.test(file)) return [];
  return literals(text)
    .filter((one) => / /.test(one.text) && !/^ploy_(describe|visit)_/.test(one.call))
    .map((one) => ({ line: one.line, text: one.text.replace(/\\n/g, ' ').replace(/'[^']*'/g, "''") }));
}

const asked = process.argv.slice(2).filter((word) => word !== '--count');
const counting = process.argv.includes('--count');
const all = [
  ...files('.', (file) => /^(README|CONTRIBUTING|CHANGELOG)\.md$/.test(file)),
  ...files('docs', (file) => file.endsWith('.md')),
  ...files('include', isC),
  ...['src', 'apps', 'labs', 'games', 'bench'].flatMap((folder) => files(folder, (file) => file.endsWith('.c'))),
];
const postponed = new Map();
const counts = new Map();
const found = [];
let checked = 0;
for (const file of asked.length > 0 ? asked : all) {
  checked += 1;
  const scope = asked.length > 0 ? undefined : later.find((prefix) => file.startsWith(prefix));
  for (const { line, text } of proseOf(file, readFileSync(asked.length > 0 ? file : join(root, file), 'utf8'))) {
    for (const { word, replacement } of hitsOf(text)) {
      const folder = dirname(file);
      counts.set(folder, (counts.get(folder) ?? new Map()).set(word.toLowerCase(), (counts.get(folder)?.get(word.toLowerCase()) ?? 0) + 1));
      if (scope !== undefined) postponed.set(scope, (postponed.get(scope) ?? 0) + 1);
      else if (!counting) found.push([`${file}:${line}`, `'${word}': ${replacement}`]);
    }
  }
}
if (counting) {
  for (const [folder, words] of counts) {
    const sorted = [...words].sort((a, b) => b[1] - a[1]);
    console.log(`${folder}: ${sorted.reduce((sum, [, n]) => sum + n, 0)}  ${sorted.slice(0, 12).map(([w, n]) => `${w} ${n}`).join(', ')}`);
  }
}
for (const [place, what] of found) fault(place, what);
for (const [scope, count] of postponed) console.log(`not yet: ${scope}: ${count} hits`);
finish(`${checked} files, ${entries.length} words and phrases`);
