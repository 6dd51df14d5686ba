// Which public functions have a caller outside tests.
//
// A function is called if its name occurs in a source other than the one that defines it, in another public header,
// or in a lab, game, program, example, benchmark or fuzz target. Functions whose names end in a contract verb
// (tests/tree/api-verbs.txt) and the spatial, batch, inverse and other-precision twins of functions that are called need
// no caller. A macro or inline function of the same header calls what its body names if it is called itself.
// Names in comments do not count.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fault, files, root } from './tree.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');
const isSource = (file) => /\.([ch]|cpp|hpp)$/.test(file);
const withoutComments = (text) => text.replace(/\/\/[^\n]*/g, '').replace(/\/\*[^]*?\*\//g, '');

/** The verbs, each with its reason behind `#`. Single functions cannot be listed. */
export function readVerbs(text, place) {
  const verbs = [];
  text.split('\n').forEach((line, i) => {
    const [word, reason] = line.split('#').map((part) => part.trim());
    if (word === '' && (reason !== undefined || line.trim() === '')) return;
    if (!reason) fault(`${place}:${i + 1}`, `'${word}' has no reason: add '# reason'`);
    if (/^_[a-z0-9_]+$/.test(word)) verbs.push(word);
    else if (/^_[a-z0-9_]+_\*$/.test(word)) verbs.push(word);
    else fault(`${place}:${i + 1}`, `expected a suffix '_verb' or '_verb_*', found '${word}'`);
  });
  return verbs;
}

/** Is the name's last part a verb of the list? `_hit_*` allows anything behind it. */
export function endsInVerb(name, verbs) {
  return verbs.some((verb) => (verb.endsWith('_*') ? name.includes(verb.slice(0, -1)) : name.endsWith(verb)));
}

/** Names of which a function is the spatial, batch or inverse form. */
export function twins(name) {
  const found = new Set([
    name.replace(/3(_|$)/, '$1'),
    name.replace(/3(_|$)/, '2$1'),
    name.replaceAll('3', '2'),
    name.replaceAll('3', ''),
    name.replace(/_batch$/, ''),
    name.replace(/_batch$/, '_find'),
    name.replace('_disconnect', '_connect'),
    name.replace(/f$/, ''),
    `${name}f`,
    name.replace('_to_', '_from_'),
    name.replace('_from_', '_to_'),
    name.replace('_local', '_world'),
    name.replace('_world', '_local'),
  ]);
  for (const twin of [...found]) found.add(twin.replace(/_batch$/, ''));
  found.delete(name);
  return found;
}

/**
 * Adds to `called` what the macros and inline functions of a header name in their bodies, if they occur in other files
 * themselves. `words` has the macros that sources name.
 */
export function forward(text, called, words) {
  const bodies = [
    ...text.matchAll(/^#define (\w+)\b((?:[^\n]*\\\n)*[^\n]*)/gm),
    ...text.matchAll(/^static inline [^;{}]*?\b(ploy_\w+)\([^;{}]*\)\s*\{([^]*?)^\}/gm),
  ].map(([, name, body]) => ({ name, used: body.match(/\b(?:ploy_[a-z0-9_]+|PLOY_\w+)\b/g) ?? [] }));
  const live = new Set(bodies.filter(({ name }) => words.has(name) || called.has(name)).map(({ name }) => name));
  for (let size = -1; size !== live.size; ) {
    size = live.size;
    for (const { name, used } of bodies) if (live.has(name)) for (const one of used) live.add(one);
  }
  for (const { name, used } of bodies) if (live.has(name)) for (const one of used) called.add(one);
}

/** Faults for public functions without a caller; returns a line with the counts by module. */
export function checkCallers(functions) {
  const place = 'tests/tree/api-verbs.txt';
  const verbs = readVerbs(read(place), place);
  const known = new Map(functions.map((f) => [f.name, f]));
  const called = new Set();
  const definedIn = new Map();
  const uses = new Map(); // source of the library -> names used in it
  const words = new Set(); // of everything but the headers: macros are called there
  for (const folder of ['src', 'include', 'labs', 'games', 'apps', 'examples', 'bench', 'fuzz']) {
    for (const file of files(folder, isSource)) {
      const text = withoutComments(read(file));
      if (folder !== 'include') for (const [word] of text.matchAll(/\bPLOY_\w+\b/g)) words.add(word);
      for (const match of text.matchAll(/\bploy_[a-z0-9_]+\b/g)) {
        const [name] = match;
        if (!known.has(name)) continue;
        if (folder === 'src') {
          // A definition begins in the first column with its return type and goes on to a brace.
          const start = text.lastIndexOf('\n', match.index) + 1;
          const head = text.slice(start, match.index);
          if (/^[a-z]/.test(text[start]) && !/[=(;]|return/.test(head) && /^\([^;{}]*\)\s*\{/.test(text.slice(match.index + name.length, match.index + name.length + 1500))) {
            definedIn.set(name, file);
            continue;
          }
          if (!uses.has(file)) uses.set(file, new Set());
          uses.get(file).add(name);
        } else if (folder !== 'include' || file !== `include/${known.get(name).header}`) {
          called.add(name);
        }
      }
    }
  }
  for (const file of files('include', isSource)) forward(withoutComments(read(file)), called, words);
  for (const [file, used] of uses) for (const name of used) if (definedIn.get(name) !== file) called.add(name);
  const counts = {};
  const needed = new Set();
  for (const { name, header } of functions) {
    const module = header.split('/')[1];
    counts[module] ??= 0;
    counts[module] += 1;
    if (called.has(name) || [...twins(name)].some((twin) => called.has(twin))) continue;
    const fits = verbs.filter((verb) => endsInVerb(name, [verb]));
    for (const verb of fits) needed.add(verb);
    if (fits.length > 0) continue;
    fault(`include/${header}`, `no source, lab, game, program, example, benchmark or fuzz target calls ${name}`);
  }
  // The list only shrinks: an ending that no function needs would exempt the next one unseen.
  verbs.forEach((verb, i) => {
    if (!needed.has(verb)) fault(place, `no function needs the ending '${verb}'`);
    if (verbs.indexOf(verb) !== i) fault(place, `duplicate ending '${verb}'`);
  });
  return Object.entries(counts).map(([module, count]) => `${module} ${count}`).join(', ');
}
