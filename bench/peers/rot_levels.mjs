// rot.js's side of `generate.dungeon`, `generate.maze` and `generate.cave`: levels of 200 by 200 cells. The
// argument says which. Lines in: "pass" answers nanoseconds per level; "floor" the share of open cells of
// the last one.
import { createInterface } from 'node:readline';

const SIDE = 200;
let ROT;
try {
  ROT = await import('rot-js');
} catch (error) {
  console.log(`missing rot-js is not installed: npm ci --prefix bench/peers (${error.code})`);
  process.exit(1);
}

const cells = new Uint8Array(SIDE * SIDE);
const put = (x, y, wall) => {
  cells[y * SIDE + x] = wall ? 0 : 1;
};
const makers = {
  dungeon: () => new ROT.Map.Digger(SIDE, SIDE, { dugPercentage: 0.2 }).create(put),
  maze: () => new ROT.Map.IceyMaze(SIDE, SIDE).create(put),
  // As many generations as ours, then joined into one cave.
  cave: () => {
    const map = new ROT.Map.Cellular(SIDE, SIDE);
    map.randomize(0.55);
    for (let i = 0; i < 5; i++) map.create();
    map.connect((x, y, open) => put(x, y, !open), 1);
  },
};
const make = makers[process.argv[2]];

ROT.RNG.setSeed(1);
const pass = () => {
  let best = Infinity;
  for (let i = 0; i < 3; i++) {
    const begin = process.hrtime.bigint();
    make();
    best = Math.min(best, Number(process.hrtime.bigint() - begin));
  }
  return best;
};
const floor = () => cells.reduce((sum, cell) => sum + cell, 0) / cells.length;
const answers = { pass, floor };

console.log(`ready rot-js 2.2.1 under node ${process.version}`);
createInterface({ input: process.stdin }).on('line', (line) => {
  console.log(String(answers[line.trim()]?.() ?? 'nan'));
});
