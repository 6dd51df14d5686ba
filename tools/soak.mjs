#!/usr/bin/env node
// node tools/soak.mjs [--rounds N] [--jobs N] [--fresh] [--list] [NAME...]
//
// Runs every long test, N at a time, and ends with a table of their times:
//   scenes.LAB     random scenes of a lab in three builds, see soak-scenes.mjs
//   golden.BUILD   the golden scenes of the builds without optimisation
//   clang.suite    every unit test of the build with clang
//   asan.TEST      random matches of the games under the sanitizers
//   TEST           every test of the build ci, its properties over ROUNDS times as many seeds
// A NAME selects the entries whose names begin with it.
//
// A run takes hours, so it can be interrupted: each result is written to build/soak/results.json at once, and the next
// run of the same commit repeats only what failed or is missing. --fresh forgets those results.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '20' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    fresh: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const LIMIT_SECONDS = 3600;

const text = (command, args) => execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });

function testsOf(build, filter = []) {
  if (!existsSync(join('build', build, 'CTestTestfile.cmake'))) {
    console.error(`build/${build} is not configured: 'make soak' makes every build that is needed`);
    if (values.list) return [];
    process.exit(2);
  }
  const listed = text('ctest', ['--test-dir', join('build', build), '--show-only=json-v1', ...filter]);
  return JSON.parse(listed).tests.map(({ name }) => name);
}

// One test of a build through ctest, which knows its folder and environment.
function ctestOf(build, test, soak) {
  const exact = `^${test.replace(/[.+*?()[\]{}|\\^$]/g, '\\$&')}$`;
  return {
    command: ['ctest', '--test-dir', join('build', build), '-R', exact, '--timeout', String(LIMIT_SECONDS),
      '--output-on-failure', '--no-tests=error', '--no-label-summary'],
    env: soak ? { PLOY_SOAK: values.rounds } : {},
  };
}

function entriesOf() {
  const list = [];
  const golden = ['build/ci/golden', 'build/clang/golden', 'build/wasm/ploy.wasm'];
  // Scenes in Lua run in the builds that have it.
  for (const [file, programs] of [['golden.txt', golden], ['golden-lua.txt', golden.slice(0, 2)]]) {
    const lines = readFileSync(join('tests/golden', file), 'utf8').split('\n').filter((line) => /^\w/.test(line));
    for (const lab of new Set(lines.map((line) => line.split(' ')[0]))) {
      const command = ['node', 'tools/soak-scenes.mjs', '--rounds', values.rounds, '--lab', lab, ...programs];
      list.push({ name: `scenes.${lab}`, command, env: {} });
    }
  }
  for (const build of ['debug', 'clang-debug']) {
    const command = ['node', 'tools/golden.mjs', '--workers', '1,4', '--', `build/${build}/golden`];
    list.push({ name: `golden.${build}`, command, env: {} });
  }
  const suite = ['ctest', '--test-dir', 'build/clang', '-LE', 'tree|matrix', '--output-on-failure', '--no-label-summary'];
  list.push({ name: 'clang.suite', command: suite, env: {} });
  for (const test of testsOf('asan', ['-R', '^games\\..*random$'])) {
    list.push({ name: `asan.${test}`, ...ctestOf('asan', test, true) });
  }
  for (const test of testsOf('ci', ['-LE', 'tree|matrix'])) list.push({ name: test, ...ctestOf('ci', test, true) });
  return list.filter(({ name }) => names.length === 0 || names.some((part) => name.startsWith(part)));
}

// What the results belong to: the commit, what is changed in the tree since, and the number of rounds.
function stateOfTree() {
  const hash = createHash('sha256');
  hash.update(text('git', ['rev-parse', 'HEAD'])).update(text('git', ['diff', 'HEAD'])).update(values.rounds);
  return hash.digest('hex');
}

const folder = 'build/soak';
const file = join(folder, 'results.json');
mkdirSync(folder, { recursive: true });
const tree = stateOfTree();
let results = {};
if (!values.fresh && existsSync(file)) {
  const kept = JSON.parse(readFileSync(file, 'utf8'));
  if (kept.tree === tree) results = kept.results;
}

function keep() {
  writeFileSync(`${file}.new`, `${JSON.stringify({ tree, results }, null, 1)}\n`);
  renameSync(`${file}.new`, file);
}

function run(entry) {
  return new Promise((resolve) => {
    const log = join(folder, `${entry.name.replace(/[^\w.-]/g, '_')}.log`);
    const output = createWriteStream(log);
    const begun = performance.now();
    const child = spawn(entry.command[0], entry.command.slice(1), {
      env: { ...process.env, ...entry.env }, stdio: ['ignore', 'pipe', 'pipe'], timeout: (LIMIT_SECONDS + 60) * 1000,
    });
    child.stdout.pipe(output, { end: false });
    child.stderr.pipe(output, { end: false });
    child.on('error', (error) => output.write(`${error.message}\n`));
    child.on('close', (code) => {
      const seconds = (performance.now() - begun) / 1000;
      results[entry.name] = { passed: code === 0, seconds: Math.round(seconds * 10) / 10 };
      keep();
      output.end(() => {
        if (code === 0) rmSync(log);
        resolve();
      });
      if (code !== 0) console.error(`${entry.name} failed after ${seconds.toFixed(0)} s, see ${log}`);
    });
  });
}

const entries = entriesOf();
if (entries.length === 0) {
  console.error(`no test begins with ${names.map((name) => `'${name}'`).join(', ')}`);
  process.exit(2);
}
if (values.list) {
  for (const { name } of entries) console.log(name);
  process.exit(0);
}
const waiting = entries.filter(({ name }) => results[name]?.passed !== true);
if (waiting.length < entries.length) {
  console.log(`${entries.length - waiting.length} of ${entries.length} passed in an earlier run of this commit`);
}
const begun = performance.now();
let done = 0;
async function worker() {
  for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
    await run(entry);
    done += 1;
    if (done % 50 === 0) console.log(`${done} done, ${waiting.length} to go`);
  }
}
await Promise.all(Array.from({ length: Math.max(1, Number(values.jobs)) }, worker));

const table = entries.map(({ name }) => ({ name, ...results[name] }));
table.sort((a, b) => b.seconds - a.seconds || (a.name < b.name ? -1 : 1));
const slow = table.filter(({ passed, seconds }) => !passed || seconds >= 5);
const width = Math.max(5, ...slow.map(({ name }) => name.length));
console.log(`\n${'entry'.padEnd(width)}  seconds  status`);
for (const { name, seconds, passed } of slow) {
  console.log(`${name.padEnd(width)}  ${seconds.toFixed(1).padStart(7)}  ${passed ? 'passed' : 'failed'}`);
}
const failed = table.filter(({ passed }) => !passed).length;
const sum = table.reduce((total, { seconds }) => total + seconds, 0);
console.log(`${table.length - slow.length} more passed in under 5 seconds each`);
console.log(`\n${table.length - failed} passed, ${failed} failed; ${(sum / 60).toFixed(1)} minutes of tests, ` +
  `${((performance.now() - begun) / 60000).toFixed(1)} minutes in this run`);
process.exit(failed === 0 ? 0 : 1);
