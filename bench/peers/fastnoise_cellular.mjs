// FastNoise Lite's side of `generate.noise/cellular2`: distance to the nearest feature point over a
// grid of 512 by 512 samples, 16 to a cell. Lines in: "pass" samples the grid and answers
// nanoseconds a sample; "range" answers the largest value.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
let FastNoiseLite;
try {
  const loaded = require('fastnoise-lite');
  FastNoiseLite = loaded.default ?? loaded;
} catch (error) {
  console.log(`missing fastnoise-lite is not installed: npm ci --prefix bench/peers (${error.code})`);
  process.exit(1);
}
const side = 512;
const noise = new FastNoiseLite(1);
noise.SetNoiseType(FastNoiseLite.NoiseType.Cellular);
noise.SetCellularReturnType(FastNoiseLite.CellularReturnType.Distance);
noise.SetFrequency(1 / 16);
const out = new Float32Array(side * side);
const pass = () => {
  const begin = process.hrtime.bigint();
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) out[y * side + x] = noise.GetNoise(x, y);
  }
  return Number(process.hrtime.bigint() - begin) / (side * side);
};
const answers = { pass, range: () => out.reduce((a, b) => Math.max(a, b), -Infinity) };
console.log(`ready fastnoise-lite ${require('fastnoise-lite/package.json').version}`);
createInterface({ input: process.stdin }).on('line', (line) => {
  console.log(answers[line] === undefined ? 'what?' : String(answers[line]()));
});
