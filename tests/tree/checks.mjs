#!/usr/bin/env node
// node tests/tree/checks.mjs
//
// Tests the checks themselves: a bad word and a malformed message are each refused with file and line, a public function
// without a caller with its header, a builtin outside the compiler's header with file and line, a bad commit text with
// the commit's id, and good ones pass.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fault, finish, modules, root } from './tree.mjs';

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

// The complete small game stays as short as a newcomer can read.
{
  rows += 1;
  const lines = readFileSync(join(root, 'examples/stealth/stealth.c'), 'utf8').trimEnd().split('\n').length;
  if (lines > 400) fault('examples/stealth/stealth.c', `${lines} lines, expected at most 400`);
}

// The README names every target that a game can link: the modules in its table, and the components.
{
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const text = readFileSync(join(root, 'cmake/PloyComponents.cmake'), 'utf8');
  const components = [...text.matchAll(/ploy_component\(NAME (\w+)/g)].map((one) => one[1]);
  if (components.length < 7) fault('cmake/PloyComponents.cmake', `found only the components ${components.join(', ')}`);
  rows += components.length + Object.keys(modules).length;
  for (const name of components) if (!readme.includes(`\`${name}\``) && !readme.includes(`\`ploy::${name}\``)) fault('README.md', `does not name the target ploy::${name}`);
  for (const name of Object.keys(modules)) if (!readme.includes(`| [${name}](docs/guide/${name}.md) |`)) fault('README.md', `its table lacks the module ${name}`);
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
  // `make` fetches what the page needs, and no peers of the benchmarks.
  for (const folder of ['studio/src', 'bench/peers', 'docs/guide']) mkdirSync(join(tree, folder), { recursive: true });
  for (const file of ['studio/package.json', 'studio/package-lock.json', 'bench/peers/package.json', 'bench/peers/package-lock.json', 'docs/techniques.md']) writeFileSync(join(tree, file), '{}');
  script('bin/npm', `echo "$(basename "$PWD") $*" >>'${join(tree, 'fetched')}'; mkdir -p node_modules dist; touch node_modules/.package-lock.json dist/index.html`);
  const all = spawnSync('make', [], { cwd: tree, env, encoding: 'utf8' });
  rows += 1;
  const fetched = all.status === 0 ? readFileSync(join(tree, 'fetched'), 'utf8').trim().split('\n') : [all.stderr];
  if (!fetched[0].startsWith('studio ci') || fetched.some((one) => one.startsWith('peers'))) fault('Makefile', `expected npm in studio only, found: ${fetched.join(', ')}`);
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
row('words.mjs', 'a.md', 'It has a block of its\nown.\n', "1: 'of its own'");
row('words.mjs', 'a.c', '// A block of its\n// own.\n', "1: 'of its own'");
row('words.mjs', 'a.md', 'A block of its\n\nown.\n', undefined);
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
row('messages.mjs', 'a.c', 'ploy_diags_add(d, s, c, n, 1, 9, "unknown node", NULL, NULL);\nexample_fault(reader, node, "there is a tree already");\n', '2: message');
row('messages.mjs', 'a.c', 'f(x ? "a b" : "c d"); cli_error("--ticks wants a number, not", word);\n', '1: message');
row('messages.mjs', 'a.c', 'fprintf(stderr, "ploy: no way to do it\\n");\n', '1: message');

// Callers of public functions: a tree in which only its own source and a test call one function, and
// a macro calls another.
{
  const tree = join(folder, 'api');
  const put = (name, text) => {
    mkdirSync(join(tree, name, '..'), { recursive: true });
    writeFileSync(join(tree, name), text);
  };
  put('include/ploy/a/x.h', 'void ploy_x_create(void);\nvoid ploy_x_go(void);\nvoid ploy_x_lost(void);\nvoid ploy_x_begin_at(int line);\n#define PLOY_X_BEGIN() \\\n    ploy_x_begin_at(__LINE__)\n');
  put('src/a/x.c', 'void ploy_x_create(void) {\n    ploy_x_lost();\n}\nvoid ploy_x_go(void) {\n}\nvoid ploy_x_lost(void) {\n}\n');
  put('labs/y.c', '// ploy_x_lost\nvoid y(void) {\n    ploy_x_go();\n    PLOY_X_BEGIN();\n}\n');
  put('tests/a/test_x.c', 'void t(void) {\n    ploy_x_lost();\n}\n');
  const functions = ['create', 'go', 'lost', 'begin_at'].map((name) => ({ name: `ploy_x_${name}`, header: 'ploy/a/x.h' }));
  const modules = (name) => JSON.stringify(new URL(name, import.meta.url).href);
  const script = `import { checkCallers } from ${modules('callers.mjs')}; import { finish } from ${modules('tree.mjs')};
    finish(checkCallers(${JSON.stringify(functions)}));`;
  const calls = [
    ['_create # life cycle\n', 'include/ploy/a/x.h: no source, lab, game, program, example, benchmark or fuzz target calls ploy_x_lost'],
    ['_create # life cycle\n_lost # a verb\n', undefined],
    ['_create # life cycle\nploy_x_lost # for games\n', "tests/tree/api-verbs.txt:2: expected a suffix '_verb' or '_verb_*', found 'ploy_x_lost'"],
    ['_create # life cycle\n_lost\n', "tests/tree/api-verbs.txt:2: '_lost' has no reason"],
    ['_lost # a verb\n', 'calls ploy_x_create'],
    ['_create # life cycle\n_lost # a verb\n_go # a verb\n', "no function needs the ending '_go'"],
    ['_create # life cycle\n_lost # a verb\n_lost # a verb\n', "duplicate ending '_lost'"],
  ];
  for (const [verbs, want] of calls) {
    rows += 1;
    put('tests/tree/api-verbs.txt', verbs);
    const done = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env: { ...process.env, PLOY_TREE: tree }, encoding: 'utf8' });
    const good = want === undefined ? done.status === 0 && done.stdout.includes('a 4') : done.status === 1 && done.stderr.includes(want);
    if (!good) fault(JSON.stringify(verbs), `expected ${want ?? 'a 4'}, found: ${done.stdout}${done.stderr}`);
  }
}

// Builtins of GNU compilers outside their header, in a tree of two sources.
{
  const tree = join(folder, 'gnu');
  const put = (name, text) => {
    mkdirSync(join(tree, name, '..'), { recursive: true });
    writeFileSync(join(tree, name), text);
  };
  put('include/ploy/ploy.h', '#pragma once\n');
  put('src/base/compiler.h', '#define PLOYI_LOWEST(word) __builtin_ctzll(word)\n');
  for (const [text, want] of [
    ['int bit(unsigned word) {\n    return __builtin_ctz(word);\n}\n', "src/base/x.c:2: '__builtin_ctz' is of GNU compilers"],
    ['static int x __attribute__((unused));\n', "src/base/x.c:1: '__attribute__' is of GNU compilers"],
    ['// __builtin_ctz would be faster.\nint x;\n', undefined],
  ]) {
    rows += 1;
    put('src/base/x.c', text);
    const done = spawnSync(process.execPath, [join(root, 'tests/tree/includes.mjs')], { env: { ...process.env, PLOY_TREE: tree }, encoding: 'utf8' });
    const good = want === undefined ? done.status === 0 : done.status === 1 && done.stderr.includes(want);
    if (!good) fault(JSON.stringify(text), `expected ${want ?? 'to pass'}, found: ${done.stdout}${done.stderr}`);
  }
}

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
