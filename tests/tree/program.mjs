// node tests/tree/program.mjs PROGRAM: the golden scenes once more, through `ploy lab run` and `ploy play`, from another folder.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fault, finish, root } from './tree.mjs';

const program = process.argv[2];
const listed = spawnSync(program, ['lab', 'list', '--json'], { cwd: '/', encoding: 'utf8' });
const labs = new Set(listed.stdout.trim().split('\n').map((line) => JSON.parse(line).name));
// The lab miner is in Lua: with it, the program has all scenes that need the component.
const rows = ['golden.txt', ...(labs.has('miner') ? ['golden-lua.txt'] : [])]
  .flatMap((name) => readFileSync(join(root, 'tests/golden', name), 'utf8').split('\n'))
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' '));
for (const [scene, ticks, seed, hash] of rows) {
  const [name, settings] = scene.split(':');
  const how = labs.has(name) ? ['lab', 'run', name] : ['play', name, '--headless'];
  const args = [...how, '--ticks', ticks, '--seed', seed, '--hash'];
  for (const setting of settings?.split(',') ?? []) args.push('--set', setting);
  const done = spawnSync(program, args, { cwd: '/', encoding: 'utf8' });
  if (done.status !== 0 || done.stdout !== `${hash}\n`) {
    fault(`ploy ${args.join(' ')}`, `want ${hash}, exit status ${done.status}, got ${done.stdout}${done.stderr}`);
  }
}
finish(`${rows.length} scenes as in golden.txt`);
