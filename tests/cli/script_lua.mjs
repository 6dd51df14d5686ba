// `ploy script` for files in Lua, as a person uses it.
// usage: node tests/cli/script_lua.mjs PROGRAM yes|no     (whether the component script_lua is built in)
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const program = resolve(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), "ploy-lua-"));
function ploy(...words) {
  const input = typeof words.at(-1) === "object" ? words.pop().input : "";
  const done = spawnSync(program, ["script", ...words], { cwd: folder, encoding: "utf8", input, timeout: 60000 });
  return { status: done.status, out: done.stdout, err: done.stderr };
}
const file = (name, text) => { writeFileSync(join(folder, name), text); return name; };
const tests = [];
const test = (name, run) => tests.push({ name, run });

const miner = file("miner.lua", `gold = 0
for i = 1, 3 do gold = gold + 2; print('gold ' .. gold); coroutine.yield() end
function step(tick) if gold > 4 then gold = 0; print('home at ' .. tick) end end
`);

if (process.argv[3] === "no") {
  test("Lua without the component names the package", () => {
    for (const words of [["run", miner], ["check", miner], ["compile", miner, "x.luac"], ["test", miner], ["audit", miner], ["console"]]) {
      const done = ploy(...words);
      assert.equal(done.status, 2);
      assert.match(done.err, /liblua5\.4-dev/);
    }
  });
} else {
  test("run prints, counts and hashes", () => {
    assert.deepEqual(ploy("run", miner), { status: 0, out: "gold 2\ngold 4\ngold 6\nhome at 4\n", err: "" });
    const json = JSON.parse(ploy("run", miner, "--json", "--ticks", "6").out);
    assert.match(ploy("run", miner, "--profile", "--ticks", "6").err, /\d+ of \d+ lines ran\n/);
    assert.deepEqual([json.status, json.ticks, json.said.length], ["done", 6, 4]);
    assert.match(json.hash, /^[0-9a-f]{16}$/);
    assert.match(json.release, /^Lua 5\.4\.\d+$/);
    assert.ok(json.units > 0 && json.peak_bytes > 10000 && json.peak_bytes < 200000);
    for (let i = 0; i < 3; i++) assert.equal(JSON.parse(ploy("run", miner, "--json", "--ticks", "6").out).hash, json.hash);
    assert.match(ploy("run", miner, "--trace", "--ticks", "2").out, /0: yielded, \d+ units\ngold 4\n1: yielded/);
    const draws = file("draws.lua", "n = math.random(1000000)");
    assert.notEqual(ploy("run", draws, "--state", "--seed", "1").out, ploy("run", draws, "--state", "--seed", "2").out);
    assert.equal(ploy("run", draws, "--state", "--seed", "1").out, ploy("run", draws, "--state", "--seed", "1").out);
  });

  test("limits and run-time errors are status 1", () => {
    const endless = ploy("run", file("endless.lua", "while true do end"), "--budget", "1000", "--ticks", "5", "--json");
    assert.equal(endless.status, 1);
    assert.equal(JSON.parse(endless.out).status, "stopped");
    assert.ok(JSON.parse(endless.out).units <= 6000);
    const sort = ploy("run", file("sort.lua", "table.sort({1, 2}, function() while true do end end)"), "--budget", "1000", "--json");
    assert.equal(JSON.parse(sort.out).status, "limit");
    assert.match(sort.err, /^sort\.lua:1: limit of \d+ units reached/);
    const greedy = ploy("run", file("greedy.lua", "local t = {}\nwhile true do t[#t + 1] = {} end"), "--memory", "500000", "--json");
    assert.equal(greedy.status, 1);
    assert.equal(JSON.parse(greedy.out).status, "memory");
    assert.ok(JSON.parse(greedy.out).peak_bytes <= 500000);
    assert.deepEqual(ploy("run", miner, "--memory", "1"), { status: 2, out: "", err: "ploy: --memory expects 196608 bytes or more for Lua, found '1'\n" });
    const wrong = ploy("run", file("wrong.lua", "local t\n\nprint(t.x)"));
    assert.equal(wrong.status, 1);
    assert.match(wrong.err, /^wrong\.lua:3: attempt to index a nil value \(local 't'\)\n  wrong\.lua:3: in main chunk/);
  });

  test("faulty files are status 2 with line and column", () => {
    const bad = ploy("check", file("bad.lua", "x = 1\ny = = 2\n"));
    assert.equal(bad.status, 2);
    assert.match(bad.err, /bad\.lua:2:\d+: error: unexpected symbol near '='/);
    assert.match(ploy("run", file("power.lua", "x = 2 ^ 0.5\n")).err, /power\.lua:1:7: error: expected 2 after '\^' \(use math\.pow/);
    assert.equal(ploy("run", "missing.lua").status, 2);
    assert.equal(ploy("check", miner).status, 0);
    assert.equal(ploy("run", file("raw.luac", "\x1bLua5")).status, 2);
  });

  test("compile writes what run accepts", () => {
    assert.equal(ploy("compile", miner, "miner.luac").status, 0);
    assert.equal(ploy("run", "miner.luac").out, ploy("run", miner).out);
    assert.equal(ploy("compile", "bad.lua", "bad.luac").status, 2);
    // Neither the source nor code of the other language is overwritten.
    for (const out of ["miner.lua", "miner.plyc", "miner"]) {
      assert.deepEqual(ploy("compile", miner, out), { status: 2, out: "", err: `ploy: expected a .luac file to write, found '${out}'\n` });
    }
    assert.equal(ploy("run", miner).status, 0);
    assert.equal(ploy("compile", "miner.luac", "other.luac").err, "ploy: expected a .ploy or .lua file, found 'miner.luac'\n");
    assert.equal(ploy("dump", miner).err, "ploy: expected a .ploy or .plyc file, found 'miner.lua'\n");
  });

  test("test calls the functions that begin with test", () => {
    const good = file("good.lua", "function test_sum() expect(1 + 1 == 2, 'a sum') end");
    assert.deepEqual(ploy("test", good), { status: 0, out: "ok good.lua\n", err: "" });
    const failing = ploy("test", good, file("fails.lua", "function test_sum() expect(1 + 1 == 3, 'a sum') end function test_b() error('no') end"));
    assert.equal(failing.status, 1);
    assert.match(failing.err, /expected a sum/);
    assert.match(failing.out, /ok good\.lua\nfailed fails\.lua/);
  });

  test("audit compares processes", () => {
    const busy = file("busy.lua", "t = {} for i = 1, 50 do t['k' .. i] = math.random(100) end s = '' for k, v in pairs(t) do s = s .. k .. v end");
    assert.deepEqual(ploy("audit", busy, "--runs", "4"), { status: 0, out: "4 runs, all equal\n", err: "" });
    const varied = ploy("audit", busy, "--vary", "--runs", "2");
    assert.equal(varied.status, 1);
    assert.match(varied.out, /^run 2 differs: s = /);
    assert.deepEqual(JSON.parse(ploy("audit", busy, "--runs", "3", "--json").out), { file: busy, runs: 3, equal: true });
    const different = JSON.parse(ploy("audit", busy, "--vary", "--runs", "2", "--json").out);
    assert.deepEqual([different.equal, different.difference], [false, varied.out.trim()]);
    for (const runs of ["0", "1", "1001"]) {
      assert.deepEqual(ploy("audit", busy, "--runs", runs), { status: 2, out: "", err: `ploy: --runs expects a whole number from 2 to 1000, found '${runs}'\n` });
    }
    assert.equal(ploy("audit", "bad.lua").status, 2);
    assert.equal(ploy("audit", "x.ploy").status, 2);
  });

  test("console prints values and goes on after errors", () => {
    const done = ploy("console", { input: "x = 20\nx + 22\nerror('no')\nfor i = 1, 2 do\nprint(i)\nend\n'end'\n" });
    assert.equal(done.status, 0);
    assert.match(done.out, /^Lua 5\.4\.\d+ in ploy; end with Ctrl-D\n42\n1\n2\nend\n$/);
    assert.match(done.err, /console:1: no/);
  });
}

let failed = 0;
for (const { name, run } of tests) {
  try {
    run();
    console.log(`ok   ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}\n     ${error.stack ?? error}`);
  }
}
rmSync(folder, { recursive: true, force: true });
console.log(`${tests.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 && tests.length > 0 ? 0 : 1);
