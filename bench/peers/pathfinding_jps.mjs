// PathFinding.js's side of `path.grid.js`: JumpPointFinder on the problems of a MovingAI scenario,
// diagonal steps only where no corner is cut. The argument is the map, then how many problems are
// left out between two. Lines in: "pass" solves the problems, each with its path as every cell, and
// answers nanoseconds a problem (a grid is used up by a search, so each gets a copy, which is not
// counted); "length" answers the sum of the paths' lengths over the last pass.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
let PF;
try {
  PF = require('pathfinding');
} catch (error) {
  console.log(`missing pathfinding is not installed: npm ci --prefix bench/peers (${error.code})`);
  process.exit(1);
}
const [, file, every] = /^(.*):(\d+)$/.exec(process.argv[2]);
const rows = readFileSync(file, 'utf8').split(/\r?\n/);
const map = rows.slice(rows.indexOf('map') + 1).filter((row) => row !== '');
const matrix = map.map((row) => [...row].map((c) => ('.GS'.includes(c) ? 0 : 1)));
const problems = readFileSync(`${file}.scen`, 'utf8')
  .split(/\r?\n/)
  .slice(1)
  .filter((line) => line.trim() !== '')
  .map((line) => line.split('\t').slice(4, 8).map(Number))
  .filter((_, i) => i % Number(every) === 0);
const grid = new PF.Grid(matrix);
const finder = new PF.JumpPointFinder({
  diagonalMovement: PF.DiagonalMovement.OnlyWhenNoObstacles,
  heuristic: PF.Heuristic.octile,
});

let length = 0;
const pass = () => {
  let nanoseconds = 0;
  length = 0;
  for (const [fromX, fromY, toX, toY] of problems) {
    const copy = grid.clone();
    const begin = process.hrtime.bigint();
    const path = PF.Util.expandPath(finder.findPath(fromX, fromY, toX, toY, copy));
    nanoseconds += Number(process.hrtime.bigint() - begin);
    length += PF.Util.pathLength(path);
  }
  return nanoseconds / problems.length;
};
const answers = { pass, length: () => length };
console.log(`ready PathFinding.js ${require('pathfinding/package.json').version}`);
createInterface({ input: process.stdin }).on('line', (line) => {
  console.log(answers[line] === undefined ? 'what?' : String(answers[line]()));
});
