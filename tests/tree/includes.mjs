// Reads every #include and fails on an edge that the module table does not allow.
//
//   - A module includes itself and the modules that the table lists for it.
//   - Public headers include public headers and the C library, nothing else.
//   - <module>_internal.h and other files of src/<module>/ are included inside that module only; the one exception
//     is base/compiler.h.
//   - Headers of the operating system appear only in the few files that are there to hide it.
//   - Labs, games, programs, examples and benchmarks see public headers only, as any game does.
//   - GNU builtins and attributes are in base/compiler.h, for public headers in ploy/base/api.h, with a form in plain C11.
//   - ploy/ploy.h gathers every public header; with --update it is made to.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fault, files, finish, isC, isComponentSource, modules, root } from './tree.mjs';

const cLibrary = new Set(
  `assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic
   stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype`
    .split(/\s+/)
    .map((name) => `${name}.h`),
);
// The thin layer over the operating system, the worker threads, and the header that has to know the size of a mutex.
const systemFiles = /^src\/base\/(os\w*|jobs|base_internal)\.[ch]$/;
// Vector instructions, behind the compiler's own macros.
const intrinsics = /^(immintrin|emmintrin|xmmintrin|wasm_simd128|arm_neon)\.h$/;

function includesOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const found = [];
  text.split('\n').forEach((line, i) => {
    const match = /^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)/.exec(line);
    if (match) found.push({ line: i + 1, own: match[1], system: match[2] });
  });
  return found;
}

function checkEdge(place, from, to) {
  const target = /^ploy\/(\w+)\/[\w/]+\.h$/.exec(to)?.[1];
  if (target === undefined) return fault(place, `"${to}" is not a header of a module`);
  if (!(target in modules)) return fault(place, `there is no module '${target}'`);
  if (target !== from && !modules[from].includes(target)) {
    return fault(place, `module '${from}' may not include module '${target}' ("${to}")`);
  }
  if (!existsSync(join(root, 'include', to))) fault(place, `"${to}" does not exist`);
  return undefined;
}

let edges = 0;
const publicHeaders = files('include', isC);
for (const file of publicHeaders) {
  if (file === 'include/ploy/ploy.h') continue;
  const from = /^include\/ploy\/(\w+)\//.exec(file)?.[1];
  if (!(from in modules)) fault(file, 'is in no module of the table');
  for (const { line, own, system } of includesOf(file)) {
    edges += 1;
    const place = `${file}:${line}`;
    if (own !== undefined) checkEdge(place, from, own);
    else if (!cLibrary.has(system)) fault(place, `a public header may not include <${system}>`);
  }
}

for (const file of files('src', isC)) {
  const from = /^src\/(\w+)\//.exec(file)?.[1];
  if (!(from in modules)) fault(file, 'is in no module of the table');
  for (const { line, own, system } of includesOf(file)) {
    edges += 1;
    const place = `${file}:${line}`;
    if (system !== undefined) {
      const allowed =
        cLibrary.has(system) || intrinsics.test(system) || systemFiles.test(file) || isComponentSource(file);
      if (!allowed) fault(place, `<${system}> is of the operating system; only src/base/os*.c and jobs.c see that`);
    } else if (own.startsWith('ploy/')) {
      checkEdge(place, from, own);
      if (own === 'ploy/ploy.h') fault(place, 'the library itself does not include ploy.h');
    } else {
      const inside = own.includes('/') ? own : `${from}/${own}`;
      if (inside === 'base/compiler.h') continue;
      if (!inside.startsWith(`${from}/`)) fault(place, `"${own}" is internal to another module`);
      else if (!existsSync(join(root, 'src', inside))) fault(place, `"${own}" does not exist in src/${from}`);
      else if (isComponentSource(file) && !isComponentSource(`src/${inside}`)) {
        fault(place, `a component sees public headers only, not "${own}"`);
      }
    }
  }
}

// What only GNU compilers know is in these headers, so that PLOY_PLAIN_C can turn all of it off.
const gnu = /__builtin_\w+|__attribute__|__typeof__|__extension__|__asm__/;
const gnuHeaders = new Set(['src/base/compiler.h', 'include/ploy/base/api.h']);
for (const file of [...publicHeaders, ...files('src', isC)]) {
  if (gnuHeaders.has(file)) continue;
  readFileSync(join(root, file), 'utf8').split('\n').forEach((line, i) => {
    const word = gnu.exec(line.replace(/\/\/.*/, ''))?.[0];
    if (word !== undefined) fault(`${file}:${i + 1}`, `'${word}' is of GNU compilers: use or extend src/base/compiler.h`);
  });
}

for (const folder of ['labs', 'games', 'apps', 'examples', 'bench']) {
  for (const file of files(folder, isC)) {
    for (const { line, own } of includesOf(file)) {
      if (own === undefined) continue;
      edges += 1;
      const place = `${file}:${line}`;
      if (own.startsWith('ploy/')) {
        if (!existsSync(join(root, 'include', own))) fault(place, `"${own}" does not exist`);
      } else if (existsSync(join(root, 'src', own)) || /_internal\.h$/.test(own)) {
        fault(place, `"${own}" is internal to the library`);
      }
    }
  }
}

// Clients make a step context with ploy_step_context_make, so that a new member is set everywhere.
for (const file of ['labs', 'games', 'apps', 'examples', 'bench'].flatMap((folder) => files(folder, isC))) {
  const text = readFileSync(join(root, file), 'utf8');
  const byHand = /\(ploy_step_context\)\s*\{|ploy_step_context\s+(\w+)\s*=\s*\{|ploy_step_context\s+(\w+);\s*memset\(&\2,/.exec(text);
  if (byHand === null) continue;
  const line = text.slice(0, byHand.index).split('\n').length;
  fault(`${file}:${line}`, 'fills a step context by hand: use ploy_step_context_make');
}

const gathering = 'include/ploy/ploy.h';
const names = publicHeaders.map((file) => file.replace('include/', '')).filter((name) => name !== 'ploy/ploy.h');
const order = Object.keys(modules);
const rank = (name) => order.indexOf(name.split('/')[1]);
names.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
if (process.argv[2] === '--update') {
  const text = readFileSync(join(root, gathering), 'utf8');
  const top = text.slice(0, text.indexOf('#pragma once') + '#pragma once\n'.length);
  const blocks = order.map((module) => names.filter((name) => name.split('/')[1] === module)).filter((b) => b.length > 0);
  const lines = blocks.map((block) => block.map((name) => `#include "${name}"\n`).join(''));
  writeFileSync(join(root, gathering), `${top}\n${lines.join('\n')}`);
}
const gathered = new Set(includesOf(gathering).map(({ own }) => own));
for (const name of names) {
  if (!gathered.has(name)) fault(gathering, `does not include "${name}": node tests/tree/includes.mjs --update`);
}
for (const name of gathered) if (!names.includes(name)) fault(gathering, `"${name}" does not exist`);
finish(`${edges} includes, all in the allowed direction`);
