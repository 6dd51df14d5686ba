// Roles of parameters, results and members, for bindings to other languages.
//
// api-json.mjs calls addRoles, which writes `kind` and `role` to every parameter, result and struct member. They follow
// from our naming rules; what the rules cannot know is in api-roles.json, one line for each exception.
//
// kind: bool int float char enum text bytes struct def object callback pointer (untyped memory) void
// role: in        read during the call, or copied
//       out       written; one value that the caller receives
//       inout     read and written in place
//       array     the first of `count` elements (a parameter, member, product such as "columns*rows" or "3*count", or number);
//                 `direction` is in, out or inout; without `count` the length follows from something else
//       count     the number of elements of the arrays in `of`
//       capacity  the room in the arrays in `of`, which receive at most that many
//       borrowed  an object that stays with the caller
//       owned     an object that passes to the function (destroy) or to the caller (out and result)
//       callback  a function, called with the pointer in `user`
//       user      the pointer that the callbacks in `of` receive
//       memory    (of a member) elements whose number is in no other member
// `below` is the bound of an index, a C expression over the other parameters; `min` and `max` are the range of a member, `valid` a further condition on the struct v;
// `needs` of a function lists further conditions that its arguments must fulfil. Bindings check them before the call.
// `as` is the type behind an untyped pointer, where the function's name states it.
// A result also has: status (a ploy_result), value (a copy), none.
import { readFileSync } from 'node:fs';

export const exceptions = JSON.parse(readFileSync(new URL('./api-roles.json', import.meta.url), 'utf8'));

const ints = { int8_t: 1, uint8_t: 1, int16_t: 2, uint16_t: 2, int32_t: 4, uint32_t: 4, int64_t: 8, uint64_t: 8, size_t: 8, int: 4, 'unsigned char': 1, 'unsigned int': 4, long: 8 };
const floats = { float: 4, double: 8 };

/** Splits a C type: base name, const of the innermost, stars, array sizes, or a function pointer. */
export function parseType(text) {
  if (text.includes('(*')) return { base: text, stars: 0, fn: true, const: false, dims: [] };
  const dims = [...text.matchAll(/\[(\d+)\]/g)].map((m) => Number(m[1]));
  const plain = text.replace(/\[.*$/, '').trim();
  const stars = (plain.match(/\*/g) ?? []).length;
  const first = plain.split('*')[0];
  const base = first.replace(/\b(const|struct|enum|union)\b/g, '').trim().replace(/\s+/g, ' ');
  return { base, stars, const: /\bconst\b/.test(first), fn: false, dims };
}

/** The parameter types and result of a function pointer's type text. */
export function parseFunction(text) {
  const match = /^(.*?)\(\*\)\((.*)\)$/.exec(text);
  if (match === null) return null;
  const list = [];
  let depth = 0;
  let part = '';
  for (const c of match[2]) {
    if (c === '(') depth += 1;
    if (c === ')') depth -= 1;
    if (c === ',' && depth === 0) {
      list.push(part.trim());
      part = '';
    } else part += c;
  }
  if (part.trim() !== '' && part.trim() !== 'void') list.push(part.trim());
  return { returns: match[1].trim(), parameters: list };
}

export class Types {
  constructor(api) {
    this.structs = new Map(api.structs.map((s) => [s.name, s]));
    this.enums = new Map(api.enums.map((e) => [e.name, e]));
    this.callbacks = new Map(api.callbacks.map((c) => [c.name, c.type]));
    this.aliases = new Map(api.types.map((t) => [t.name, t.type]));
    this.functions = new Map(api.functions.map((f) => [f.name, f]));
    this.pods = new Map();
    this.layouts = new Map();
  }
  /** The kind of a parsed type's base, without its stars. */
  baseKind(base) {
    if (this.aliases.has(base)) return this.baseKind(this.aliases.get(base));
    if (base === 'bool' || base === '_Bool') return 'bool';
    if (base === 'char') return 'char';
    if (base === 'void') return 'void';
    if (base in ints) return 'int';
    if (base in floats) return 'float';
    if (this.enums.has(base)) return 'enum';
    if (this.callbacks.has(base)) return 'callback';
    const s = this.structs.get(base);
    if (s !== undefined) return s.opaque ? 'object' : base.endsWith('_def') ? 'def' : 'struct';
    return 'unknown';
  }
  /** The function that ends an object's life: destroy, or cancel for work in slices that has no destroy. */
  ender(base) {
    if (base in exceptions.enders) return this.functions.get(exceptions.enders[base]);
    for (const verb of ['destroy', 'cancel']) {
      const f = this.functions.get(`${base}_${verb}`);
      if (f !== undefined && f.parameters.length === 1 && parseType(f.parameters[0].type).base === base) return f;
    }
    return undefined;
  }
  kindOf(text) {
    const t = parseType(text);
    if (t.fn) return 'callback';
    const kind = this.baseKind(t.base);
    if (t.stars === 0) return kind;
    if (kind === 'char' && t.stars === 1) return 'text';
    if (kind === 'void') return 'pointer';
    return kind;
  }
  /** True for a struct of plain data, without any pointer inside. */
  isPlain(name) {
    if (this.pods.has(name)) return this.pods.get(name);
    const s = this.structs.get(name);
    if (s === undefined || s.opaque) return false;
    this.pods.set(name, true);
    const plain = s.fields.every((f) => {
      const t = parseType(f.type);
      if (t.fn || t.stars > 0) return false;
      const kind = this.baseKind(t.base);
      if (kind === 'struct' || kind === 'def') return this.isPlain(t.base);
      return ['bool', 'int', 'float', 'enum', 'char'].includes(kind);
    });
    this.pods.set(name, plain);
    return plain;
  }
  /** Size and alignment in the usual layout of 64-bit machines; null if not known. */
  layout(text) {
    const t = parseType(text);
    const times = t.dims.reduce((a, b) => a * b, 1);
    if (t.fn || t.stars > 0) return { size: 8 * times, align: 8 };
    const base = this.aliases.get(t.base) ?? t.base;
    const size = ints[base] ?? floats[base] ?? ({ bool: 1, _Bool: 1, char: 1 })[base] ?? (this.enums.has(base) ? 4 : undefined);
    if (size !== undefined) return { size: size * times, align: size };
    if (this.callbacks.has(base)) return { size: 8 * times, align: 8 };
    const one = this.structLayout(base);
    return one === null ? null : { size: one.size * times, align: one.align };
  }
  structLayout(name) {
    if (this.layouts.has(name)) return this.layouts.get(name);
    this.layouts.set(name, null);
    const s = this.structs.get(name);
    if (s === undefined || s.opaque) return null;
    let at = 0;
    let align = 1;
    const offsets = [];
    for (const f of s.fields) {
      const one = this.layout(f.type);
      if (one === null) return null;
      at = Math.ceil(at / one.align) * one.align;
      offsets.push(at);
      at += one.size;
      align = Math.max(align, one.align);
    }
    const made = { size: Math.ceil(at / align) * align, align, offsets };
    this.layouts.set(name, made);
    return made;
  }
}

// Names of arrays whose length is in no parameter: a table per state, a weight per input.
const plural = (name) => /s$/.test(name) && !/(ss|us|is|stats|axis|radius|bias)$/.test(name);
const arrayNames = /^(scratch|world|order|taker|idle|group|room|matrix|q|v|policy|output|input|chosen|reached|state|pattern|known|example|row|radix|seen|path_out)$/;
// Sinks: a function writes to them and never initialises them.
const sinks = new Set(['ploy_describe', 'ploy_draw', 'ploy_json_writer', 'ploy_trace', 'ploy_visit', 'ploy_writer']);
const collective = /^(children|goal|keep|view|line|out|result|found|data|radii|vertices|indices)$/;
const notCounted = /^(world|scratch|matrix|count|object|user)$/; // their length is another
const single = /^(count|first|joined|added|total|cost|index|size|length|rule|status|tick|next|edge|node|vertex|triangle|t|s)$/;
/** True for a pointer that is likely an array although no count belongs to it. */
function looksLikeArray(f, p, types) {
  const t = parseType(p.type);
  if (t.stars !== 1 || t.fn) return false;
  const kind = types.baseKind(t.base);
  const batch = f.parameters.some((q) => q.name === 'first') && f.parameters.some((q) => q.name === 'count');
  if (['int', 'float', 'bool', 'enum', 'char'].includes(kind)) {
    if (t.const) return kind !== 'char';
    if (single.test(p.name)) return false;
    if (plural(p.name) || arrayNames.test(p.name)) return true;
    return batch || new RegExp(`\\b${p.name}\\b[^.;]{0,80}\\b(length|entries|elements|capacity|array|one (per|for each)|for each|room for)\\b`).test(f.doc);
  }
  if (kind !== 'struct' && kind !== 'def') return false;
  if (plural(p.name) && !/s(\d|_def)?$/.test(t.base) && types.isPlain(t.base)) return true;
  return !t.const && types.isPlain(t.base) && (batch || new RegExp(`\\b${p.name}\\b[^.;]{0,60}\\b(entries|elements|same length|one (per|for each)|room for)\\b`).test(f.doc));
}

const countName = /^(?:(.*)_)?(count|capacity|length|size|room|max)$/;
// "Returns the tag with that name, or NULL" is about the result.
const mayBeNull = (doc, name) =>
  new RegExp(`\\b${name}\\b[^.;]{0,40}\\bor NULL\\b`).test(doc.replace(/(@return|Returns)\b[^.]*(\.|$)/g, '')) ||
  new RegExp(`\\b${name}\\b[^.;]{0,60}\\b(may|can) (also )?be NULL|\\b${name} NULL\\b|@param ${name} +[^@]*\\bNULL\\b|\\bNULL (is allowed|allowed) (for|as) ${name}\\b`).test(doc);

/** Pairs arrays with their counts in one list of parameters or members. Returns Map(array name -> count item). */
function pairCounts(list, types, isSelf) {
  const pairs = new Map();
  const eligible = (p) => {
    const t = parseType(p.type);
    if (t.fn || t.stars === 0) return false;
    const kind = types.baseKind(t.base);
    if (kind === 'object') return t.stars === 2;
    if (kind === 'callback') return false;
    return t.stars === 1 || (t.stars === 2 && kind === 'char') || t.stars === 2;
  };
  list.forEach((p, i) => {
    const t = parseType(p.type);
    const match = countName.exec(p.name);
    if (match === null || t.stars > 0 || types.baseKind(t.base) !== 'int') return;
    if (match[1] !== undefined) {
      const stem = match[1];
      const found = list.filter((q) => eligible(q) && (q.name === stem || q.name === `${stem}s` || q.name === `${stem}es` || q.name === stem.replace(/y$/, 'ies') || (stem === 'vertex' && q.name === 'vertices')));
      for (const q of found) pairs.set(q.name, p);
      return;
    }
    if (match[2] === 'max') return;
    for (let k = i - 1; k >= 0; k--) {
      const q = list[k];
      if (!eligible(q) || isSelf(q, k) || notCounted.test(q.name)) break;
      const qt = parseType(q.type);
      const base = types.baseKind(qt.base);
      if (base === 'void' && !/^(bytes|text|key|data|out|buffer)$/.test(q.name)) break;
      if ((base === 'void' || (base === 'char' && qt.stars === 1)) && !/size|length|capacity/.test(p.name)) break;
      if ((base === 'struct' || base === 'def') && !plural(q.name) && !collective.test(q.name)) break;
      if (p.name === 'size' && base !== 'void' && base !== 'char' && parseType(p.type).base !== 'int32_t') break;
      if (k < i - 1 && p.name !== 'count') break; // further back only for a count that several share
      pairs.set(q.name, p);
    }
  });
  return pairs;
}

function parameterRoles(f, types) {
  const doc = f.doc;
  const special = exceptions.parameters[f.name] ?? {};
  const structs = types.structs;
  const selfOf = (q, k) => {
    if (k !== 0) return false;
    const { base } = parseType(q.type);
    return structs.has(base) && f.name.startsWith(`${base}_`) && !(plural(q.name) && !plural(base));
  };
  const pairs = pairCounts(f.parameters, types, selfOf);
  const byName = new Map(f.parameters.map((p) => [p.name, p]));
  for (const [name, given] of Object.entries(special)) {
    if (given.count !== undefined) pairs.set(name, byName.get(given.count) ?? given.count);
    if (given.count === undefined && given.role !== undefined && given.role !== 'array') pairs.delete(name);
  }
  // Callbacks: the next parameter that is an untyped pointer named user (or x_user) belongs to them.
  const callbacks = f.parameters.filter((p) => types.kindOf(p.type) === 'callback');
  f.parameters.forEach((p, i) => {
    const t = parseType(p.type);
    p.kind = types.kindOf(p.type);
    const base = types.baseKind(t.base);
    if (mayBeNull(doc, p.name) && t.base !== 'ploy_visit') p.nullable = true;
    if (p.declared !== undefined && t.stars > 0) pairs.set(p.name, p.declared);
    const count = pairs.get(p.name);
    if (p.kind === 'callback') {
      p.role = 'callback';
      const user = f.parameters.slice(i + 1).find((q) => /^(const )?void \*$/.test(q.type) && /user|context|owner|object/.test(q.name)) ??
        f.parameters.find((q) => /^(const )?void \*$/.test(q.type));
      if (user !== undefined) p.user = user.name;
    } else if (count !== undefined && !(t.stars === 1 && base === 'object')) {
      p.role = 'array';
      p.count = typeof count === 'object' ? count.name : count;
      if (p.kind === 'pointer' || (p.kind === 'text' && typeof count === 'object' && /size|length/.test(count.name))) p.kind = 'bytes';
      p.direction = t.const ? 'in' : /^(out|result|found)|_out$/.test(p.name) || (typeof count === 'object' && /capacity|room|max/.test(count.name)) || p.kind === 'text' ? 'out' : 'inout';
    } else if (t.stars === 0) p.role = 'in';
    else if (!selfOf(p, i) && looksLikeArray(f, p, types)) Object.assign(p, { role: 'array', direction: t.const ? 'in' : 'inout' });
    else if (p.kind === 'text') p.role = t.const ? 'in' : 'out';
    else if (p.kind === 'pointer') {
      const of = callbacks.filter((c) => c.user === p.name || (c.user === undefined && /user/.test(p.name)));
      if (of.length > 0) {
        p.role = 'user';
        p.of = of.map((c) => c.name);
      } else p.role = t.stars > 1 ? 'out' : 'borrowed';
      // ploy_net_visit(v, object) is a ploy_visitor; its object is a ploy_net.
      const visited = /^(.*)_visit$/.exec(f.name)?.[1];
      if (t.stars === 1 && i === 1 && structs.get(visited)?.opaque) p.as = visited;
    } else if (base === 'object') {
      if (t.stars === 2) {
        p.role = 'out';
        p.owned = !t.const && types.ender(t.base) !== undefined;
      } else p.role = i === 0 && types.ender(t.base) === f ? 'owned' : 'borrowed';
    } else if (t.stars === 2) p.role = 'out';
    else if (t.const) p.role = 'in';
    else if (base === 'struct' || base === 'def') {
      const self = selfOf(p, i);
      if (self && f.name === `${t.base}_init`) {
        p.role = 'out';
        p.owned = types.functions.has(`${t.base}_fini`);
        return;
      }
      const trailing = f.parameters.slice(i).every((q) => parseType(q.type).stars > 0 && !parseType(q.type).const);
      p.role = !self && !sinks.has(t.base) && (/^out|_out$/.test(p.name) || (trailing && types.isPlain(t.base) && /^(bool|ploy_result|int32_t)$/.test(f.returns))) ? 'out' : 'inout';
    } else p.role = 'out';
    Object.assign(p, special[p.name] ?? {});
  });
  for (const p of f.parameters) {
    const of = f.parameters.filter((q) => q.role === 'array' && q.count === p.name);
    if (of.length === 0) continue;
    p.role = of.every((q) => q.direction === 'out') && /capacity|room|max|count|size/.test(p.name) ? 'capacity' : 'count';
    p.of = of.map((q) => q.name);
  }
}

function resultRole(f, types) {
  const t = parseType(f.returns);
  const kind = types.kindOf(f.returns);
  const result = { kind, role: 'value' };
  if (f.returns === 'void') result.role = 'none';
  else if (f.returns === 'ploy_result') result.role = 'status';
  else if (kind === 'text') result.role = 'value';
  else if (t.stars > 0) result.role = 'borrowed';
  return Object.assign(result, exceptions.results[f.name] ?? {});
}

/** The number of elements in use of an array inside a struct: from 0 to the length of the array. */
function countedRooms(s, types) {
  for (const f of s.fields) {
    const stem = /^(?:(.*)_)?(?:count|length)$/.exec(f.name);
    if (stem === null || f.role !== 'in' || types.kindOf(f.type) !== 'int') continue;
    const rooms = s.fields.filter((g) => {
      const t = parseType(g.type);
      if (t.fn || t.stars > 0 || t.dims.length === 0 || t.base === 'char') return false;
      return stem[1] === undefined || g.name === stem[1] || g.name === `${stem[1]}s` || g.name === stem[1].replace(/y$/, 'ies');
    });
    if (rooms.length === 0) continue;
    f.min ??= 0;
    f.max ??= Math.min(...rooms.map((g) => parseType(g.type).dims[0]));
  }
}

function memberRoles(s, types) {
  const special = exceptions.members[s.name] ?? {};
  const pairs = pairCounts(s.fields, types, () => false);
  // A view: several arrays before or after one plain `count`.
  const plainCount = s.fields.find((f) => f.name === 'count' && types.kindOf(f.type) === 'int');
  for (const f of s.fields) {
    const t = parseType(f.type);
    f.kind = types.kindOf(f.type);
    const base = types.baseKind(t.base);
    if (/\bNULL\b|optional/i.test(f.doc)) f.nullable = true;
    if (t.fn || f.kind === 'callback') {
      f.role = 'callback';
      if (/\beach may be NULL\b/.test(s.doc)) f.nullable = true;
      const user = s.fields.find((g) => g.name === `${f.name}_user`) ?? s.fields.find((g) => g.name === 'user' && g.type.endsWith('void *'));
      if (user !== undefined) f.user = user.name;
    } else if (t.stars === 0) {
      f.role = /(^|_)stride$/.test(f.name) && f.type === 'size_t' ? 'stride' : 'in';
      if (t.dims.length > 0) Object.assign(f, { role: 'array', count: t.dims.reduce((a, b) => a * b, 1), direction: 'inout' });
    } else if (t.dims.length > 0 && base !== 'object') f.role = 'memory';
    else if (pairs.has(f.name) && base !== 'void') Object.assign(f, { role: 'array', count: pairs.get(f.name).name, direction: t.const ? 'in' : 'inout' });
    else if (f.kind === 'text') f.role = 'in';
    else if (plainCount !== undefined && t.stars === 1 && base !== 'object' && base !== 'void') Object.assign(f, { role: 'array', count: 'count', direction: t.const ? 'in' : 'inout' });
    else f.role = 'borrowed';
    Object.assign(f, special[f.name] ?? {});
  }
  for (const f of s.fields) {
    const of = s.fields.filter((g) => g.role === 'array' && String(g.count).split('*').at(-1) === f.name);
    if (of.length > 0) Object.assign(f, { role: 'count', of: of.map((g) => g.name) });
    const calls = s.fields.filter((g) => g.role === 'callback' && g.user === f.name);
    if (calls.length > 0) Object.assign(f, { role: 'user', of: calls.map((g) => g.name) });
  }
  countedRooms(s, types);
  const layout = types.structLayout(s.name);
  if (layout === null) return;
  s.size = layout.size;
  s.align = layout.align;
  s.fields.forEach((f, i) => (f.offset = layout.offsets[i]));
}

/** Writes kinds and roles into the API. Returns the faults: exceptions that name nothing, items without a role. */
export function addRoles(api) {
  const types = new Types(api);
  const faults = [];
  for (const s of api.structs) {
    if (!s.opaque) memberRoles(s, types);
    s.plain = types.isPlain(s.name);
  }
  for (const f of api.functions) {
    parameterRoles(f, types);
    f.result = resultRole(f, types);
    if (exceptions.needs[f.name] !== undefined) f.needs = exceptions.needs[f.name];
    for (const { parameter } of f.needs ?? []) if (!f.parameters.some((p) => p.name === parameter)) faults.push(`api-roles.json: ${f.name} has no parameter '${parameter}'`);
    for (const p of f.parameters) if (p.role === undefined || p.kind === 'unknown') faults.push(`${f.name}: parameter '${p.name}' has no role`);
  }
  for (const [part, key] of [['parameters', 'parameters'], ['results', null], ['unbound', null], ['needs', null]]) {
    for (const [name, given] of Object.entries(exceptions[part])) {
      const f = types.functions.get(name);
      if (f === undefined) faults.push(`api-roles.json: no function '${name}'`);
      else if (key !== null) {
        for (const p of Object.keys(given)) if (!f.parameters.some((q) => q.name === p)) faults.push(`api-roles.json: ${name} has no parameter '${p}'`);
      }
    }
  }
  for (const name of Object.keys(exceptions.private)) if (!types.structs.has(name)) faults.push(`api-roles.json: no struct '${name}'`);
  for (const [name, given] of Object.entries(exceptions.members)) {
    const s = types.structs.get(name);
    if (s === undefined) faults.push(`api-roles.json: no struct '${name}'`);
    else for (const m of Object.keys(given)) if (!s.fields.some((g) => g.name === m)) faults.push(`api-roles.json: ${name} has no member '${m}'`);
  }
  return faults;
}
