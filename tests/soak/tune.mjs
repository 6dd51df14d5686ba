// The tuned soccer team, found again: runs the command that the guide gives (docs/guide/games.md), which may take 2,000
// matches, and compares what it finds with games/soccer/tuned.json. Then 400 matches on seeds that the search has not
// seen, against the shipped team: at least 75 % of the points. About 3 minutes of one core, so only with PLOY_SOAK.
//
//     PLOY_SOAK=2 node tests/soak/tune.mjs PROGRAM
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

if (process.env.PLOY_SOAK === undefined) {
  console.log("skipped: needs PLOY_SOAK");
  process.exit(0);
}
const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const guide = readFileSync(join(root, "docs/guide/games.md"), "utf8");
const line = /^ploy (tune soccer --vary red\.[^\n]*) \\\n +([^\n]*-o tuned\.json)$/m.exec(guide);
if (line === null) throw new Error("docs/guide/games.md has no command that makes tuned.json");
const words = `${line[1]} ${line[2]}`.split(/ +/);
const folder = mkdtempSync(join(tmpdir(), "ploy-tune-"));
try {
  const run = spawnSync(process.argv[2], [...words, "--workers", String(availableParallelism()), "--json"], { cwd: folder, encoding: "utf8" });
  if (run.status !== 0) throw new Error(`ploy ${words.join(" ")}: ${run.stderr}`);
  const outcome = JSON.parse(run.stdout);
  const kept = JSON.parse(readFileSync(join(root, "games/soccer/tuned.json"), "utf8")).red;
  const found = JSON.parse(readFileSync(join(folder, "tuned.json"), "utf8")).red;
  const faults = Object.entries(kept).filter(([name, value]) => found[name] !== value).map(([name, value]) => `${name} is ${found[name]}, kept ${value}`);
  if (!(outcome.evaluations <= 2000)) faults.push(`${outcome.evaluations} matches`);
  if (!(outcome.verified >= 0.75)) faults.push(`a score of ${outcome.verified}`);
  for (const fault of faults) console.log(`FAILED: ${fault}`);
  console.log(`${outcome.evaluations} matches, then ${outcome.verified} of the points in 400 others`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
