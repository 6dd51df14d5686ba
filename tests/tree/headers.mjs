// Compiles every public header alone as C11, and all of them together as C11 and as C++17 with gcc and clang: each must
// include what it needs, and be clean under the strictest warnings of a user.
import { spawn } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { fault, files, finish, isC, root } from './tree.mjs';

const compilers = [
  ['gcc', ['-std=c11', '-x', 'c', '-Wstrict-prototypes']],
  ['g++', ['-std=c++17', '-x', 'c++']],
  ['clang', ['-std=c11', '-x', 'c', '-Wstrict-prototypes']],
  ['clang++', ['-std=c++17', '-x', 'c++']],
];
const warnings = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Wundef', '-Werror'];

// What a header lacks, it lacks for every compiler, so one asks for each; the others see ploy.h, which includes all.
const work = [
  ...files('include', isC).map((header) => ({ header, compiler: compilers[0] })),
  ...compilers.slice(1).map((compiler) => ({ header: 'include/ploy/ploy.h', compiler })),
];
const total = work.length;

async function worker() {
  for (;;) {
    const next = work.pop();
    if (next === undefined) return;
    const [program, flags] = next.compiler;
    const args = [...flags, ...warnings, '-fsyntax-only', '-Iinclude', '-'];
    await new Promise((resolve) => {
      const child = spawn(program, args, { cwd: root, stdio: ['pipe', 'ignore', 'pipe'] });
      let errors = '';
      child.stderr.on('data', (text) => (errors += text));
      child.on('error', (error) => {
        fault(program, error.message);
        resolve();
      });
      child.on('close', (status) => {
        if (status !== 0) fault(next.header, `alone, with ${program} ${flags[0]}:\n${errors}`);
        resolve();
      });
      // Twice, to see that the second time adds nothing.
      const name = next.header.replace('include/', '');
      child.stdin.end(`#include "${name}"\n#include "${name}"\n`);
    });
  }
}
await Promise.all(Array.from({ length: availableParallelism?.() ?? cpus().length }, worker));
finish(`${total} compilations of headers alone`);
