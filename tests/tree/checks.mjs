#!/usr/bin/env node
// node tests/tree/checks.mjs
//
// Tests the checks themselves: a bad word and a malformed message are each refused with file and line, a bad commit text
// with the commit's id, and good ones pass.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fault, finish, root } from './tree.mjs';

const folder = mkdtempSync(join(tmpdir(), 'ploy-checks-'));
let rows = 0;

/** Runs a check on a file with that text; `want` is a part of its report, or undefined if it has to pass. */
function row(script, name, text, want) {
  rows += 1;
  const file = join(folder, name);
  writeFileSync(file, text);
  const done = spawnSync(process.execPath, [join(root, 'tests/tree', script), file], { encoding: 'utf8' });
  const output = done.stdout + done.stderr;
  const what = `${script}: ${JSON.stringify(text)}`;
  if (want === undefined && done.status !== 0) fault(what, `expected to pass, but: ${output}`);
  if (want !== undefined && (done.status !== 1 || !output.includes(`${file}:${want}`))) {
    fault(what, `expected '${name}:${want}', found: ${output}`);
  }
}

// The examples of definitions as tables stay as short as the guide promises: lines of the tables and of main.
for (const [name, most] of [['machine_table', 30], ['tree_table', 35], ['utility', 20], ['goap_rows', 30]]) {
  rows += 1;
  const text = readFileSync(join(root, 'examples', `decide_${name}.c`), 'utf8');
  const from = text.search(/^static const /m);
  const lines = text.slice(from).split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length;
  if (from < 0 || lines > most) fault(`examples/decide_${name}.c`, `${lines} lines of tables and main, expected at most ${most}`);
}

// `make bench` in a tree that was configured before the peers were installed configures again before it builds.
{
  const tree = join(folder, 'tree');
  for (const name of ['build/release', 'bin', 'tools']) mkdirSync(join(tree, name), { recursive: true });
  copyFileSync(join(root, 'Makefile'), join(tree, 'Makefile'));
  writeFileSync(join(tree, 'build/release/build.ninja'), '');
  const script = (name, text) => {
    writeFileSync(join(tree, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(tree, name), 0o755);
  };
  script('bin/cmake', `echo "$*" >>'${join(tree, 'log')}'`);
  for (const name of ['bin/npm', 'bin/node', 'tools/setup', 'build/ploy']) script(name, 'exit 0');
  const env = { ...process.env, PATH: `${join(tree, 'bin')}:${process.env.PATH}`, MAKEFLAGS: '' };
  const done = spawnSync('make', ['bench'], { cwd: tree, env, encoding: 'utf8' });
  rows += 1;
  const calls = done.status === 0 ? readFileSync(join(tree, 'log'), 'utf8').split('\n') : [];
  if (calls[0] !== '--preset release' || !(calls[1] ?? '').startsWith('--build build/release')) {
    fault('Makefile', `bench: expected cmake to configure and then to build, found: ${calls.join(', ')} ${done.stderr}`);
  }
}

// Words: documents, headers, sources.
row('words.mjs', 'a.md', 'A short path.\n\nThe shortest way to the goal.\n', "3: 'way': path");
row('words.mjs', 'a.md', 'Nobody is there.\n', "1: 'Nobody': no agent");
row('words.mjs', 'a.md', 'The other way round, and `way` in code.\n```\nway\n```\n[x](way.md)\n', undefined);
row('words.mjs', 'a.h', 'int way; // an index\n/// Goes this\n/// way.\n', "3: 'way'");
row('words.mjs', 'a.h', '/// The path.\nint way;\n', undefined);
row('words.mjs', 'a.c', '// No path.\nint a;\nconst char *b = "it wants "\n "a number";\n', "3: 'wants'");
row('words.mjs', 'a.c', '// No path.\nconst char *b = "way";\n', undefined);
row('words.mjs', 'a.c', 'int a;\nint b; // no way\n', "2: 'way'");
row('words.mjs', 'a.c', '// It lies on the line.\n', undefined);
row('words.mjs', 'a.md', 'It lies on the line.\n', "1: 'lies on'");

// Messages.
const call = (text) => `void f(void) {\n    example_fault(reader, node,\n        ${JSON.stringify(text)}, NULL);\n}\n`;
row('messages.mjs', 'a.c', call('unknown node'), undefined);
row('messages.mjs', 'a.c', call('file is too large'), undefined);
row('messages.mjs', 'a.c', call('too many nodes'), undefined);
row('messages.mjs', 'a.c', call('this is no number'), '3: message');
row('messages.mjs', 'a.c', call('there is a tree already'), '3: message');
row('messages.mjs', 'a.c', call('A node is unknown'), '3: message');
row('messages.mjs', 'a.c', call('unknown node.'), '3: message');
row('messages.mjs', 'a.c', call('nodes nodes'), '3: message');
row('messages.mjs', 'a.c', 'f(x ? "a b" : "c d"); cli_error("--ticks wants a number, not", word);\n', '1: message');
row('messages.mjs', 'a.c', 'fprintf(stderr, "ploy: no way to do it\\n");\n', '1: message');

// Commits, in a repository of their own.
const repository = join(folder, 'repository');
const git = (...words) => spawnSync('git', ['-C', repository, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { encoding: 'utf8' });
const commits = [
  ['path: break ties by node index\n\nThe order depended on the hash of a pointer.\n', undefined],
  ['path: break ties by node index\n', 'missing body'],
  ['path: broken ties\nno blank line\n', 'missing blank line'],
  ['paths are broken\n\nBecause.\n', "no area; expected 'module: what'"],
  ['path: fixed ties\n\nBecause.\n', "not imperative: 'fixed'"],
  ['path: breaks ties\n\nBecause.\n', "not imperative: 'breaks'"],
  ['path: break ties.\n\nBecause.\n', 'full stop'],
  [`path: break ${'very '.repeat(10)}many ties\n\nBecause.\n`, 'columns; expected at most 50'],
  [`path: break ties\n\n${'word '.repeat(16)}\n`, 'columns; expected at most 72'],
];
if (spawnSync('git', ['init', '-q', repository]).status === 0) {
  git('commit', '--allow-empty', '-qm', 'start');
  for (const [text, want] of commits) {
    rows += 1;
    git('commit', '--allow-empty', '--cleanup=verbatim', '-qm', text);
    const id = git('rev-parse', 'HEAD').stdout.trim();
    const check = (...words) => spawnSync(process.execPath, [join(root, 'tools/check-commit.mjs'), ...words, 'HEAD~1..HEAD'], { cwd: repository, encoding: 'utf8' });
    const done = check();
    const refused = done.status === 1 && done.stderr.startsWith(id.slice(0, 10)) && done.stderr.includes(want);
    if (want === undefined ? done.status !== 0 : !refused) fault(JSON.stringify(text), `expected ${want ?? 'no fault'}, found: ${done.stderr}`);
    const known = join(folder, 'known.txt');
    writeFileSync(known, `${id} known\n`);
    if (check('--except', known).status !== 0) fault(JSON.stringify(text), 'is refused although it is a known exception');
  }
}

rmSync(folder, { recursive: true, force: true });
finish(`${rows} texts, refused and accepted as expected`);
