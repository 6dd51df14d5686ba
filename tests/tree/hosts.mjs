// Packages come from the registry that the machine is configured for: no file of the tree names one, and lock
// files hold names, versions and checksums only.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fault, files, finish, root } from './tree.mjs';

const registry = /registry\.[a-z0-9-]+\.[a-z]+|--registry|\bregistry\s*=/i;
const all = files('.', (file) => !/\.(png|bin|wasm|ico|woff2)$/.test(file));
let locks = 0;
for (const file of all) {
  const text = readFileSync(join(root, file), 'utf8');
  text.split('\n').forEach((line, i) => {
    if (file !== 'tests/tree/hosts.mjs' && registry.test(line)) fault(`${file}:${i + 1}`, 'names a package registry');
  });
  if (basename(file) === 'package-lock.json') {
    locks += 1;
    const packages = Object.entries(JSON.parse(text).packages ?? {});
    for (const [name, entry] of packages) {
      if (entry.resolved !== undefined && !entry.link) fault(file, `'${name}' has the address that it was fetched from`);
      if (name !== '' && !entry.link && entry.integrity === undefined) fault(file, `'${name}' has no checksum`);
    }
  }
  if (basename(file) === 'package.json') {
    const lock = file.replace('package.json', 'package-lock.json');
    if (!all.includes(lock)) fault(file, 'has no package-lock.json beside it');
  }
}
finish(`${all.length} files, ${locks} lock files, no registry named`);
