// wavefunctioncollapse's side of `generate.wfc`: pictures of 48 by 48 from the sample Rooms, N 3, all symmetries,
// periodic. Lines in: the first names the sample's rows, joined by '/'; "pass" makes results until one succeeds and
// answers nanoseconds a result.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
let wfc;
try {
  wfc = require('wavefunctioncollapse');
} catch (error) {
  console.log(`missing wavefunctioncollapse is not installed: npm ci --prefix bench/peers (${error.code})`);
  process.exit(1);
}
const rows = process.argv[2].split('/');
const data = new Uint8Array(rows.length * rows[0].length * 4);
rows.join('').split('').forEach((cell, i) => data.set(cell === '#' ? [0, 0, 0, 255] : [255, 255, 255, 255], i * 4));
const model = new wfc.OverlappingModel(data, rows[0].length, rows.length, 3, 48, 48, true, true, 8);
// The Numerical Recipes generator, so that every pass does the same work.
let state = 1;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 4294967296;
};
const pass = () => {
  const begin = process.hrtime.bigint();
  for (let i = 0; i < 4; i += 1) {
    while (!model.generate(random));
  }
  return Number(process.hrtime.bigint() - begin) / 4;
};
const answers = { pass };
console.log(`ready wavefunctioncollapse ${require('wavefunctioncollapse/package.json').version}`);
createInterface({ input: process.stdin }).on('line', (line) => {
  console.log(answers[line] === undefined ? 'what?' : String(answers[line]()));
});
