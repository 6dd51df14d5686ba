// node tests/tree/amalgamated-modules.mjs SCRATCH [MODULE...]
//
// Each module, with those that it includes, as two files: compiled alone with every warning as an error, linked, and
// run under the module's first example that needs nothing else, which must print what it prints in the tree. All
// examples of script need its component with Lua; it runs an example of what it includes.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { spawn } from 'node:child_process';
import { componentHeaders, fault, finish, modules, root } from './tree.mjs';

const scratch = resolve(process.argv[2]);
const flags = ['-std=c11', '-O0', '-ffp-contract=off', '-fno-math-errno', '-fno-trapping-math'];
const warnings = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Wstrict-prototypes', '-Wmissing-prototypes', '-Wvla', '-Werror'];
const ownInclude = /^#include "(ploy\/(\w+)\/[^"]+)"$/gm;

/** Runs a program; rejects with what it printed if it fails. */
function run(program, args) {
  return new Promise((done, fail) => {
    const child = spawn(program, args);
    let out = '';
    let errors = '';
    child.stdout.on('data', (text) => (out += text));
    child.stderr.on('data', (text) => (errors += text));
    child.on('error', fail);
    child.on('close', (status) => (status === 0 ? done(out) : fail(new Error(`${program} ended with ${status}:\n${errors.slice(0, 2000)}`))));
  });
}

/** The first example of a module whose headers all belong to `may`. */
function exampleOf(module, may) {
  for (const name of readdirSync(join(root, 'examples')).sort()) {
    if (!name.startsWith(`${module}_`) || !name.endsWith('.c')) continue;
    const text = readFileSync(join(root, 'examples', name), 'utf8');
    const headers = [...text.matchAll(ownInclude)];
    const others = /#include "(?!ploy\/)/.test(text) || headers.some(([, header, of]) => !may.includes(of) || componentHeaders.includes(header));
    if (!others && headers.some(([, , of]) => of === module)) return { name: name.slice(0, -2), text };
  }
  return undefined;
}

async function check(module) {
  const may = [module, ...modules[module]];
  const example = exampleOf(module, may) ?? (module === 'script' ? exampleOf('data', may) : undefined);
  if (example === undefined) return fault(module, 'no example uses this module and what it includes alone');
  const folder = join(scratch, module);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const [source, object, program] = ['example.c', 'ploy.o', 'example'].map((name) => join(folder, name));
  writeFileSync(source, example.text.replace(ownInclude, '#include "ploy.h"'));
  await run('node', [join(root, 'tools/amalgamate.mjs'), folder, module]);
  await run('gcc', [...flags, ...warnings, '-c', join(folder, 'ploy.c'), '-o', object]);
  await run('gcc', [...flags, `-I${folder}`, source, object, '-o', program, '-pthread', '-lm']);
  const printed = await run(program, []);
  if (printed !== readFileSync(join(root, `examples/${example.name}.expected`), 'utf8')) fault(module, `${example.name} printed something else than in the tree:\n${printed}`);
}

// The large ones first, so that the last processor has little left. A module that includes all others is the whole
// library, which outside.amalgamation compiles.
const count = Object.keys(modules).length;
const named = process.argv.slice(3);
const left = named.length > 0 ? named : Object.keys(modules).filter((module) => modules[module].length < count - 1).reverse();
const total = left.length;
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let module = left.shift(); module !== undefined; module = left.shift()) await check(module).catch((error) => fault(module, error.message));
  }),
);
finish(`${total} modules alone`);
