// `ploy tune` and `ploy arena` under mpirun: the number of ranks and workers changes no byte, a lost rank ends the run, and
// its checkpoint continues to the same bytes.
// usage: node tests/cli/ranks.mjs PROGRAM MPIRUN
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [program, mpirun] = process.argv.slice(2).map((path) => resolve(path));
const folder = mkdtempSync(join(tmpdir(), "ploy-ranks-"));
const file = (name) => join(folder, name);

// All on this machine, whoever runs the tests and however few processors there are. Only the loopback is used.
const flags = (ranks) => [...(process.getuid() === 0 ? ["--allow-run-as-root"] : []), "--oversubscribe", "--bind-to", "none", "--mca", "btl", "self,vader",
  "--mca", "oob_tcp_if_include", "lo", "-n", String(ranks)];
const options = { cwd: folder, encoding: "utf8", timeout: 120000, env: { ...process.env, OMPI_MCA_btl_base_warn_component_unused: "0" } };
function run(ranks, words) {
  const done = ranks === 0 ? spawnSync(program, words, options) : spawnSync(mpirun, [...flags(ranks), program, ...words], options);
  return { status: done.status, out: done.stdout, err: done.stderr };
}

const tune = (name, ...more) => ["tune", "soccer", "--vary", "red.comfort_zone,red.min_pass,red.pressing", "--evals", "60", "--ticks", "300", "--seed", "3",
  "--option", "repeats=2", "--checkpoint", file(name + ".check"), "-o", file(name + ".json"), "--verify", "4", "--json", ...more];
const bytes = (name) => [".json", ".check"].map((kind) => readFileSync(file(name + kind), "utf8"));

try {
  const plain = run(0, tune("plain"));
  assert.equal(plain.status, 0, plain.err);
  for (const [ranks, workers] of [[1, 1], [2, 1], [2, 2], [4, 1], [4, 2]]) {
    const name = `r${ranks}w${workers}`;
    const done = run(ranks, tune(name, "--workers", String(workers)));
    assert.equal(done.status, 0, `${name}: ${done.err}`);
    assert.equal(done.out, plain.out, name);
    assert.deepEqual(bytes(name), bytes("plain"), name);
  }
  console.log("ok - tune gives the same bytes with 1, 2 and 4 ranks, 1 and 2 workers");

  // Long enough that a rank can be killed in the middle.
  const lengthy = ["--evals", "160", "--ticks", "900"];
  const whole = run(0, tune("whole", ...lengthy));
  assert.equal(whole.status, 0, whole.err);
  // A rank is killed once there is a checkpoint; mpirun reports it and ends the others.
  const child = spawn(mpirun, [...flags(2), program, ...tune("lost", ...lengthy)], { ...options, stdio: ["ignore", "ignore", "pipe"] });
  let message = "";
  child.stderr.on("data", (text) => { message += text; });
  const ended = new Promise((done) => child.on("exit", (status, signal) => done({ status, signal })));
  const ranksOf = () => readdirSync("/proc").filter((name) => {
    try {
      const [, name_, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, "utf8")) ?? [];
      return /^\d+$/.test(name) && name_ === "ploy" && Number(parent) === child.pid;
    } catch {
      return false;
    }
  });
  while (child.exitCode === null && !existsSync(file("lost.check"))) await new Promise((go) => setTimeout(go, 2));
  const victims = ranksOf().map(Number).sort((a, b) => a - b);
  if (child.exitCode === null && victims.length === 2) process.kill(victims[1], "SIGKILL");
  const end = await ended;
  assert.ok(victims.length === 2, "the run was too short to kill a rank");
  assert.ok(end.status !== 0, "a lost rank must end the run");
  assert.match(message, /rank/i);
  for (const [name, ranks] of [["again", 4], ["alone", 0]]) {
    spawnSync("cp", [file("lost.check"), file(name + ".check")]);
    const resumed = run(ranks, tune(name, ...lengthy, "--resume"));
    assert.equal(resumed.status, 0, resumed.err);
    assert.equal(resumed.out, whole.out);
    assert.deepEqual(bytes(name), bytes("whole"), name);
  }
  console.log("ok - a lost rank ends the run, and its checkpoint continues to the same bytes");

  const arenas = [
    ["arena", "soccer", "default", "min_pass=60", "--games", "6", "--ticks", "300", "--matches", "--json"],
    ["arena", "tictactoe", "level:3", "random", "--games", "20", "--matches", "--json", "--sprt", "0,400"],
  ];
  for (const words of arenas) {
    const one = run(0, words);
    assert.equal(one.status, 0, one.err);
    for (const [ranks, workers] of [[2, 2], [4, 1]]) {
      assert.deepEqual(run(ranks, [...words, "--workers", String(workers)]), one, words.join(" "));
    }
  }
  console.log("ok - arena gives the same output with 2 and 4 ranks");

  // Bad words: one message, and the status of the command itself.
  const bad = run(2, ["tune", "soccer", "--vary", "red.min_pas", "-o", "f"]);
  assert.equal(bad.status, 2);
  assert.equal(bad.err.match(/unknown parameter/g)?.length, 1, bad.err);
  console.log("ok - a mistake is reported once");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
