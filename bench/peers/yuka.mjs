// What the peers that run Yuka share: the library, or why it is missing, the generator of
// bench/bench_move.c, and the loop that answers lines.
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';

export let YUKA;
let version;
try {
  YUKA = await import('yuka');
  version = createRequire(import.meta.url)('yuka/package.json').version;
} catch (error) {
  console.log(`missing yuka is not installed: npm ci --prefix bench/peers (${error.code})`);
  process.exit(1);
}

let random = 1;
/** The next number, in [0, 1). */
export const next = () => {
  random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
  return (random >>> 8) / 16777216;
};

/** Answers each line by the function of that name. */
export const serve = (answers) => {
  console.log(`ready yuka ${version} under node ${process.version}`);
  createInterface({ input: process.stdin }).on('line', (line) => {
    console.log(answers[line] === undefined ? 'what?' : String(answers[line]()));
  });
};
