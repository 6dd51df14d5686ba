// The guide's chapter "Your first game": takes the files and commands from the page, runs them in a new folder
// against an installed ploy and compares what they print with the page.
//
//     node tests/tree/first-game.mjs BUILD SCRATCH [--update]
//
// BUILD is a finished build, which is installed into SCRATCH. --update writes the outputs into the page.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const build = resolve(process.argv[2]);
const scratch = resolve(process.argv[3]);
const update = process.argv.includes("--update");
const page = join(root, "docs/guide/first-game.md");

function fail(text) {
  console.error(`docs/guide/first-game.md: ${text}`);
  process.exit(1);
}

function run(program, args, options = {}) {
  const done = spawnSync(program, args, { encoding: "utf8", ...options });
  if (done.status !== 0) fail(`'${program} ${args.join(" ")}' failed with ${done.status}:\n${done.stdout}${done.stderr}`);
  return done;
}

rmSync(scratch, { recursive: true, force: true });
mkdirSync(join(scratch, "home"), { recursive: true });
symlinkSync(root, join(scratch, "ploy"));
run("cmake", ["--install", build, "--prefix", join(scratch, "home/ploy")]);

let folder = scratch;
let environment = { ...process.env, HOME: join(scratch, "home"), CC: process.env.CC ?? "cc" };
delete environment.CMAKE_PREFIX_PATH;

// Runs a block as typed; what it exports and where it ends hold for the next one. Returns what its last line prints.
function typed(block) {
  const lines = block.trimEnd().split("\n");
  let out = "";
  for (const line of lines) {
    const state = join(scratch, "state");
    const script = `set -e\n${line}\n{ pwd; echo "\${CMAKE_PREFIX_PATH-}"; } > ${state}`;
    out = run("bash", ["-c", script], { cwd: folder, env: environment }).stdout;
    const [at, prefix] = readFileSync(state, "utf8").split("\n");
    folder = at;
    if (prefix) environment = { ...environment, CMAKE_PREFIX_PATH: prefix };
  }
  return out;
}

const text = readFileSync(page, "utf8");
const pattern = /(?:<!-- ([^\n]*?) -->\n\n)?```(\w+)\n([^]*?)```\n/g;
let out = "", result = "", last = 0, files = 0, outputs = 0, commands = 0;
for (const match of text.matchAll(pattern)) {
  const [whole, note = "", kind, body] = match;
  result += text.slice(last, match.index);
  last = match.index + whole.length;
  let kept = whole;
  if (note.startsWith("file ")) {
    writeFileSync(join(folder, note.slice(5)), body);
    files++;
  } else if (note === "output") {
    if (update) kept = whole.replace(/```text\n[^]*```\n$/, () => `\`\`\`text\n${out}\`\`\`\n`);
    else if (out !== body) fail(`the output differs\n--- the page has\n${body}--- the program printed\n${out}`);
    outputs++;
  } else if (kind === "sh" && !note.startsWith("not run")) {
    out = typed(body);
    commands++;
  } else if (kind !== "sh") {
    fail(`a block of '${kind}' is neither a file nor an output: ${body.split("\n")[0]}`);
  }
  result += kept;
}
result += text.slice(last);
if (update) writeFileSync(page, result);
if (files < 6 || outputs < 6 || commands < 7) fail(`only ${files} files, ${commands} commands and ${outputs} outputs were found`);
console.log(`${files} files, ${commands} blocks of commands, ${outputs} outputs agree`);
