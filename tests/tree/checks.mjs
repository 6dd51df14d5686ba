#!/usr/bin/env node
// node tests/tree/checks.mjs
//
// Tests the checks themselves: a bad word and a malformed message are each refused with file and line, and good ones pass.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

// Words: documents, headers, sources.
row('words.mjs', 'a.md', 'A short path.\n\nThe shortest way to the goal.\n', "3: 'way': path");
row('words.mjs', 'a.md', 'Nobody is there.\n', "1: 'Nobody': no agent");
row('words.mjs', 'a.md', 'The other way round, and `way` in code.\n```\nway\n```\n[x](way.md)\n', undefined);
row('words.mjs', 'a.h', 'int way; // an index\n/// Goes this\n/// way.\n', "3: 'way'");
row('words.mjs', 'a.h', '/// The path.\nint way;\n', undefined);
row('words.mjs', 'a.c', '// No way.\nint a;\nconst char *b = "it wants "\n "a number";\n', "3: 'wants'");
row('words.mjs', 'a.c', '// No way.\nconst char *b = "way";\n', undefined);

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

rmSync(folder, { recursive: true, force: true });
finish(`${rows} texts, refused and accepted as expected`);
