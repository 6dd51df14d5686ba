// node tests/tree/wasm-tests.mjs MODULE... [--only TEXT]: the unit tests as WebAssembly.
//
// Each test runs in a separate instance, because one that fails leaves the module by exit. Tests may reach for more
// of WASI than the core does (files, arguments): those calls answer as a system that has none.
import { randomFillSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { Exit, imports } from '../../apps/wasm/host.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string', default: '' } } });
const EXIT_SKIPPED = 77;
const ERRNO_BADF = 8;
const ERRNO_NOSYS = 52;

const textAt = (memory, at) => {
  const bytes = new Uint8Array(memory.buffer, at);
  return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
};
/** The one thing that tests get beyond WASI: files to read, for test_read_file. */
function readFile(memory, path, at, capacity) {
  try {
    const bytes = readFileSync(textAt(memory, path));
    new Uint8Array(memory.buffer, at).set(bytes.subarray(0, capacity));
    return bytes.length;
  } catch {
    return -1;
  }
}

let count = 0;
let skipped = 0;
const failed = [];
for (const file of positionals) {
  const module = await WebAssembly.compile(readFileSync(file));
  let said = '';
  const fresh = async () => {
    let instance = null;
    const host = imports(() => instance.exports.memory, { write: (fd, text) => (said += text), random: randomFillSync });
    for (const { name } of WebAssembly.Module.imports(module)) {
      host[name] ??= () => (name === 'fd_prestat_get' ? ERRNO_BADF : ERRNO_NOSYS);
    }
    const test = { read_file: (path, at, capacity) => readFile(instance.exports.memory, path, at, capacity) };
    instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: host, test });
    instance.exports._initialize();
    return instance;
  };
  for (let index = 0; ; index++) {
    const instance = await fresh();
    const at = instance.exports.test_wasm_name(index);
    if (at === 0) break;
    const name = textAt(instance.exports.memory, at);
    if (!name.includes(values.only)) continue;
    count += 1;
    said = '';
    try {
      instance.exports.test_wasm_run(index);
    } catch (error) {
      if (error instanceof Exit && error.status === EXIT_SKIPPED) {
        skipped += 1;
        console.log(`skipped: ${name}\n  ${said.trim()}`);
        continue;
      }
      failed.push(`${basename(file)} ${name}`);
      console.error(`${said}${error instanceof Exit ? '' : `${error.stack}\n`}failed: ${basename(file)} ${name}`);
    }
  }
}
console.log(`${count} tests, ${failed.length} failed, ${skipped} skipped`);
process.exit(failed.length === 0 && count > 0 ? 0 : 1);
