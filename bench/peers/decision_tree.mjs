// decision-tree's side of `learn.tree`: ID3 on an ARFF table, whose path is the argument; the last column is the
// class. Lines in: "pass" answers nanoseconds for one training; "right" the rows that the tree gets right.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

let DecisionTree;
try {
  DecisionTree = (await import('decision-tree')).default;
} catch (error) {
  console.log(`missing decision-tree is not installed: npm ci --prefix bench/peers (${error.code})`);
  process.exit(1);
}

const lines = readFileSync(process.argv[2], 'utf8').split('\n').map((line) => line.trim());
const names = lines.filter((line) => /^@attribute/i.test(line)).map((line) => line.split(/\s+/)[1]);
const rows = lines.slice(lines.findIndex((line) => /^@data/i.test(line)) + 1).filter((line) => line !== '' && line[0] !== '%')
  .map((line) => Object.fromEntries(line.split(',').map((value, i) => [names[i], value.trim()])));
const target = names.at(-1), features = names.slice(0, -1);

let tree;
const pass = () => {
  let best = Infinity;
  for (let i = 0; i < 3; i++) {
    const begin = process.hrtime.bigint();
    tree = new DecisionTree(rows, target, features);
    best = Math.min(best, Number(process.hrtime.bigint() - begin));
  }
  return best;
};
const right = () => rows.filter((row) => tree.predict(row) === row[target]).length;
const answers = { pass, right };

console.log(`ready decision-tree 0.3.7 under node ${process.version}`);
createInterface({ input: process.stdin }).on('line', (line) => {
  console.log(String(answers[line.trim()]?.() ?? 'nan'));
});
