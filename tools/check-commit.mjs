#!/usr/bin/env node
// tools/check-commit [--except FILE] RANGE
//
// Checks the texts of the commits in RANGE (as for git log; merges are left out): the subject has at most 50 columns, is
// imperative ("path: break ties by index", not "broke" or "breaks") and has no full stop; a blank line follows, then a body
// of at most 72 columns that says why. FILE names known exceptions: a commit id and the reason on each line.
// Exit status: 0 all good, 1 faults (commit id and what to do), 2 bad usage.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const SUBJECT = 50;
const BODY = 72;

/** The faults of one commit message. */
export function faultsOf(message) {
  const lines = message.replace(/\s+$/, '').split('\n');
  const faults = [];
  const subject = lines[0] ?? '';
  const words = subject.replace(/^[^:]{1,30}: */, '').split(' ');
  if (subject === '') return ['missing subject'];
  if (subject.length > SUBJECT) faults.push(`subject has ${subject.length} columns; expected at most ${SUBJECT}`);
  if (/\.$/.test(subject)) faults.push('subject ends with a full stop');
  if (!/^[\w .,/+-]+: \S/.test(subject)) faults.push("subject has no area; expected 'module: what'");
  if (/^(\w+ed|\w+ing|(?!(?:address|pass|process|focus|express|compress|discuss|access|guess|press)$)\w+[^s]s)$/i.test(words[0]) &&
      !/^(embed|feed|need|speed|seed|bring|spring|string|shed|bias|alias|canvas)$/i.test(words[0])) {
    faults.push(`subject is not imperative: '${words[0]}'`);
  }
  if (lines.length > 1 && lines[1] !== '') faults.push('missing blank line after the subject');
  const body = lines.slice(2).filter((line) => line.trim() !== '' && !/^[A-Z][\w-]+: /.test(line));
  if (body.length === 0) faults.push('missing body; expected why the change was made');
  lines.slice(2).forEach((line, i) => {
    if (line.length > BODY && line.includes(' ')) faults.push(`line ${i + 3} has ${line.length} columns; expected at most ${BODY}`);
  });
  return faults;
}

const words = process.argv.slice(2);
let exceptions = new Set();
if (words[0] === '--except' && words.length > 1) {
  const text = readFileSync(words[1], 'utf8');
  exceptions = new Set(text.split('\n').filter((line) => /^[0-9a-f]{7,40}\b/.test(line)).map((line) => line.split(' ')[0]));
  words.splice(0, 2);
}
if (words.length !== 1 || words[0].startsWith('-')) {
  console.error('usage: check-commit [--except FILE] RANGE');
  process.exit(2);
}
const log = spawnSync('git', ['log', '--no-merges', '--format=%H%x00%B%x01', words[0]], { encoding: 'utf8', maxBuffer: 1 << 28 });
if (log.error || log.status !== 0) {
  console.error(`check-commit: cannot read the range '${words[0]}'\n${log.stderr ?? ''}`);
  process.exit(2);
}
let count = 0;
let bad = 0;
for (const entry of log.stdout.split('\x01')) {
  const [id, message] = entry.replace(/^\n/, '').split('\0');
  if (message === undefined) continue;
  count += 1;
  if ([...exceptions].some((known) => id.startsWith(known))) continue;
  for (const fault of faultsOf(message)) {
    console.error(`${id.slice(0, 10)}: ${fault} (${message.split('\n')[0]})`);
    bad += 1;
  }
}
if (bad === 0) console.log(`${count} commits, all texts as CONTRIBUTING.md asks`);
process.exit(bad === 0 ? 0 : 1);
