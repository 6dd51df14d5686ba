#!/usr/bin/env node
// node tools/times.mjs REPORT.xml: how long each entry of a ctest run took, slowest first, from ctest's JUnit report.
// Ends with the line `N passed, N failed, N skipped`.
import { readFileSync } from 'node:fs';

const [file, ...rest] = process.argv.slice(2);
if (file === undefined || rest.length > 0) {
  console.error('usage: times.mjs REPORT.xml');
  process.exit(2);
}
let text;
try {
  text = readFileSync(file, 'utf8');
} catch (error) {
  console.error(`${file}: cannot read the report (${error.code}): run make matrix first`);
  process.exit(2);
}
const entries = [...text.matchAll(/<testcase name="([^"]+)"[^>]*? time="([^"]+)" status="([^"]+)"/g)]
  .map(([, name, time, status]) => ({ name, seconds: Number(time), status }))
  .sort((a, b) => b.seconds - a.seconds || (a.name < b.name ? -1 : 1));
const width = Math.max(5, ...entries.map(({ name }) => name.length));
console.log(`\n${'entry'.padEnd(width)}  seconds  status`);
for (const { name, seconds, status } of entries) {
  console.log(`${name.padEnd(width)}  ${seconds.toFixed(1).padStart(7)}  ${status === 'run' ? 'passed' : status}`);
}
const count = (status) => entries.filter((entry) => entry.status === status).length;
console.log(`\n${count('run')} passed, ${count('fail')} failed, ${entries.length - count('run') - count('fail')} skipped`);
