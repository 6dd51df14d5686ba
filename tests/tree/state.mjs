// Every member of a struct that has a visitor is named in one of its visitors, every public visitor is in a test
// of coverage, and every public report of memory is compared with an allocator: `node tests/tree/state.mjs`.
//
// A visitor is a function that takes a ploy_visit and an object, as `T *x` or as a local variable `T *x = ...`. All
// functions for one T count together. The run-time check in tests/state.h sees every byte but
// takes a short gap for padding; this one finds the bool that hides there.
import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";

function files(folder) {
  return readdirSync(folder, {withFileTypes: true}).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? files(path) : /\.[ch]$/.test(entry.name) ? [path] : [];
  });
}

// The text between the brace at `open` and its partner.
function block(text, open) {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === "{") depth++;
    if (text[i] === "}" && --depth === 0) return text.slice(open + 1, i);
  }
  return text.slice(open + 1);
}

function members(body) {
  const names = [];
  const flat = body.replace(/^\s*#.*$/gm, "");
  for (const statement of flat.split(";")) {
    const inner = statement.replace(/^[\s\S]*[{}]/, "").trim(); // of unnamed structs and unions, their members
    if (inner === "") continue;
    const pointer = inner.match(/\(\s*\*\s*(\w+)\s*\)\s*\(/);
    if (pointer) {
      names.push(pointer[1]);
      continue;
    }
    for (const part of inner.split(",")) {
      const name = part.replace(/\[[^\]]*\]/g, "").replace(/:\s*\d+\s*$/, "").match(/(\w+)\s*$/);
      if (name) names.push(name[1]);
    }
  }
  return names;
}

const structs = new Map(), bodies = new Map(), whole = new Set();
for (const path of [...files("include"), ...files("src"), ...files("labs"), ...files("games")]) {
  const text = readFileSync(path, "utf8").replace(/\/\/.*$/gm, "").replace(/\/\*[\s\S]*?\*\//g, "");
  for (const found of text.matchAll(/\bstruct\s+(\w+)\s*\{/g)) {
    structs.set(found[1], {path, members: members(block(text, found.index + found[0].length - 1))});
  }
  for (const found of text.matchAll(/^[\w ]*\b\w+\(ploy_visit \*v,([^)]*)\)\s*\{/gm)) {
    const body = block(text, found.index + found[0].length - 1);
    const types = [...found[1].matchAll(/(?:const )?(\w+) \*(\w+)/g), ...body.matchAll(/(?:const )?(\w+) \*(\w+) = /g)];
    for (const [, type, name] of types) {
      bodies.set(type, (bodies.get(type) ?? "") + body);
      if (new RegExp(`ploy_visit_(struct|object)\\(v, [^,]+, ${name},`).test(body)) whole.add(type);
    }
  }
}

let checked = 0, faults = 0;
for (const [type, body] of bodies) {
  const struct = structs.get(type);
  if (!struct || !whole.has(type)) continue;
  checked++;
  for (const member of struct.members) {
    if (new RegExp(`(->|\\.)${member}\\b`).test(body)) continue;
    console.error(`${struct.path}: ${type}.${member} is in no visitor`);
    faults++;
  }
}

// Every public visitor is in a test that checks the coverage of its bytes.
const tests = files("tests").map((path) => readFileSync(path, "utf8")).filter((text) => /state_check_(all|cover)\(/.test(text));
let visitors = 0;
for (const path of files("include")) {
  for (const [, name] of readFileSync(path, "utf8").matchAll(/\b(ploy_\w+_visit)\(ploy_visit \*v/g)) {
    visitors++;
    if (tests.some((text) => new RegExp(`\\b${name}\\b`).test(text))) continue;
    console.error(`${path}: no test checks the coverage of ${name} (tests/state.h)`);
    faults++;
  }
}
console.log(`${visitors} public visitors in tests of coverage`);

// Every public report of memory is compared with an allocator: a test names it, or calls one that calls it. What the
// reports of fronts call (static functions, and the macros of generators) is reached by the tests of the fronts.
const measured = new Set(), reports = new Map(); // name -> the reports and visitors that its body names
const measuring = files("tests").map((path) => readFileSync(path, "utf8")).filter((text) => /_memory\(|TEST_REPORT|tree_test\.inc/.test(text));
for (const text of measuring) {
  const visits = /state_check_memory|ploy_visit_memory/.test(text);
  for (const [name] of text.matchAll(/\bployi?_\w+_(?:memory|visit)\b/g)) if (visits || name.endsWith("_memory")) measured.add(name);
  for (const [, tree] of text.matchAll(/^#define TREE (\w+)/gm)) measured.add(`ploy_${tree}_memory`); // tests/geom/tree_test.inc
}
for (const path of files("src")) {
  const text = readFileSync(path, "utf8");
  for (const [, name] of text.matchAll(/^PLOYI_(?:GENERATOR_CALLS|LEVEL_FUNCTIONS)\((\w+)\)/gm)) measured.add(`ploy_${name}_memory`);
  for (const found of text.matchAll(/^(static )?[\w ]*\b(\w+_(?:memory|visit|finder_memory))\([^;{}]*\)\s*\{/gm)) {
    const name = found[1] ? `${path}:${found[2]}` : found[2];
    if (found[1]) measured.add(name);
    reports.set(name, [...block(text, found.index + found[0].length - 1).matchAll(/\bployi?_\w+_(?:memory|visit)\b/g)].map(([one]) => one));
  }
}
for (let size = -1; size !== measured.size; ) {
  size = measured.size;
  for (const name of [...measured]) for (const one of reports.get(name) ?? []) measured.add(one);
}
// A report that only passes its visitor on is compared if the visitor is.
for (const [name, calls] of reports) if (calls.length > 0 && calls.every((one) => one === "ploy_visit_memory" || measured.has(one))) measured.add(name);
let memory = 0;
for (const path of files("include")) {
  for (const [, name] of readFileSync(path, "utf8").replace(/\/\/.*$/gm, "").matchAll(/\b(ploy_\w+_memory)\(\s*(?:const |ploy_)/g)) {
    memory++;
    if (measured.has(name)) continue;
    console.error(`${path}: no test compares ${name} with an allocator (TEST_REPORT)`);
    faults++;
  }
}
console.log(`${memory} reports of memory in tests`);
console.log(`${checked} structs with visitors, ${faults} faults`);
process.exit(faults > 0 ? 1 : 0);
