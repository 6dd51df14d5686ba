#!/usr/bin/env node
// node tools/amalgamate.mjs FOLDER [MODULE..]: the core of ploy as two files, FOLDER/ploy.c and FOLDER/ploy.h. With
// names of modules, only those and the modules that they include.
//
// The core is every module without the components, so it needs only libc and libm. Headers are put into the order
// in which they include each other, sources follow the modules' CMake lists; that all files share one translation
// unit is why static names are unique over the library.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { componentHeaders, modules, root } from '../tests/tree/tree.mjs';

const [folder, ...named] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: amalgamate.mjs FOLDER [MODULE..]');
  process.exit(2);
}
for (const name of named) {
  if (!(name in modules)) {
    console.error(`unknown module '${name}'; expected one of: ${Object.keys(modules).join(', ')}`);
    process.exit(2);
  }
}
/** The modules that go in: all, or those named with what they include. */
const chosen = Object.keys(modules).filter(
  (module) => named.length === 0 || named.some((name) => name === module || modules[name].includes(module)),
);
const read = (file) => readFileSync(join(root, file), 'utf8');
const includePattern = /^\s*#\s*include\s+"([^"]+)".*$/;

/** Where a quoted include of the tree is found, seen from a file in `from`. */
function resolve(name, from) {
  for (const file of [`include/${name}`, `src/${name}`, join(dirname(from), name)]) {
    try {
      read(file);
      return file;
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
  throw new Error(`${from}: "${name}" not found`);
}

/** The text of a file with our own headers put in place the first time they are included. */
function expand(file, seen, out) {
  if (seen.has(file)) return;
  seen.add(file);
  const body = [];
  for (const line of read(file).split('\n')) {
    const own = includePattern.exec(line)?.[1];
    if (own !== undefined && own.endsWith('.h')) {
      // Headers go in front of this file, which is right as long as includes are at the top.
      expand(resolve(own, file), seen, out);
    } else if (own !== undefined) {
      // Anything else is a body that is included where it is needed, perhaps several times.
      body.push(read(resolve(own, file)).trimEnd());
    } else if (!/^\s*#\s*pragma\s+once\s*$/.test(line)) {
      body.push(line);
    }
  }
  out.push(`// ---- ${file.replace(/^include\//, '')}\n${body.join('\n').trim()}\n`);
}

const version = /PLOY_VERSION_TEXT "([^"]+)"/.exec(read('include/ploy/base/version.h'))[1];
const licence = read('LICENSE').trim().split('\n').map((line) => `// ${line}`.trimEnd()).join('\n');
const banner = (what) => `// ploy ${version}, ${what}. Made by tools/amalgamate.mjs; not to be edited.\n//\n${licence}\n`;

const seen = new Set();
const headers = [];
for (const match of read('include/ploy/ploy.h').matchAll(/^#include "([^"]+)"/gm)) {
  if (!componentHeaders.includes(match[1]) && chosen.includes(match[1].split('/')[1])) expand(`include/${match[1]}`, seen, headers);
}

const sources = [];
for (const module of chosen) {
  let list;
  try {
    list = read(`src/${module}/CMakeLists.txt`);
  } catch (error) {
    if (error.code === 'ENOENT') continue; // a module that is not written yet
    throw error;
  }
  const names = /ploy_module\(NAME \w+ SOURCES\s+([\s\S]*?)(?:DEPENDS|\))/.exec(list)[1].trim().split(/\s+/);
  for (const name of names) expand(`src/${module}/${name}`, seen, sources);
}

// Feature macros only work in front of the first system header, so those of the files move to the top.
const features = new Map();
for (const text of sources) {
  for (const match of text.matchAll(/^\s*#\s*define\s+(_[A-Z_]*SOURCE)\s+(\w+)/gm)) features.set(match[1], match[2]);
}
const hoisted = [...features].map(([name, value]) => `#ifndef ${name}\n#define ${name} ${value}\n#endif\n`).join('');

// Inline functions of internal headers are in the main file here, where clang warns if one is not used.
const quiet = '#if defined(__clang__)\n#pragma clang diagnostic ignored "-Wunused-function"\n#endif\n';

mkdirSync(folder, { recursive: true });
const what = named.length === 0 ? ['every public header', 'every source of the core'] : [`the headers of ${chosen.join(', ')}`, `the sources of ${chosen.join(', ')}`];
writeFileSync(join(folder, 'ploy.h'), `${banner(what[0])}#pragma once\n\n${headers.join('\n')}`);
writeFileSync(
  join(folder, 'ploy.c'),
  `${banner(what[1])}#ifdef __cplusplus\n#error "compile ploy.c as C; ploy.h may be included from C++"\n#else\n#if !defined(_WIN32)\n${hoisted}#endif\n${quiet}\n#include "ploy.h"\n\n${sources.join('\n')}#endif // __cplusplus\n`,
);
console.log(`${folder}: ploy.h from ${headers.length} headers, ploy.c from ${sources.length} files`);
