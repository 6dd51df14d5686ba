#!/usr/bin/env node
// node tools/bind-lua.mjs API.json OUTDIR: the tables and thunks that make ploy callable from Lua.
//
// Reads the roles that api-json.mjs derived and writes bind_types.c, bind_<module>.c and unbound.txt, which names each
// function that is not bound with the reason. src/script/bind_internal.h explains the tables.
import { mkdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { exceptions, parseFunction, parseType, Types } from './api-roles.mjs';

const [input, outdir] = process.argv.slice(2);
if (outdir === undefined) {
  console.error('usage: bind-lua.mjs API.json OUTDIR');
  process.exit(2);
}
const api = JSON.parse(readFileSync(input, 'utf8'));
const types = new Types(api);
const short = (name) => name.replace(/^ploy_/, '');

const scalars = {
  bool: 'BOOL', _Bool: 'BOOL', char: 'CHAR', int8_t: 'I8', uint8_t: 'U8', 'unsigned char': 'U8', int16_t: 'I16', uint16_t: 'U16', int32_t: 'I32', int: 'I32',
  uint32_t: 'U32', 'unsigned int': 'U32', int64_t: 'I64', uint64_t: 'U64', size_t: 'SIZE', float: 'F32', double: 'F64',
};
const vectors = new Set(['ploy_vec2', 'ploy_vec3', 'ploy_steering', 'ploy_steering3']);
const components = new Set(['ploy/data/png.h', 'ploy/data/compression.h', 'ploy/path/recast.h']);
const forbidden = [
  [/^ploy_os_|_(read|write|save|load)_file$/, 'reaches the operating system'],
  [/^ploy_(env|allocator|counting_allocator|tracking_allocator)_/, 'manages memory'],
  [/^ploy_(jobs|pool_jobs|workers?)_.*create$|^ploy_jobs_/, 'starts threads or runs on them'],
  [/^ploy_set_assert_handler$|^ploy_assert_failed$/, 'is for the host alone'],
];

class Unbound extends Error {}
const refuse = (why) => {
  throw new Unbound(why);
};

// ---- types, numbered in the order of first use ----
const used = new Map(); // key -> {index, ...}
function typeIndex(key) {
  if (!used.has(key)) used.set(key, used.size);
  return used.get(key);
}
for (const name of ['ploy_vec2', 'ploy_vec3', 'ploy_quat', 'ploy_id', 'ploy_name', 'ploy_budget']) typeIndex(name);

/** The kind of a base type: C enumerator and index of its type. */
function kindOfBase(base) {
  const plain = types.aliases.get(base) ?? base;
  if (plain in scalars) return { kind: scalars[plain], type: 0 };
  if (plain === 'ploy_value') return { kind: 'VALUE', type: 0 };
  if (plain === 'ploy_env' || plain === 'ploy_allocator') return { kind: 'ENV', type: 0 };
  if (types.enums.has(plain)) return { kind: 'ENUM', type: typeIndex(plain) };
  const s = types.structs.get(plain);
  if (s === undefined) return { kind: 'POINTER', type: 0 };
  if (s.opaque) return { kind: 'OBJECT', type: typeIndex(plain) };
  return { kind: types.isPlain(plain) ? 'PLAIN' : 'LIVE', type: typeIndex(plain) };
}

// ---- callbacks ----
const trampolines = new Map(); // type text -> {supported, why, items, returns, user}
function callback(text) {
  const known = trampolines.get(text);
  if (known !== undefined) return known;
  const made = { key: `fn ${text}`, why: null };
  trampolines.set(text, made);
  const parsed = parseFunction(types.callbacks.get(text) ?? text);
  if (parsed === null) return Object.assign(made, { why: 'has a callback of an unusual type' });
  made.parsed = parsed;
  made.user = parsed.parameters.findIndex((p) => /^(const )?void \*$/.test(p));
  if (made.user < 0) return Object.assign(made, { why: 'has a callback without a user pointer' });
  made.items = parsed.parameters.map((p, i) => {
    const t = parseType(p);
    if (i === made.user) return { kind: 'VOID', role: 'USER', type: 0, flags: 0, link: -1 };
    if (t.fn || t.stars > 1) made.why = 'has a callback with a pointer that Lua cannot receive';
    const { kind, type } = kindOfBase(t.base);
    if (t.base === 'void' && t.stars === 1) {
      if (t.const && parsed.parameters[i + 1] === 'size_t') return { kind: 'BYTES', role: 'IN', type: 0, flags: 0, link: i + 1 };
      made.why = 'has a callback with untyped memory';
      return { kind: 'VOID', role: 'UNUSED', type: 0, flags: 0, link: -1 };
    }
    if (t.stars === 1 && t.base === 'char') {
      if (!t.const) made.why = 'has a callback that writes text';
      return { kind: 'TEXT', role: 'IN', type: 0, flags: 0, link: -1 };
    }
    if (kind === 'POINTER' || kind === 'ENV') made.why ??= 'has a callback with a type that Lua cannot receive';
    if (t.stars === 0 && (kind === 'LIVE' || kind === 'VALUE')) made.why ??= 'has a callback with a struct of pointers by value';
    if (t.stars === 1 && !['PLAIN', 'LIVE', 'OBJECT'].includes(kind) && !(kind === 'VALUE' && t.const)) made.why ??= 'has a callback with an array or out parameter';
    if (p === 'size_t' && i > 0 && /^const void \*$/.test(parsed.parameters[i - 1])) return { kind: 'SIZE', role: 'COUNT', type: 0, flags: 0, link: -1 };
    return { kind, role: 'IN', type, flags: (t.stars ? 1 : 0) | (t.const ? 2 : 0), link: -1 };
  });
  const r = parseType(parsed.returns);
  const result = parsed.returns === 'void' ? { kind: 'VOID', type: 0 } : kindOfBase(r.base);
  if (r.stars > 0 || ['LIVE', 'OBJECT', 'POINTER', 'VALUE', 'ENV', 'CHAR'].includes(result.kind)) made.why ??= 'has a callback that returns a pointer';
  made.result = result;
  if (made.why === null) made.index = typeIndex(made.key);
  return made;
}

// ---- members of structs ----
const makeable = new Map();
function members(s) {
  const list = s.fields.filter((f) => f.name !== 'cookie');
  let ok = list.length <= 64 && exceptions.private[s.name] === undefined;
  const items = list.map((f) => {
    const t = parseType(f.type);
    const item = { name: f.name, member: f.name, role: 'IN', flags: f.nullable ? 4 : 0, link: -1, fixed: 0, kind: 'VOID', type: 0 };
    const unused = () => {
      if (!f.nullable) ok = false;
      return Object.assign(item, { kind: 'VOID', role: 'UNUSED' });
    };
    if (f.role === 'callback') {
      const text = t.fn ? f.type : t.base;
      const made = callback(text);
      const user = list.findIndex((g) => g.name === f.user);
      if (made.why !== null || user < 0) return unused();
      return Object.assign(item, { kind: 'CALLBACK', role: 'CALL', type: made.index, link: user });
    }
    if (f.role === 'user') return Object.assign(item, { kind: 'VOID', role: 'USER' });
    if (f.role === 'memory') return unused();
    if (/union|unnamed|anonymous/.test(f.type)) {
      ok = false;
      return Object.assign(item, { kind: 'VOID', role: 'UNUSED' });
    }
    const { kind, type } = kindOfBase(t.base);
    if (kind === 'ENV') {
      ok = false;
      return Object.assign(item, { kind: 'VOID', role: 'UNUSED' });
    }
    Object.assign(item, { kind, type });
    if (f.role === 'array' && t.stars === 0) return Object.assign(item, { role: 'ARRAY_INOUT', fixed: f.count });
    if (f.role === 'array') {
      if (t.stars === 2) {
        if (kind === 'CHAR') item.kind = 'TEXT';
        else if (kind !== 'OBJECT') return unused();
      } else if (kind === 'OBJECT' || kind === 'POINTER') return unused();
      if (item.kind === 'CHAR') item.kind = 'CHAR';
      const factors = String(f.count).split('*');
      const link = list.findIndex((g) => g.name === factors.at(-1));
      if (factors.length > 1) Object.assign(item, /^\d+$/.test(factors[0]) ? { written: Number(factors[0]) } : { second: link });
      return Object.assign(item, { role: f.direction === 'in' ? 'ARRAY_IN' : 'ARRAY_INOUT', link });
    }
    if (f.role === 'count') return Object.assign(item, { role: 'COUNT' });
    if (f.role === 'stride') return Object.assign(item, { role: 'STRIDE' });
    if (t.stars === 0) return kind === 'POINTER' ? unused() : item;
    if (t.stars === 1 && kind === 'CHAR' && t.const) return Object.assign(item, { kind: 'TEXT' });
    if (t.stars === 1 && kind === 'OBJECT') return item;
    if (t.stars === 1 && (kind === 'PLAIN' || kind === 'LIVE') && t.const) return Object.assign(item, { flags: item.flags | 1 | 2 });
    if (t.stars === 1 && (kind === 'PLAIN' || kind === 'LIVE')) return Object.assign(item, { flags: item.flags | 1 });
    return unused();
  });
  return { items, ok };
}

// Structs that a function only calls or advances, so a table may stand for one.
const loose = new Set(['ploy_writer', 'ploy_describe', 'ploy_trace', 'ploy_draw', 'ploy_budget', 'ploy_sense_test', 'ploy_step_context']);

/** A struct that stands for an object: ploy_behavior_destroy(ploy_behavior). */
function destroyedByValue(base) {
  return types.ender(base)?.parameters[0].type === base;
}

// ---- functions ----
const quiet = /_(step|find|get|draw|describe|visit|each|sample|query|evaluate|eval|clear|remove|count|hash|memory|save|poll|cancel|result|read|next|has|is|trace|print|check|find_\w+|get_\w+|is_\w+|has_\w+|step_\w+)$/;
function bind(f) {
  const why = exceptions.unbound[f.name];
  if (why !== undefined) refuse(why);
  for (const [like, reason] of forbidden) if (like.test(f.name)) refuse(reason);
  const module = f.header.split('/')[1];
  if (module === 'inspect') refuse('belongs to inspect, which is above script');
  if (module === 'script') refuse('belongs to the host of the scripts');
  if (components.has(f.header)) refuse('belongs to an optional component');
  const list = f.parameters;
  const items = list.map((p, i) => {
    const t = parseType(p.type);
    const item = { name: p.name, role: 'IN', flags: (p.nullable ? 4 : 0) | (t.const ? 2 : 0), link: -1, second: -1, written: -1, fixed: 0, kind: 'VOID', type: 0 };
    if (p.role === 'callback') {
      const made = callback(t.fn ? p.type : t.base);
      if (made.why !== null) refuse(made.why);
      const user = list.findIndex((q) => q.name === p.user);
      if (user < 0) refuse('has a callback without a user pointer');
      return Object.assign(item, { kind: 'CALLBACK', role: 'CALL', type: made.index, link: user, flags: item.flags & 4 });
    }
    if (p.role === 'user') {
      if (p.of.length > 1) refuse('has several callbacks with one user pointer');
      return Object.assign(item, { role: 'USER' });
    }
    if (t.base === 'ploy_env') {
      if (t.stars === 1 && t.const) return Object.assign(item, { role: 'ENV' });
      refuse('takes an allocator');
    }
    if (t.base === 'ploy_allocator') refuse('takes an allocator');
    if (t.base === 'ploy_diags' && i > 0 && t.stars === 1) return Object.assign(item, { role: 'DIAGS' });
    if (t.base === 'ploy_jobs' && t.stars === 1) return Object.assign(item, { role: 'UNUSED' }); // scripts run on one thread
    if (p.kind === 'bytes') {
      if (p.count === undefined) refuse(`parameter '${p.name}' is untyped memory`);
      if (p.direction === 'inout' && t.base === 'void') refuse(`parameter '${p.name}' is untyped memory`);
      return Object.assign(item, { kind: 'BYTES', role: p.direction === 'in' ? 'ARRAY_IN' : 'ARRAY_OUT', link: list.findIndex((q) => q.name === p.count) });
    }
    // The game's own pointer, which only callbacks read: scripts use closures instead.
    if (t.base === 'void' && t.stars === 1 && !p.as && i > 0 && (/^(owner|user|context|game)$/.test(p.name) || (p.nullable && /^(def|params|settings)$/.test(p.name)))) return Object.assign(item, { role: 'UNUSED' });
    if (p.role === 'array' && p.count === undefined && p.nullable) return Object.assign(item, { role: 'UNUSED' });
    const { kind, type } = kindOfBase(p.as ?? t.base);
    Object.assign(item, { kind, type });
    if (kind === 'POINTER' || kind === 'ENV') refuse(`parameter '${p.name}' is untyped memory`);
    if (p.role === 'array') {
      if (p.count === undefined) refuse(`the length of array '${p.name}' is in no parameter`);
      if (t.stars === 2) {
        if (kind === 'CHAR') item.kind = 'TEXT';
        else if (kind !== 'OBJECT') refuse(`parameter '${p.name}' is an array of pointers`);
        if (p.direction !== 'in' && !/\*const \*$/.test(p.type)) refuse(`parameter '${p.name}' is an array of pointers`);
        p.direction = 'in';
      } else if (kind === 'OBJECT') refuse(`parameter '${p.name}' is an array of objects by value`);
      if (kind === 'LIVE' && p.direction === 'out') refuse(`parameter '${p.name}' receives structs with pointers`);
      if (kind === 'CHAR' && t.stars === 1 && p.direction === 'in') item.kind = 'BYTES';
      item.role = { in: 'ARRAY_IN', out: 'ARRAY_OUT', inout: 'ARRAY_INOUT' }[p.direction];
      if (kind === 'CHAR' && t.stars === 1 && p.direction === 'inout') item.role = 'ARRAY_OUT';
      if (typeof p.count === 'number') item.fixed = p.count;
      else {
        const factors = p.count.split('*');
        item.link = list.findIndex((q) => q.name === factors[0]);
        item.second = factors.length > 1 ? list.findIndex((q) => q.name === factors[1]) : -1;
        if (item.link < 0 || (factors.length > 1 && item.second < 0)) refuse(`the length of array '${p.name}' is in no parameter`);
      }
      if (item.role === 'ARRAY_OUT' && typeof p.count === 'string') {
        const written = list.findIndex((q) => q.role === 'out' && /^(count|out_count|length|written)$/.test(q.name) && q.kind === 'int');
        item.written = written >= 0 ? written : f.returns === 'int32_t' && list.filter((q) => q.role === 'array' && q.direction === 'out').length === 1 ? 100 : -1;
      }
      return item;
    }
    if (p.role === 'count' || p.role === 'capacity') {
      const given = list.some((q) => q.role === 'array' && q.count === p.name && q.direction !== 'out');
      return Object.assign(item, { role: given ? 'COUNT' : 'CAPACITY' });
    }
    if (p.role === 'owned' && i > 0) return Object.assign(item, { flags: item.flags | 1 | 16 });
    if (t.stars === 0) {
      if (i === 0 && types.ender(t.base) === f && kind === 'LIVE') return Object.assign(item, { role: 'OWNED' });
      if (kind === 'OBJECT') refuse(`parameter '${p.name}' is an object by value`);
      if (p.role === 'borrowed') item.flags |= 64; // kept, but not taken over
      return item;
    }
    if (t.stars === 1 && kind === 'CHAR') {
      if (!t.const) refuse(`the length of text '${p.name}' is in no parameter`);
      return Object.assign(item, { kind: 'TEXT', flags: item.flags | 1 });
    }
    if (t.stars === 2) {
      if (p.role !== 'out') refuse(`parameter '${p.name}' is a pointer to a pointer`);
      if (kind === 'CHAR') return Object.assign(item, { kind: 'TEXT', role: 'OUT', flags: item.flags & 4 });
      if (kind === 'OBJECT' && !/const \*$/.test(p.type)) return Object.assign(item, { role: 'OUT', flags: p.owned ? 8 : 0 });
      refuse(`parameter '${p.name}' is a pointer to a pointer`);
    }
    if (t.stars > 2) refuse(`parameter '${p.name}' is a pointer to a pointer`);
    item.flags |= 1;
    if (kind === 'OBJECT') {
      if (exceptions.keepers[f.name] === p.name) item.flags |= 128;
      if (p.role === 'owned') return Object.assign(item, { role: 'OWNED' });
      if (t.base === 'ploy_diags') item.flags &= ~4;
      return item;
    }
    if (p.role === 'out') {
      const owned = p.owned || (kind === 'LIVE' && destroyedByValue(t.base));
      return Object.assign(item, { role: 'OUT', flags: (item.flags & ~1) | (owned ? 8 : 0) });
    }
    if (p.role === 'inout') {
      if (i === 0 && /_fini$/.test(f.name) && f.name === `${t.base}_fini`) return Object.assign(item, { role: 'OWNED' });
      return Object.assign(item, { role: 'INOUT', flags: item.flags | (kind === 'LIVE' && !loose.has(t.base) ? 32 : 0) });
    }
    if (p.role === 'in') return item;
    return refuse(`parameter '${p.name}' has no form in Lua`);
  });
  // A trace is for the studio; without one nothing is reported.
  list.forEach((p, i) => {
    if (parseType(p.type).base === 'ploy_trace' && items[i].role === 'INOUT' && i > 0) items[i].flags |= 4;
  });
  const r = parseType(f.returns);
  const result = { kind: 'VOID', type: 0, flags: 0, written: -1 };
  if (f.returns === 'void') result.thunk = '';
  else if (r.stars === 0) {
    Object.assign(result, kindOfBase(r.base));
    if (['POINTER', 'ENV', 'OBJECT'].includes(result.kind)) refuse('returns a type that Lua cannot receive');
    if (f.result.role === 'owned') result.flags |= 8;
  } else if (r.stars === 1 && r.base === 'char' && r.const) result.kind = 'TEXT';
  else if (r.stars === 1) {
    Object.assign(result, kindOfBase(r.base));
    if (['POINTER', 'ENV', 'VALUE'].includes(result.kind)) refuse('returns untyped memory');
    result.flags |= 1 | (f.result.role === 'owned' ? 8 : 0);
    result.written = list.findIndex((q) => q.role === 'out' && /^(count|length|size)$/.test(q.name) && q.kind === 'int');
    const scalar = !['PLAIN', 'LIVE', 'OBJECT'].includes(result.kind);
    if (scalar && result.written < 0) refuse('returns an array whose length is in no parameter');
    if (result.kind === 'LIVE' && result.written >= 0) refuse('returns an array of structs with pointers');
  } else refuse('returns a pointer to a pointer');
  if (items.length > 23) refuse('has too many parameters');
  const first = list[0] === undefined ? null : parseType(list[0].type);
  const self = first !== null && ['OBJECT', 'LIVE', 'PLAIN'].includes(items[0].kind) && ['IN', 'INOUT', 'OWNED'].includes(items[0].role);
  const changes = self && first.stars === 1 && !first.const && items[0].kind !== 'PLAIN';
  const makes = items.some((x) => x.role === 'OUT' && ['OBJECT', 'LIVE'].includes(x.kind)) || ['LIVE', 'OBJECT'].includes(result.kind);
  const keeps = exceptions.keeps?.[f.name] ?? (makes || f.name in exceptions.keepers || (changes && !quiet.test(f.name)));
  const light = ['BOOL', 'I32', 'U8', 'F32', 'F64'];
  const fast = items.length <= 8 && !keeps && f.returns !== 'ploy_result' && (result.kind === 'VOID' || (light.includes(result.kind) && r.stars === 0)) &&
    items.every((x) => x.role === 'IN' && ((x.kind === 'OBJECT' && (x.flags & 1) === 1) || (light.includes(x.kind) && x.kind !== 'U8' && (x.flags & 1) === 0)));
  return {
    f, items, result, module,
    self: self ? items[0].type : 0,
    method: self && f.name.startsWith(`${first.base}_`) ? f.name.slice(first.base.length + 1) : null,
    flags: (keeps ? 1 : 0) | (self ? 2 : 0) | (f.returns === 'ploy_result' ? 4 : 0) | (changes ? 8 : 0) | (fast ? 16 : 0) | (list.some((p) => p.type === 'ploy_budget *') ? 32 : 0) | (f.name in exceptions.heavy ? 64 : 0),
  };
}

const unbound = [];
const byModule = new Map();
for (const f of api.functions) {
  try {
    const made = bind(f);
    if (!byModule.has(made.module)) byModule.set(made.module, []);
    byModule.get(made.module).push(made);
  } catch (error) {
    if (!(error instanceof Unbound)) throw error;
    unbound.push(`${f.name}: ${error.message}`);
  }
}

// A function that needs an object which no bound function makes cannot be called. Leaving it out may leave out others.
const structOf = (index) => types.structs.get([...used.keys()][index]);
const isMakeable = (s) => {
  if (!makeable.has(s.name)) {
    makeable.set(s.name, false); // a struct within itself
    const { items, ok } = members(s);
    const needs = items.every((x) => {
      const required = x.role === 'IN' && (x.flags & 4) === 0;
      if (!required || !['OBJECT', 'LIVE'].includes(x.kind)) return true;
      return available.has(x.type) || (x.kind === 'LIVE' && isMakeable(structOf(x.type)));
    });
    makeable.set(s.name, ok && needs);
  }
  return makeable.get(s.name);
};
let available = new Set();
for (let before = -1; before !== available.size; ) {
  before = available.size;
  makeable.clear();
  const next = new Set(available);
  for (const { items, result } of [...byModule.values()].flat()) {
    const possible = items.every((x) => obtainable(x));
    if (!possible) continue;
    for (const x of items) if (x.role === 'OUT' && ['OBJECT', 'LIVE'].includes(x.kind)) next.add(x.type);
    if (['OBJECT', 'LIVE'].includes(result.kind)) next.add(result.type);
    for (const x of items) if (x.role === 'CALL') for (const y of trampolines.get([...used.keys()][x.type].slice(3)).items) if (['OBJECT', 'LIVE'].includes(y.kind)) next.add(y.type);
  }
  available = next;
}
function obtainable(x) {
  if (!['OBJECT', 'LIVE'].includes(x.kind) || ['OUT', 'DIAGS', 'UNUSED', 'ENV', 'ARRAY_OUT'].includes(x.role)) return true;
  if ((x.flags & 4) !== 0 || available.has(x.type)) return true;
  return x.kind === 'LIVE' && (x.flags & 32) === 0 && isMakeable(structOf(x.type));
}
for (const [module, list] of byModule) {
  byModule.set(module, list.filter(({ f, items }) => {
    const lacking = items.find((x) => !obtainable(x));
    if (lacking !== undefined) unbound.push(`${f.name}: no bound function makes the ${structOf(lacking.type).name} of parameter '${lacking.name}'`);
    return lacking === undefined;
  }));
}

// ---- output ----
function write(name, text) {
  const path = join(outdir, name);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return; // keeps its time, so nothing is compiled again
  writeFileSync(path, text);
}
mkdirSync(outdir, { recursive: true });
const head = '// Written by tools/bind-lua.mjs. Do not edit.\n';
const item = (x, offset) =>
  `{"${x.name}", PLOYI_BIND_${x.kind}, PLOYI_BIND_${x.role}, ${x.flags}, ${x.link}, ${x.second ?? -1}, ${x.written ?? -1}, ${x.type}, ${offset}, ${x.fixed ?? 0}}`;


/** The checks before a call, from `below` and `needs` in the roles: a C function and its table of messages, or nothing. */
function guard({ f, items }, n) {
  const rules = f.parameters.flatMap((p, i) => (p.below === undefined ? [] : [{ i, when: `${p.name} >= 0 && ${p.name} < ${p.below}`, text: `is out of range; expected a whole number from 0 to one below ${p.below.replace(/ploy_/g, '')}`, pointer: parseType(p.type).stars > 0 }]));
  for (const need of f.needs ?? []) rules.push({ i: f.parameters.findIndex((p) => p.name === need.parameter), when: need.when, text: need.text });
  if (rules.length === 0) return '';
  const used = (p) => rules.some(({ when }) => new RegExp(`\\b${p.name}\\b`).test(when));
  const locals = f.parameters.flatMap((p, i) => {
    if (!used(p)) return [];
    const t = parseType(p.type);
    if (items[i].role === 'CALL') return [`bool ${p.name} = *(ployi_bind_any *)a[${i}] != NULL;`];
    return [t.stars > 0 ? `${p.type}${p.name} = a[${i}];` : `${p.type} ${p.name} = *(${p.type.replace(/^const /, '')} *)a[${i}];`];
  });
  // An optional argument that is nil cannot break a rule about its content, but rules that mention it must not read it.
  const nullable = (when) => f.parameters.filter((p, i) => new RegExp(`\\b${p.name}(->|\\[)`).test(when) && (items[i].flags & 4) !== 0).map((p) => `${p.name} == NULL || `).join('');
  const tests = rules.map(({ when }, k) => `if (!(${nullable(when)}(${when}))) return ${k};`);
  return `static int32_t g${n}(void **a) { ${locals.join(' ')} ${tests.join(' ')} return -1; }\n` +
    `static const ployi_bind_rule r${n}[] = {${rules.map(({ i, text: message }) => `{${i}, "${message}"}`).join(', ')}};\n`;
}

/** The members of a struct, with those of structs inside it, that have a range: C conditions by path. */
function ranged(s, path = '') {
  return s.fields.flatMap((f) => {
    const t = parseType(f.type);
    if (f.min !== undefined || f.max !== undefined || f.valid !== undefined) {
      const conditions = [];
      if (f.min !== undefined) conditions.push(`v->${path}${f.name} >= ${f.min}`);
      if (f.max !== undefined) conditions.push(`v->${path}${f.name} <= ${f.max}`);
      if (f.valid !== undefined) conditions.push(f.valid.replaceAll('v->', `v->${path}`));
      return [{ name: `${path}${f.name}`, when: conditions.join(' && ') }];
    }
    const inner = t.stars === 0 && t.dims.length === 0 && !t.fn ? types.structs.get(t.base) : undefined;
    return inner === undefined || inner.opaque ? [] : ranged(inner, `${path}${f.name}.`);
  });
}

for (const [module, list] of byModule) {
  list.sort((a, b) => (a.f.name < b.f.name ? -1 : 1));
  let text = `${head}#include "ploy/ploy.h"\n#include "script/bind_internal.h"\n\n`;
  list.forEach(({ f, items, result }, n) => {
    const args = f.parameters.map((p, i) => {
      const t = parseType(p.type);
      if (items[i].role === 'CALL') return t.fn ? `(${p.type.replace('(*)', '(*)')})*(ployi_bind_any *)a[${i}]` : `(${t.base})*(ployi_bind_any *)a[${i}]`;
      if (t.stars > 0) return `a[${i}]`;
      return `*(${p.type.replace(/^const /, '')} *)a[${i}]`;
    });
    const call = `${f.name}(${args.join(', ')})`;
    const r = parseType(f.returns);
    const body =
      f.returns === 'void' ? `(void)r; ${call};` : r.stars > 0 ? `*(const void **)r = ${call};` : result.kind === 'ENUM' ? `*(int32_t *)r = (int32_t)${call};` : `*(${f.returns} *)r = ${call};`;
    text += `static void f${n}(void **a, void *r) { ${args.length === 0 ? '(void)a; ' : ''}${body} }\n`;
  });
  const guards = list.map((one, n) => {
    const made = guard(one, n);
    text += made;
    return made === '' ? 'NULL, NULL' : `g${n}, r${n}`;
  });
  text += '\nstatic const ployi_bind_item items[] = {\n';
  let at = 0;
  const starts = list.map(({ items }) => {
    const start = at;
    at += items.length;
    for (const x of items) text += `    ${item(x, 0)},\n`;
    return start;
  });
  text += `    {"", 0, 0, 0, -1, -1, -1, 0, 0, 0},\n};\n\nstatic const ployi_bind_function functions[] = {\n`;
  list.forEach(({ f, items, result, flags, self, method }, n) => {
    text += `    {"${short(f.name)}", ${method === null ? 'NULL' : `"${method}"`}, f${n}, items + ${starts[n]}, ${items.length}, ${flags}, PLOYI_BIND_${result.kind}, ${result.flags}, ${result.written}, ${result.type}, ${self}, ${guards[n]}},\n`;
  });
  text += `};\n\nextern const ployi_bind_module ployi_bind_module_${module};\nconst ployi_bind_module ployi_bind_module_${module} = {"${module}", functions, ${list.length}};\n`;
  write(`bind_${module}.c`, text);
}

// Types: members may bring further types, so the list grows while it is written.
let text = `${head}#include "ploy/ploy.h"\n#include "script/bind_internal.h"\n\n`;
let rows = '';
const bound = new Set([...byModule.values()].flat().map(({ f }) => f.name));
const keys = () => [...used.keys()];
for (let n = 0; n < used.size; n++) {
  const key = keys()[n];
  if (key.startsWith('fn ')) {
    const made = trampolines.get(key.slice(3));
    const { parsed } = made;
    const names = parsed.parameters.map((_, i) => `p${i}`);
    const params = parsed.parameters.map((p, i) => (p.endsWith('*') ? `${p}p${i}` : `${p} p${i}`)).join(', ');
    const returns = parsed.returns;
    text += `static const ployi_bind_item m${n}[] = {\n${made.items.map((x, i) => `    ${item({ ...x, name: `p${i}` }, 0)},\n`).join('')}};\n`;
    text += `static ${returns}${returns.endsWith('*') ? '' : ' '}c${n}(${params}) {\n    void *a[] = {${names.map((p) => `&${p}`).join(', ')}};\n`;
    if (returns === 'void') text += `    ployi_bind_callback((void *)(uintptr_t)p${made.user}, &ployi_bind_types[${n}], a, NULL);\n}\n`;
    else {
      const { kind } = made.result;
      const zero = kind === 'PLAIN' ? '{0}' : kind === 'BOOL' ? 'false' : `(${returns})0`;
      text += `    ${returns} r = ${zero};\n    ployi_bind_callback((void *)(uintptr_t)p${made.user}, &ployi_bind_types[${n}], a, &r);\n    return r;\n}\n`;
    }
    rows += `    {"function", PLOYI_BIND_CALLBACK, 0, ${made.items.length}, 0, m${n}, NULL, NULL, NULL, NULL, NULL, (ployi_bind_any)c${n}, PLOYI_BIND_${made.result.kind}, ${made.result.type}, NULL},\n`;
    continue;
  }
  const e = types.enums.get(key);
  if (e !== undefined) {
    const caps = `${key.toUpperCase()}_`;
    const own = e.values.every((v) => v.name.startsWith(caps));
    let prefix = own ? caps : 'PLOY_';
    if (!own && e.values.length > 1) {
      let common = e.values[0].name;
      for (const v of e.values) while (!v.name.startsWith(common)) common = common.slice(0, -1);
      prefix = common.slice(0, common.lastIndexOf('_') + 1);
    }
    text += `static const char *const n${n}[] = {${e.values.map((v) => `"${v.name.slice(prefix.length).toLowerCase()}"`).join(', ')}};\n`;
    text += `static const int32_t v${n}[] = {${e.values.map((v) => `(int32_t)${v.name}`).join(', ')}};\n`;
    rows += `    {"${short(key)}", PLOYI_BIND_ENUM, 0, ${e.values.length}, 4, NULL, NULL, NULL, NULL, n${n}, v${n}, NULL, 0, 0, NULL},\n`;
    continue;
  }
  const s = types.structs.get(key);
  const callable = (name, count) => types.functions.get(name)?.parameters.length === count;
  const drops = (name) => {
    if (!callable(name, 1)) return 'NULL';
    const f = types.functions.get(name);
    if (parseType(f.parameters[0].type).base !== key) return 'NULL';
    if (destroyedByValue(key)) {
      text += `static void d${n}(void *self) { ${name}(*(${key} *)self); }\n`;
      return `d${n}`;
    }
    const before = exceptions.first[name] === undefined ? '' : `(void)${exceptions.first[name]}(self); `;
    text += `static void d${n}(void *self) { ${before}${f.returns === 'void' ? '' : '(void)'}${name}(self); }\n`;
    return `d${n}`;
  };
  if (s.opaque) {
    rows += `    {"${short(key)}", PLOYI_BIND_OBJECT, 0, 0, 0, NULL, ${drops(types.ender(key)?.name)}, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL},\n`;
    continue;
  }
  const { items, ok } = members(s);
  const plain = types.isPlain(key);
  const stem = key.replace(/_def$/, '');
  const initial = types.functions.get(`${key}_default`)?.parameters.length === 0 && types.functions.get(`${key}_default`).returns === key;
  const fields = types.functions.get(`${stem}_fields`)?.parameters.length === 0 && key.endsWith('_def') && initial;
  if (initial) text += `static void i${n}(void *value) { *(${key} *)value = ${key}_default(); }\n`;
  if (items.length > 0) {
    text += `static const ployi_bind_item m${n}[] = {\n${items.map((x) => `    ${item(x, `offsetof(${key}, ${x.member})`)},\n`).join('')}};\n`;
  }
  const checks = ranged(s);
  if (checks.length > 0) text += `static const char *k${n}(const void *value) { const ${key} *v = value; ${checks.map(({ name, when }) => `if (!(${when})) return "${name}";`).join(' ')} return NULL; }\n`;
  const layout = types.structLayout(key);
  if (layout !== null) text += `_Static_assert(sizeof(void *) != 8 || sizeof(${key}) == ${layout.size}, "${key}");\n`;
  const fini = plain ? 'NULL' : drops(destroyedByValue(key) ? types.ender(key).name : `${key}_fini`);
  const view = !plain && !s.fields.some((f) => f.role === 'user' || /void \*$/.test(f.type)) && s.fields.some((f) => parseType(f.type).stars > 0);
  const flags = (ok && !plain ? 1 : 0) | (vectors.has(key) ? 2 : 0) | (view ? 4 : 0) | (destroyedByValue(key) ? 8 : 0) | (key === 'ploy_maker' ? 16 : 0);
  rows += `    {"${short(key)}", PLOYI_BIND_${plain ? 'PLAIN' : 'LIVE'}, ${flags}, ${items.length}, sizeof(${key}), ${items.length > 0 ? `m${n}` : 'NULL'}, ${fini}, ${initial ? `i${n}` : 'NULL'}, ${fields ? `${stem}_fields` : 'NULL'}, NULL, NULL, NULL, 0, 0, ${checks.length > 0 ? `k${n}` : 'NULL'}},\n`;
}
text += `\nconst ployi_bind_type ployi_bind_types[] = {\n${rows}};\nconst int32_t ployi_bind_type_count = ${used.size};\nconst int32_t ployi_bind_api_count = ${api.functions.length};\n`;
for (const name of ['vec2', 'vec3', 'quat', 'id', 'name', 'budget']) text += `const uint16_t ployi_bind_type_${name} = ${used.get(`ploy_${name}`)};\n`;
const modules = [...byModule.keys()].sort();
for (const m of modules) text += `extern const ployi_bind_module ployi_bind_module_${m};\n`;
text += `const ployi_bind_module *const ployi_bind_modules[] = {${modules.map((m) => `&ployi_bind_module_${m}`).join(', ')}};\nconst int32_t ployi_bind_module_count = ${modules.length};\n`;
write('bind_types.c', text);
const percent = ((100 * bound.size) / api.functions.length).toFixed(1);
write('unbound.txt', `${bound.size} of ${api.functions.length} functions are bound (${percent} %). Not bound:\n${unbound.sort().join('\n')}\n`);
console.log(`${outdir}: ${bound.size} of ${api.functions.length} functions bound (${percent} %), ${used.size} types`);
