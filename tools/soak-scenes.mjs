#!/usr/bin/env node
// node tools/soak-scenes.mjs [--rounds N] [--lab NAME] PROGRAM...
//
// Runs every lab that golden.txt names, or only one, which may be of golden-lua.txt too, with random seeds and lengths in
// several builds (golden programs, or .wasm modules) and with 1, 2 and 4 workers; all must give the same hash. A scene is at most twice as long as the
// lab's longest in golden.txt. A difference is printed as the line for golden.txt that repeats it.
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals: programs } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '20' }, lab: { type: 'string' } },
});
const golden = fileURLToPath(new URL('../tests/golden/golden.txt', import.meta.url));
const wasm = fileURLToPath(new URL('golden-wasm.mjs', import.meta.url));
const longest = new Map();
const lua = values.lab === undefined ? '' : readFileSync(golden.replace('golden.txt', 'golden-lua.txt'), 'utf8');
for (const line of `${readFileSync(golden, 'utf8')}\n${lua}`.split('\n').filter((line) => /^\w/.test(line))) {
  const [lab, ticks] = line.split(' ');
  longest.set(lab, Math.max(longest.get(lab) ?? 0, Number(ticks)));
}
if (values.lab !== undefined && !longest.has(values.lab)) {
  console.error(`${golden}: no line for the lab '${values.lab}'`);
  process.exit(2);
}
const labs = values.lab === undefined ? [...longest.keys()] : [values.lab];
const run = (program, args) => {
  const command = program.endsWith('.wasm') ? ['node', wasm, program] : [program];
  return execFileSync(command[0], [...command.slice(1), ...args], { encoding: 'utf8' }).trim().split('\n');
};

let runs = 0;
let differences = 0;
for (let round = 0; round < Number(values.rounds); round++) {
  for (const lab of labs) {
    const scene = [lab, String(randomInt(1, 2 * longest.get(lab) + 1)), String(randomInt(2 ** 47))];
    let first = null;
    for (const program of programs) {
      for (const workers of program.endsWith('.wasm') ? [1] : [1, 2, 4]) {
        const [hash] = run(program, [...scene, String(workers)]);
        runs += 1;
        first ??= hash;
        if (hash !== first) {
          differences += 1;
          console.error(`${scene.join(' ')} ${first}: ${program} with ${workers} worker(s) gives ${hash}`);
        }
      }
    }
  }
}
console.log(`${runs} runs, ${differences} differences`);
process.exit(differences === 0 ? 0 : 1);
