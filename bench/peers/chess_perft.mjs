// Both sides of `board.chess.perft`: a program counts the leaves of a position, in a separate process,
// and answers CPU nanoseconds a leaf. Argument: "stockfish" or the path of ploy, a colon, "start" or
// "kiwipete". The cost of starting the program is measured with depth 1 and taken off.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

const positions = {
  start: { fen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', depth: 6, leaves: 119060324 },
  kiwipete: { fen: 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1', depth: 5, leaves: 193690690 },
};
const [program, which] = process.argv[2].split(':');
const position = positions[which];
const stockfish = ['/usr/games/stockfish', '/usr/bin/stockfish'].find(existsSync);
if (program === 'stockfish' && stockfish === undefined) {
  console.log('missing stockfish is not installed: apt-get install stockfish');
  process.exit(1);
}

// CPU seconds of a shell's children, as its `times` prints them: "0m0.08s 0m0.01s".
const run = (depth) => {
  const command = program === 'stockfish'
    ? `printf 'position fen ${position.fen}\\ngo perft ${depth}\\nquit\\n' | ${stockfish}`
    : `'${program}' board chess perft ${depth} --position '${position.fen}'`;
  const done = spawnSync('sh', ['-c', `${command}; times`], { encoding: 'utf8' });
  const times = done.stdout.trim().split('\n').at(-1).matchAll(/(\d+)m([\d.]+)s/g);
  return { text: done.stdout, seconds: [...times].reduce((sum, t) => sum + 60 * Number(t[1]) + Number(t[2]), 0) };
};
const pass = () => {
  const idle = run(1), work = run(position.depth);
  if (!work.text.includes(String(position.leaves))) return 'wrong number of leaves';
  return (work.seconds - idle.seconds) * 1e9 / position.leaves;
};
console.log(`ready ${program === 'stockfish' ? 'stockfish' : 'ploy'}`);
createInterface({ input: process.stdin }).on('line', (line) => {
  console.log(line === 'pass' ? String(pass()) : 'what?');
});
