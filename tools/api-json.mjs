#!/usr/bin/env node
// node tools/api-json.mjs [--check] OUT: the public API as one JSON file, for bindings to other languages.
//
// clang reads the headers, so types and values are exact; the /// comments are read from the text. --check also fails
// on a function that has no comment, and on one that nothing calls outside tests (tests/tree/callers.mjs). A comment
// also covers a function that follows the commented function or type without a gap, functions behind a comment with a
// blank line, and inline functions in a row. Functions that mean the same in every header need none (x_def_default,
// x_fields, x_destroy, x_draw, x_describe, x_memory, x_count).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkCallers } from '../tests/tree/callers.mjs';
import { fault, files, finish, isC, root, run } from '../tests/tree/tree.mjs';
import { addRoles } from './api-roles.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { check: { type: 'boolean' } } });
if (positionals.length !== 1) {
  console.error('usage: api-json.mjs [--check] OUT');
  process.exit(2);
}

const tree = run('clang', 'clang', '-std=c11', '-Iinclude', '-fsyntax-only', '-Xclang', '-ast-dump=json', 'include/ploy/ploy.h');
if (tree === null) finish('');
const ast = JSON.parse(tree);

const texts = new Map(files('include', isC).map((file) => [file, readFileSync(join(root, file), 'utf8').split('\n')]));

// clang leaves out the file and line of a place where they are those of the place before, so places must be read
// strictly in the order in which they were written.
const at = { file: '', line: 0 };
function place(loc) {
  if (loc === undefined) return { ...at };
  if (loc.spellingLoc) place(loc.spellingLoc);
  if (loc.expansionLoc) return place(loc.expansionLoc);
  if (loc.file !== undefined) at.file = loc.file;
  if (loc.line !== undefined) at.line = loc.line;
  return { ...at };
}
function locate(node) {
  if (node.loc) node.at = place(node.loc);
  if (node.range) {
    node.begin = place(node.range.begin);
    node.end = place(node.range.end);
  }
  for (const child of node.inner ?? []) if (child && typeof child === 'object') locate(child);
}
locate(ast);

const strip = (line) => line.replace(/^\s*\/\/\/<? ?/, '').trimEnd();

/** The /// lines right above a line (1-based), as text. */
function docAbove(file, line) {
  const lines = texts.get(file);
  let first = line - 1;
  while (first > 0 && /^\s*\/\/\/(?!<)/.test(lines[first - 1])) first -= 1;
  return lines.slice(first, line - 1).map(strip).join('\n');
}
/** The ///< behind a member, with the lines that continue it, or the comment above it. */
function docOfMember(file, line) {
  const lines = texts.get(file);
  const behind = /\/\/\/<(.*)$/.exec(lines[line - 1]);
  if (behind === null) return docAbove(file, line);
  const parts = [behind[1].trim()];
  for (let i = line; /^\s*\/\/\/</.test(lines[i] ?? ''); i++) parts.push(strip(lines[i]));
  return parts.join('\n');
}

const api = { name: 'ploy', version: '', functions: [], structs: [], enums: [], callbacks: [], types: [], constants: [] };
const header = (file) => file.replace(/^include\//, '');
const documented = new Map(); // file -> last line of the latest declaration that is explained, and if it is a type

const evaluate = (node) => {
  for (const child of node.inner ?? []) {
    if (child.value !== undefined) return child.value;
    const deeper = evaluate(child);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
};

/** The size in `float corners[4]`, which clang's type no longer has; a name is looked up below. */
function declaredSize(file, node) {
  const text = texts.get(file).slice(node.begin.line - 1, node.end.line).join(' ');
  return new RegExp(`\\b${node.name}\\[(\\w+)\\]`).exec(text)?.[1];
}

const explainedNames = new Set();
const conventional = /_(def_default|fields|destroy|draw|describe|memory|count)$/;
for (const node of ast.inner) {
  const file = node.at?.file;
  if (!texts.has(file) || node.isImplicit || node.name?.startsWith('ployi_')) continue;
  const line = node.begin.line;
  const doc = docAbove(file, line);
  if (node.kind === 'FunctionDecl') {
    const gap = line - (documented.get(file)?.line ?? -9) - 1;
    const explained =
      doc !== '' ||
      (texts.get(file)[line - 2] === '' && docAbove(file, line - 1) !== '') ||
      gap === 0 ||
      (gap === 1 && (documented.get(file).type || node.inline)) ||
      conventional.test(node.name) ||
      explainedNames.has(node.name.replace('vec3', 'vec2')); // the same in space
    if (explained) explainedNames.add(node.name);
    if (explained) documented.set(file, { line: node.end.line, type: false });
    else fault(`${file}:${line}`, `${node.name} has no comment`);
    if (!/^ploy_[a-z0-9_]+$/.test(node.name)) fault(`${file}:${line}`, `'${node.name}' does not begin with ploy_`);
    if (node.variadic) fault(`${file}:${line}`, `${node.name} takes any number of arguments, which other languages cannot call`);
    api.functions.push({
      name: node.name,
      header: header(file),
      inline: node.inline === true,
      returns: node.type.qualType.replace(/\s*\(.*$/, ''),
      parameters: (node.inner ?? [])
        .filter((child) => child.kind === 'ParmVarDecl')
        .map((child) => ({ name: child.name ?? '', type: child.type.qualType, declared: declaredSize(file, child) })),
      doc,
    });
  } else if (node.kind === 'RecordDecl' && node.completeDefinition) {
    if (doc !== '') documented.set(file, { line: node.end.line, type: true });
    api.structs.push({
      name: node.name ?? '',
      header: header(file),
      opaque: false,
      fields: (node.inner ?? [])
        .filter((child) => child.kind === 'FieldDecl')
        .map((child) => ({ name: child.name ?? '', type: child.type.qualType, doc: docOfMember(file, child.end.line) })),
      doc,
    });
  } else if (node.kind === 'EnumDecl') {
    let next = 0;
    const list = (node.inner ?? [])
      .filter((child) => child.kind === 'EnumConstantDecl')
      .map((child) => {
        const value = evaluate(child);
        const number = value === undefined ? next : Number(value);
        next = number + 1;
        return { name: child.name, value: number, doc: docOfMember(file, child.end.line) };
      });
    api.enums.push({ name: node.name ?? '', header: header(file), values: list, doc });
  } else if (node.kind === 'TypedefDecl') {
    if (doc !== '') documented.set(file, { line: node.end.line, type: true });
    const type = node.type.qualType;
    const described = { name: node.name, header: header(file), type, doc };
    if (/^(struct|enum|union) /.test(type)) {
      if (type === `struct ${node.name}` && !api.structs.some(({ name }) => name === node.name)) {
        api.structs.push({ name: node.name, header: header(file), opaque: true, fields: [], doc });
      }
    } else if (type.includes('(*)')) {
      api.callbacks.push(described);
    } else {
      api.types.push(described);
    }
  }
}
// A struct that is named first and defined later is not opaque.
const defined = new Set(api.structs.filter(({ opaque }) => !opaque).map(({ name }) => name));
api.structs = api.structs.filter(({ name, opaque }) => !opaque || !defined.has(name));

for (const [file, lines] of texts) {
  lines.forEach((line, i) => {
    const match = /^#define (PLOY_[A-Z0-9_]+) (-?[0-9][\w.+-]*|"[^"]*")\s*(?:\/\/.*)?$/.exec(line);
    if (match === null) return;
    const doc = docAbove(file, i + 1);
    api.constants.push({ name: match[1], header: header(file), value: match[2], doc });
    if (match[1] === 'PLOY_VERSION_TEXT') api.version = match[2].slice(1, -1);
  });
}

const sizes = new Map(api.constants.map(({ name, value }) => [name, Number(value)]));
for (const { values: list } of api.enums) for (const { name, value } of list) sizes.set(name, value);
for (const { parameters } of api.functions) {
  for (const p of parameters) if (p.declared !== undefined) p.declared = /^\d+$/.test(p.declared) ? Number(p.declared) : sizes.get(p.declared);
}
for (const text of addRoles(api)) fault('roles', text);

const [out] = positionals;
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, `${JSON.stringify(api, null, 1)}\n`);
const summary = `${out}: ${api.functions.length} functions, ${api.structs.length} structs, ${api.enums.length} enums, ` +
  `${api.constants.length} constants`;
if (!values.check) {
  console.log(summary);
  process.exit(0);
}
const byModule = checkCallers(api.functions);
finish(`${summary}\n${byModule}`);
