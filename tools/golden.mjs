#!/usr/bin/env node
// node tools/golden.mjs [--workers 1,2,4] [--ticks-up-to N] [--labs A,B] [--processes N] [--update] -- PROGRAM...
//
// Runs every golden scene of tests/golden/golden.txt with PROGRAM (the golden program of some build, with whatever
// has to stand in front of it, such as wine) and compares the hashes. A line of the file is `lab ticks seed hash`
// (`lab:setting=value,...` for other parameters than the defaults);
// golden-COMPONENT.txt has the scenes that need a component; they are left out if PROGRAM has no such component.
// a run of one lab and seed has lines at several ticks, so that a difference shows where it began. Exit status 1 if
// a hash differs. --update rewrites the file instead; a changed hash is a change of behaviour and belongs in
// CHANGELOG.md. --ticks-up-to leaves out longer runs, for builds that are slow; --labs leaves out other labs and games.
// --processes repeats everything in N processes: what depends on addresses or the time would differ between them.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals: program } = parseArgs({
  allowPositionals: true,
  options: {
    workers: { type: 'string', default: '1' },
    'ticks-up-to': { type: 'string', default: 'Infinity' },
    labs: { type: 'string' },
    processes: { type: 'string', default: '1' },
    update: { type: 'boolean', default: false },
  },
});
if (program.length === 0) {
  console.error('usage: golden.mjs [--workers 1,2,4] [--ticks-up-to N] [--labs A,B] [--processes N] [--update] -- PROGRAM...');
  process.exit(2);
}
const ask = (args) => execFileSync(program[0], [...program.slice(1), ...args], { encoding: 'utf8', maxBuffer: 1 << 26 });
const components = ask(['--components']).split(/\r?\n/).filter((name) => /^\w+$/.test(name));
const files = ['golden.txt', ...components.map((name) => `golden-${name}.txt`)].map((name) => {
  const path = fileURLToPath(new URL(`../tests/golden/${name}`, import.meta.url));
  return { name, path, lines: readFileSync(path, 'utf8').split('\n') };
});
const scenes = [];
for (const { name, lines } of files) {
  lines.forEach((line, at) => {
    if (line.trim() === '' || line.startsWith('#')) return;
    const [lab, ticks, seed, hash = '-', ...rest] = line.trim().split(/\s+/);
    if (seed === undefined || rest.length > 0) throw new Error(`${name}:${at + 1}: want \`lab ticks seed hash\``);
    if (Number(ticks) > Number(values['ticks-up-to'])) return;
    if (values.labs !== undefined && !values.labs.split(',').includes(lab.split(':')[0])) return;
    scenes.push({ lines, at, lab, ticks, seed, hash });
  });
}
if (scenes.length === 0) {
  console.error('golden.txt lists no scene');
  process.exit(1);
}

// All scenes in one run of the program, because some (wine) take long to start.
const workerCounts = values.workers.split(',');
const args = workerCounts.flatMap((workers) => scenes.flatMap((s) => [s.lab, s.ticks, s.seed, workers]));
const out = ask(args);
for (let i = 1; i < Number(values.processes); i++) {
  if (ask(args) === out) continue;
  console.error(`process ${i + 1} has other hashes than the first`);
  process.exit(1);
}
const got = out.trim().split(/\r?\n/);
if (got.length !== workerCounts.length * scenes.length || !got.every((text) => /^[0-9a-f]{16}$/.test(text))) {
  console.error(`${program.join(' ')} printed\n${out}`);
  process.exit(1);
}

let differences = 0;
const hashesOf = (w) => got.slice(w * scenes.length, (w + 1) * scenes.length);
const sameForAll = workerCounts.every((_, w) => hashesOf(w).join() === hashesOf(0).join());
workerCounts.forEach((workers, w) => {
  if (sameForAll && w > 0) return;
  const who = sameForAll ? `${values.workers} worker(s)` : `${workers} worker(s)`;
  const results = scenes.map((scene, s) => ({ ...scene, now: hashesOf(w)[s] }));
  const runs = new Map();
  for (const result of results) {
    const key = `${result.lab}, seed ${result.seed}`;
    runs.set(key, [...(runs.get(key) ?? []), result]);
  }
  for (const [key, run] of runs) {
    run.sort((a, b) => Number(BigInt(a.ticks) - BigInt(b.ticks)));
    const wrong = run.filter((result) => result.now !== result.hash);
    if (wrong.length === 0) continue;
    differences += wrong.length;
    const first = run.indexOf(wrong[0]);
    const since = first === 0 ? 'from the beginning' : `the same at tick ${run[first - 1].ticks}`;
    console.log(`${key}, ${who}: ${since}, first difference seen at tick ${wrong[0].ticks}`);
    for (const { ticks, hash, now } of wrong) console.log(`  tick ${ticks}: was ${hash}, is ${now}`);
  }
  if (values.update) {
    for (const { lines, at, lab, ticks, seed, now } of results) lines[at] = `${lab} ${ticks} ${seed} ${now}`;
  }
});
if (values.update) {
  if (!sameForAll) {
    console.error('the number of workers changes the hash: golden.txt stays as it is');
    process.exit(1);
  }
  for (const { path, lines } of files) writeFileSync(path, lines.join('\n'));
  console.log(differences === 0 ? 'golden.txt is unchanged' : 'golden.txt is rewritten; say so in CHANGELOG.md');
  process.exit(0);
}
if (differences > 0) process.exit(1);
console.log(`${scenes.length} scenes as in golden.txt, with ${values.workers} worker(s), in ${values.processes} process(es)`);
