#!/usr/bin/env node
// node tests/tree/messages.mjs [FILE...]
//
// Checks the shape of every message: what a reader, a builder or a command reports. A message names what was found,
// then what was expected, then the likely fix, in lower case and without a full stop:
//
//   guard.xml:12:5: error: unknown node 'Sequnce' (did you mean 'Sequence'?)
//   car.json:4:12: error: seats is 2.5; expected a whole number from 1 to 9
//   ploy: --ticks expects a whole number of 0 or more, found 'many'
//
// Place, severity, quotes, "; expected" and "(did you mean ...?)" are added by the makers (ploy_diags_add, cli_error_near).
// What remains is the literal at each call, which has one of the shapes below. With FILE, checks only those files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fault, files, finish, isC, root } from './tree.mjs';
import { literals } from './literals.mjs';

/** Not yet checked: counted and printed, and the table shrinks. */
const later = [];

/** The functions that report, and which of their arguments may hold the message. */
const makers = [
  [/^(ploy_diags_add)$/, 6],
  [/^(ploy_json_fault)$/, 3],
  [/^(ploy_visit_check)$/, 2],
  [/^(cli_error|cli_error_near)$/, 0],
  [/^(setup_fault|recording_fault)$/, 2],
  [/^ployi_bt_file_fault$/, 3],
  [/^(ployi|machine_\w+)_wrong$|^ployi_machine_wrong$|^ployi_fuzzy_wrong$/, 'first'],
  [/(_fault|_fault_at|_fault_code|_fault_here|_refuse|_complain|_doubt|_unknown|_among)$|^ployi_lint$|^ployi_build_name$/, 'first'],
];
/** These are given only what was expected, or a part of a text of CLIPS. */
const others = /^(json_fault_here|script_fault|parse_count_fault)$/;
/** CLIPS prints these itself; ours are the same, character by character. */
const isClips = (file, text) => /src\/data\/clips/.test(file) && (/^\W*\[[A-Z]+\d+\]/.test(text) || /[A-Z]/.test(text[0] ?? ''));

const first =
  'unknown|missing|duplicate|invalid|unexpected|unclosed|unsupported|unused|unreachable|wrong|conflicting|' +
  'inconsistent|incomplete|undeclared|unquoted|unescaped|unpaired|empty|negative|ignored|expected|cannot';
const verbs =
  'is|are|was|were|has|have|needs|need|cannot|can|must|may|does|do|exceeds?|differs?|ends?|expects?|requires?|reads?|' +
  'contains?|crosses|overlaps?|leads?|targets?|carries|starts?|begins?|refers?|takes?|asserts?|contradicts?|repeats?|' +
  'fires?|never|loads?|reports?|holds?|uses?|belongs?|runs?|failed|fails?';
export const shapes = [
  { name: 'unknown node', like: new RegExp(`^(${first})( |$)`) },
  { name: 'too many nodes', like: /^(too many|too few|too deep|too long|out of|more than one|no such) / },
  { name: 'file is too large', like: new RegExp(`^[^.]*?\\b(${verbs})\\b`) },
];
const never = [
  [/^(this|it|there|that|its|somebody|nobody|nothing)\b/, 'names no subject'],
  [new RegExp(`^(a|an|the) (?!.*\\b(${verbs})\\b)`), 'begins with an article and has no verb'],
  [/\.$/, 'ends with a full stop'],
  [/^[A-Z]([a-z]| )/, 'begins with a capital letter'],
  [/^no .* is named$/, "writes 'no X is named'; write 'unknown X'"],
  [/\b(is|are) no\b/, "says 'is no X'; write 'invalid X' or 'missing X'"],
  [/\bwants?\b|\bnobody\b|\bno way\b|\bstands?\b|\blies?\b|\banew\b/, 'uses a word that tests/tree/words.txt replaces'],
];

/** The fault of a message, or undefined. */
export function faultOf(text) {
  const plain = text.replace(/^ploy: /, '').replace(/\\n$/, '').replace(/^ /, 'x ');
  for (const [like, why] of never) if (like.test(plain)) return why;
  if (shapes.some(({ like }) => like.test(plain))) return undefined;
  return 'has none of the shapes (see tests/tree/messages.mjs)';
}

function messagesOf(file, text) {
  const found = [];
  let seen = ''; // the call whose message has been found already
  for (const one of literals(text)) {
    const maker = others.test(one.call) ? undefined : makers.find(([name]) => name.test(one.call));
    if (maker === undefined) {
      seen = '';
      if (/^(fprintf|snprintf)$/.test(one.call) && /^ploy: (?!finder '%s'|%s: %d).*[a-z] /.test(one.text)) found.push(one);
      continue;
    }
    const key = `${one.call}/${one.argument}`;
    if (!seen.startsWith(`${one.call}/`)) seen = ''; // another function's call begins
    const fits = maker[1] === 'first' ? one.text.includes(' ') && (seen === '' || seen === key) : maker[1] === one.argument;
    if (!fits) continue;
    seen = key;
    if (!isClips(file, one.text) && /[a-z]/.test(one.text)) found.push(one);
  }
  return found;
}

if (process.argv[1]?.endsWith('messages.mjs')) {
  const asked = process.argv.slice(2);
  const sources = asked.length > 0 ? asked : ['src', 'apps', 'games', 'labs', 'bench'].flatMap((folder) => files(folder, isC));
  let count = 0;
  let postponed = 0;
  for (const file of sources) {
    for (const { line, text } of messagesOf(file, readFileSync(asked.length > 0 ? file : join(root, file), 'utf8'))) {
      count += 1;
      const why = faultOf(text);
      if (why === undefined) continue;
      if (asked.length === 0 && later.some((prefix) => file.startsWith(prefix))) postponed += 1;
      else fault(`${file}:${line}`, `message '${text}' ${why}`);
    }
  }
  if (postponed > 0) console.log(`not yet: ${postponed} messages in ${later.join(', ')}`);
  finish(`${count} messages, each of a known shape`);
}
