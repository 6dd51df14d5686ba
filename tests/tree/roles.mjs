#!/usr/bin/env node
// node tests/tree/roles.mjs API.json: the roles in ploy_api.json. Every parameter and member has one, and those of some
// known functions are what a reader of the headers expects.
import { readFileSync } from 'node:fs';
import { fault, finish } from './tree.mjs';

const api = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const functions = new Map(api.functions.map((f) => [f.name, f]));
let count = 0;
for (const f of api.functions) {
  for (const p of f.parameters) {
    count += 1;
    if (p.role === undefined || p.kind === undefined || p.kind === 'unknown') fault(f.name, `parameter '${p.name}' has no role`);
    if (p.role === 'array' && typeof p.count === 'string') {
      for (const part of p.count.split('*')) if (!f.parameters.some((q) => q.name === part)) fault(f.name, `the count '${part}' of '${p.name}' is not a parameter`);
    }
    if (p.role === 'callback' && p.user !== undefined && !f.parameters.some((q) => q.name === p.user)) fault(f.name, `the user of '${p.name}' is not a parameter`);
  }
  if (f.result?.role === undefined) fault(f.name, 'the result has no role');
}
for (const s of api.structs) for (const m of s.fields) if (m.role === undefined) fault(s.name, `member '${m.name}' has no role`);

const known = {
  ploy_wander_create: 'def:in capacity:in env:in out:out/owned',
  ploy_wander_destroy: 'wander:owned',
  ploy_fields_each: 'fields:in fn:callback/user user:user',
  ploy_markov_step: 'matrix:array/count*count/in count:count v:array/count/in out:array/count/out',
  ploy_curve_table: 'x:array/count/in y:array/count/in count:count out:out',
  ploy_index2_find: 'index:in query:in out:array/capacity/out capacity:capacity stats:out',
  ploy_json_load: 'bytes:array/size/in size:count name:in def:in env:in diags:borrowed out:out/owned',
  ploy_map_next: 'map:in cursor:inout key:out value:out',
  ploy_obb2_corners: 'box:in corners:array/4/inout',
  ploy_accretion_cancel: 'self:owned',
  ploy_bt_library_add: 'library:borrowed bt:owned',
  ploy_automaton_draw: 'automaton:borrowed out:inout',
};
const text = (p) => [`${p.name}:${p.role}`, ...[p.count, p.direction, p.user, p.owned ? 'owned' : undefined].filter((x) => x !== undefined)].join('/');
for (const [name, expected] of Object.entries(known)) {
  const found = functions.get(name)?.parameters.map(text).join(' ');
  if (found !== expected) fault(name, `the roles are '${found}'; expected '${expected}'`);
}
finish(`${count} parameters with roles`);
