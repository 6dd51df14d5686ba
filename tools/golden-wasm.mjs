#!/usr/bin/env node
// node tools/golden-wasm.mjs build/wasm/ploy.wasm LAB TICKS SEED WORKERS [LAB TICKS SEED WORKERS]...
//
// The golden program (apps/golden/golden.c) for the WebAssembly build: same arguments, same output. WebAssembly has
// no threads, so WORKERS is not looked at. The module's imports are checked against a short list.
import { randomFillSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { instantiate } from '../apps/wasm/host.mjs';

const [file, ...rows] = process.argv.slice(2);
if (rows.length === 1 && rows[0] === '--components') process.exit(0); // WebAssembly has none
if (file === undefined || rows.length === 0 || rows.length % 4 !== 0) {
  console.error('usage: golden-wasm.mjs MODULE LAB TICKS SEED WORKERS [LAB TICKS SEED WORKERS]...');
  process.exit(2);
}
const instance = await instantiate(await readFile(file), {
  write: (fd, text) => (fd === 2 ? process.stderr : process.stdout).write(text),
  random: randomFillSync,
});
const { memory, ploy_wasm_alloc: alloc, ploy_wasm_free: free, ploy_wasm_golden: golden } = instance.exports;

for (let i = 0; i < rows.length; i += 4) {
  const lab = new TextEncoder().encode(`${rows[i]}\0`);
  const name = alloc(lab.length);
  const hash = alloc(8);
  if (name === 0 || hash === 0) throw new Error('out of memory');
  new Uint8Array(memory.buffer).set(lab, name);
  const result = golden(name, BigInt(rows[i + 1]), BigInt(rows[i + 2]), hash);
  if (result !== 0) {
    console.error(`golden-wasm: ${rows[i]}: result ${result}`);
    process.exit(2);
  }
  // Only now: the call may have grown the memory, which makes older views useless.
  console.log(new DataView(memory.buffer).getBigUint64(hash, true).toString(16).padStart(16, '0'));
  free(name);
  free(hash);
}
