// mistreevous's side of `decide.bt`: the same tree as bench/bench_decide_bt.c, one selector of ten
// sequences of four successes and an inverted success, then a success.
// Lines in: "pass" takes 2,000 steps and answers nanoseconds per step of the fastest 100 of them.
// "calls" answers how often a leaf is called in one step.
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';

let BehaviourTree, State, version;
try {
  ({ BehaviourTree, State } = await import('mistreevous'));
  version = createRequire(import.meta.url)('mistreevous/package.json').version;
} catch (error) {
  console.log(`missing mistreevous is not installed: npm ci --prefix bench/peers (${error.code})`);
  process.exit(1);
}

let calls = 0;
const agent = { Yes: () => { calls++; return State.SUCCEEDED; } };
const leaf = { type: 'action', call: 'Yes' };
const branch = () => ({ type: 'sequence', children: [leaf, leaf, leaf, leaf, { type: 'flip', child: leaf }] });
const children = Array.from({ length: 10 }, branch);
children.push(leaf);
const tree = new BehaviourTree({ type: 'root', child: { type: 'selector', children } }, agent);

const steps = (count) => {
  for (let i = 0; i < count; i++) tree.step();
};

const pass = () => {
  let best = Infinity;
  for (let i = 0; i < 20; i++) {
    const begin = process.hrtime.bigint();
    steps(100);
    best = Math.min(best, Number(process.hrtime.bigint() - begin) / 100);
  }
  return best;
};

const count = () => {
  calls = 0;
  steps(1);
  return calls;
};

const answers = { pass, calls: count };
console.log(`ready mistreevous ${version} under node ${process.version}`);
createInterface({ input: process.stdin }).on('line', (line) => {
  console.log(answers[line] === undefined ? 'what?' : String(answers[line]()));
});
