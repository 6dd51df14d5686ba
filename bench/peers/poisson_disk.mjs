// poisson-disk-sampling's side of `generate.scatter`: Bridson's method on 200 by 200 m, centres at
// least 2 m apart and at most 4 m from the one they grow from, 30 tries. Lines in: "pass" fills the
// area and answers nanoseconds a point; "points" answers how many there were.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
let PoissonDiskSampling;
try {
  const loaded = require('poisson-disk-sampling');
  PoissonDiskSampling = loaded.default ?? loaded;
} catch (error) {
  console.log(`missing poisson-disk-sampling is not installed: npm ci --prefix bench/peers (${error.code})`);
  process.exit(1);
}
// The Numerical Recipes generator, so that every pass does the same work.
let state = 1;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 4294967296;
};
let points = 0;
const pass = () => {
  state = 1;
  const begin = process.hrtime.bigint();
  const sampling = new PoissonDiskSampling({ shape: [200, 200], minDistance: 2, maxDistance: 4, tries: 30 }, random);
  points = sampling.fill().length;
  return Number(process.hrtime.bigint() - begin) / points;
};
const answers = { pass, points: () => points };
console.log(`ready poisson-disk-sampling ${require('poisson-disk-sampling/package.json').version}`);
createInterface({ input: process.stdin }).on('line', (line) => {
  console.log(answers[line] === undefined ? 'what?' : String(answers[line]()));
});
