// node tests/tree/symbols.mjs --shared libploy.so LIBRARY.a...
//
// Reads the symbol tables of the built libraries.
//
//   - Everything global is ploy_ or, between files of the library, ployi_; the shared library shows ploy_ only.
//   - No object holds writable data, so there is no hidden state. The assert handler is the one exception.
//   - Nothing calls a function of libc whose result differs between machines, locales or runs.
//   - Components call public functions only, so that they can be linked to a shared ploy.
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { fault, finish, run } from './tree.mjs';

const { values, positionals: archives } = parseArgs({
  allowPositionals: true,
  options: { shared: { type: 'string' } },
});

// Per process by design, see ploy/base/api.h.
const writable = new Set(['assert_handler', 'assert_user']);

// sqrt, fabs, floor, ceil and similar ones are exact and allowed; the others have a repeatable form in ploy/base/math.h.
// Numbers are parsed and printed by ploy/base/number.h, the clock comes with ploy_env.
const transcendental = `sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2
  log10 log1p pow cbrt hypot erf erfc tgamma lgamma sincos fma`.split(/\s+/);
const forbidden = new Set([
  ...transcendental.flatMap((name) => [name, `${name}f`, `${name}l`]),
  ...`rand srand rand_r random srandom drand48 lrand48 mrand48 time clock localtime gmtime mktime strftime setlocale
    localeconv strtod strtof strtold strtol strtoul strtoll strtoull atof atoi atol sscanf qsort bsearch getenv
    strtok asctime ctime tmpnam`.split(/\s+/),
]);

/** Symbols of an archive or library: {object, name, kind, section}. */
function symbolsOf(file, ...options) {
  const text = run(file, 'nm', '--format=sysv', ...options, file);
  const found = [];
  let object = basename(file);
  for (const line of (text ?? '').split('\n')) {
    const member = /^(?:Undefined symbols|Symbols) from .*\[(.+)\]:$/.exec(line);
    if (member) object = member[1];
    const cells = line.split('|').map((cell) => cell.trim());
    if (cells.length === 7 && cells[0] !== 'Name') {
      found.push({ object, name: cells[0].replace(/@.*/, ''), kind: cells[2], type: cells[3], section: cells[6] });
    }
  }
  return found;
}

let count = 0;
for (const archive of archives) {
  const isComponent = /libploy_(data_(compression|png)|inspect_(http|png)|path_recast|script_lua)\.a$/.test(archive);
  const symbols = symbolsOf(archive);
  if (symbols.length === 0) fault(archive, 'has no symbols');
  const defined = new Set(symbols.filter(({ kind }) => kind !== 'U').map(({ name }) => name));
  for (const { object, name, kind, type, section } of symbols) {
    count += 1;
    const place = `${basename(archive)}[${object}]`;
    if (kind === 'U') {
      if (forbidden.has(name) && !isComponent) fault(place, `calls ${name}, which is not repeatable; see ploy/base`);
      if (isComponent && name.startsWith('ployi_') && !defined.has(name)) {
        fault(place, `a component calls ${name}, which is not public`);
      }
      continue;
    }
    // What C++ repeats in every object that uses a library's inline functions is weak, and that library's own.
    const isOthers = isComponent && /^[WV]$/.test(kind) && name.startsWith('_Z');
    // Namespaces of the components written in C++ begin as our names do.
    const isOurs = /^ployi?_[a-z0-9_]+$/.test(name) || (isComponent && /^_ZNK?\d+ployi_/.test(name));
    if (/^[A-Z]$/.test(kind) && !isOthers && !isOurs) {
      fault(place, `'${name}' is global and neither ploy_ nor ployi_`);
    }
    // .data.rel.ro is constant once loaded; .data and .bss are not.
    const isData = type === 'OBJECT' || type === 'TLS';
    const inWritable = /^\.(data|bss|tdata|tbss)($|\.)/.test(section) && !section.startsWith('.data.rel.ro');
    if (isData && (inWritable || section === '*COM*') && !writable.has(name)) {
      fault(place, `'${name}' is writable data in ${section}: hidden state`);
    }
  }
}

if (values.shared !== undefined) {
  const shown = symbolsOf(values.shared, '--dynamic', '--defined-only');
  if (shown.length === 0) fault(values.shared, 'exports nothing');
  for (const { name } of shown) {
    count += 1;
    if (!/^ploy_[a-z0-9_]+$/.test(name)) fault(values.shared, `exports '${name}', which is not public`);
  }
}
finish(`${count} symbols, all named and placed as they should be`);
