// Shared by the checks of the whole tree: which files there are, running programs, reporting faults.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** PLOY_TREE names another tree: tests of the checks make small ones. */
export const root = process.env.PLOY_TREE ?? fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** The modules and what each may include, from the lowest to the highest. */
export const modules = {
  base: [],
  geom: ['base'],
  search: ['base'],
  exec: ['base', 'geom'],
  world: ['base', 'geom', 'exec'],
  path: ['base', 'geom', 'search', 'exec'],
  move: ['base', 'geom', 'exec'],
  decide: ['base', 'geom', 'search', 'exec'],
  tactics: ['base', 'geom', 'search', 'exec', 'world', 'path', 'move', 'decide'],
  learn: ['base', 'geom', 'exec'],
  generate: ['base', 'geom', 'search'],
  board: ['base', 'geom', 'exec', 'learn'],
  data: ['base', 'geom', 'search', 'exec', 'world', 'path', 'move', 'decide', 'tactics', 'learn', 'generate', 'board'],
  script: [
    'base', 'geom', 'search', 'exec', 'world', 'path', 'move', 'decide', 'tactics', 'learn', 'generate', 'board', 'data',
  ],
  inspect: [
    'base', 'geom', 'search', 'exec', 'world', 'path', 'move', 'decide', 'tactics', 'learn', 'generate', 'board', 'data',
    'script',
  ],
};

/** What each module is for, in one line. */
export const purposes = {
  base: 'results, memory, containers, random numbers, repeatable math, JSON, field tables, budgets, jobs',
  geom: 'vectors, shapes, polygons, spatial indices, the scene interface, the draw sink',
  search: 'one search core over any state space',
  exec: 'behaviors, blackboards, actions, the engine, schedulers, level of detail, simulations',
  world: 'entities, messages, events, senses, memory, triggers',
  path: 'graphs, grids, navigation meshes, hierarchies, finders and path services',
  move: 'steering, combining, crowds, formations, aiming, motor control',
  decide: 'decision techniques from trees to planners and rules',
  tactics: 'groups: influence, tactical waypoints, squads',
  learn: 'parameter search, classifiers, reinforcement learning, networks',
  generate: 'noise, placement, terrain, mazes, dungeons, grammars',
  board: 'board games and their searches',
  data: 'file formats, characters, levels, linters',
  script: 'Lua in a sandbox, bindings, behaviors in Lua',
  inspect: 'output as text, JSON, SVG and PNG, the recorder, the inspector',
};

/** The table of the modules in CONTRIBUTING.md, from the two tables above. */
export function moduleTable() {
  const rows = Object.entries(modules).map(([name, may]) => `| \`${name}\` | ${purposes[name]} | ${may.join(', ') || 'libc only'} |`);
  return ['| module | contents | may include |', '|---|---|---|', ...rows].join('\n');
}

/** Headers and sources of the components, which are no part of the core: they may need more than libc. */
export const componentHeaders = ['ploy/data/compression.h', 'ploy/data/png.h', 'ploy/inspect/http.h', 'ploy/inspect/png.h', 'ploy/path/recast.h', 'ploy/script/bind.h', 'ploy/script/lua.h'];
export const isComponentSource = (file) => /^src\/(inspect\/(http\w*|png)|data\/(compression|png)|script\/\w+)\.[ch]$/.test(file);

// Written by tools, not by us. (A tree without .git has to do, so git is not asked.)
const skipped = new Set(['.git', 'build', 'node_modules', 'dist']);

/** Every file of ours below the folder, relative to the root, sorted. */
export function files(folder = '.', test = () => true) {
  const found = [];
  const walk = (dir) => {
    for (const entry of readdirSync(join(root, dir), { withFileTypes: true })) {
      if (skipped.has(entry.name)) continue;
      const path = join(dir, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile() && test(path)) found.push(relative('.', path));
    }
  };
  try {
    walk(folder);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  return found.sort();
}

export const isC = (file) => /\.[ch]$/.test(file);

const faults = [];
export function fault(where, what) {
  faults.push(`${where}: ${what}`);
}

/** Prints what was found and ends the process: 0 if nothing was. */
export function finish(summary) {
  for (const text of faults) console.error(text);
  if (faults.length === 0) console.log(summary);
  process.exit(faults.length === 0 ? 0 : 1);
}

/** Runs a program from the root; its output as text. A program that cannot be run or fails is a fault. */
export function run(where, program, ...args) {
  const done = spawnSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.error || done.status !== 0) {
    fault(where, `${[program, ...args].join(' ')} failed\n${done.error ?? ''}${done.stdout ?? ''}${done.stderr ?? ''}`);
    return null;
  }
  return done.stdout;
}
