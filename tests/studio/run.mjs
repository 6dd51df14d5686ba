// The studio in a real browser: what a person would do, through the page's own controls.
// usage: node tests/studio/run.mjs [PROGRAM] [SCREENSHOT-FOLDER]
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const program = resolve(process.argv[2] ?? join(root, "build/ploy"));
const shots = process.argv[3] ? resolve(process.argv[3]) : join(root, "build/screenshots");
mkdirSync(shots, { recursive: true });
const require = createRequire(join(root, "studio/package.json"));
const { chromium } = require("playwright-core");
const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
if (browserPath === undefined) {
  console.error("no Chromium is installed");
  process.exit(1);
}

// Starts the server and waits for the address that it prints.
function serve(extra = []) {
  const child = spawn(program, ["studio", "--json", ...extra], { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((done, fail) => {
    let text = "";
    child.once("error", fail);
    child.once("exit", (code) => fail(new Error(`the server ended with status ${code}`)));
    child.stdout.on("data", (bytes) => {
      text += bytes;
      const line = text.indexOf("\n");
      if (line < 0) return;
      const { url, port } = JSON.parse(text.slice(0, line));
      done({ child, url, port });
    });
  });
}

function stop(server) {
  return new Promise((done) => {
    server.child.removeAllListeners("exit");
    server.child.once("exit", done);
    server.child.kill("SIGTERM");
  });
}

// Tests run several at a time, each worker with a server of its own, the long ones first; those that measure run alone.
const tests = [];
const test = (name, run, kind = "") => tests.push({ name, run, kind });
const text = (page, selector) => page.locator(selector).innerText();
const tickOf = async (page) => Number(await text(page, "#tick"));
const until = async (page, what, want, ms = 20000) => {
  const begun = Date.now();
  for (;;) {
    const got = await what();
    if (want(got)) return got;
    if (Date.now() - begun > ms) throw new Error(`still ${JSON.stringify(got)} after ${ms} ms`);
    await page.waitForTimeout(40);
  }
};
const pause = async (page) => {
  const button = page.getByRole("button", { name: "Pause", exact: true });
  if (await button.count()) await button.click();
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  // A tick that was on its way when the button changed may still arrive: the page draws every 100 ms.
  let last = -1;
  let since = 0;
  await until(page, () => tickOf(page), (tick) => {
    if (tick !== last) since = Date.now();
    last = tick;
    return Date.now() - since > 250;
  });
};
// The hash that belongs to a tick, once the page shows that very tick.
const hashAt = async (page, tick) => {
  await until(page, () => tickOf(page), (now) => now === tick);
  return until(page, () => text(page, "#hash"), (hash) => /^[0-9a-f]{16}$/.test(hash));
};

const LARGE = { width: 1280, height: 800 }; // for pictures of the guide
const SMALL = { width: 1000, height: 600 }; // less to draw
const open = async (t, size = SMALL, address = "") => {
  const page = await t.newPage({ viewport: size });
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/WebSocket|ERR_CONNECTION/.test(message.text())) page.errors.push(message.text());
  });
  await page.goto(`${t.server.url}${address}&rate=10`); // drawing is not what is tested
  await until(page, () => tickOf(page).catch(() => 0), (tick) => tick > 2);
  return page;
};
// Plays fast until that many ticks are recorded, then pauses.
const record = async (page, ticks) => {
  await page.getByLabel("Speed", { exact: true }).selectOption("16");
  await until(page, () => text(page, "#end").then(Number), (end) => end >= ticks, 60000);
  await pause(page);
  await page.waitForTimeout(150);
};
const scrubTo = (page, tick) =>
  page.locator("input.scrub").evaluate((element, value) => {
    element.value = String(value);
    element.dispatchEvent(new Event("input", { bubbles: true }));
  }, tick);
const marksOf = (page) => page.locator(".timeline canvas").first().getAttribute("data-marks").then(Number);
// Drops a file on the page, as from a folder.
const drop = async (page, name, bytes) => {
  const transfer = await page.evaluateHandle(
    ([name, bytes]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], name));
      return transfer;
    },
    [name, [...bytes]],
  );
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
};
const download = async (page, button) => {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button, exact: true }).click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
};
const SOCCER = "&simulation=soccer&seed=3";
const WORKERS = 4;

test("a lab plays as soon as the page is open", async (t) => {
  const page = await open(t, LARGE);
  await page.waitForTimeout(800);
  const first = await tickOf(page);
  await until(page, () => tickOf(page), (tick) => tick > first + 20);
  assert.deepEqual(page.errors, []);
});

test("pause, step and step back move by one tick", async (t) => {
  const page = await open(t);
  await pause(page);
  await page.waitForTimeout(200);
  const at = await tickOf(page);
  await page.getByRole("button", { name: "Step", exact: true }).click();
  const there = await hashAt(page, at + 1);
  await page.getByRole("button", { name: "Step back" }).click();
  const back = await hashAt(page, at);
  assert.notEqual(there, back);
  await page.keyboard.press("ArrowRight");
  assert.equal(await hashAt(page, at + 1), there, "the same tick has the same hash again");
});

test("rewinding to 300 and running to 1000 again gives the same hash", async (t) => {
  const page = await open(t);
  await record(page, 1000);
  const scrub = (tick) => scrubTo(page, tick);
  await scrub(1000);
  const first = await hashAt(page, 1000);
  await scrub(300);
  const middle = await hashAt(page, 300);
  assert.notEqual(first, middle);
  for (let tick = 300; tick < 360; tick += 60) await page.keyboard.press("Shift+ArrowRight");
  await hashAt(page, 360);
  await scrub(1000);
  assert.equal(await hashAt(page, 1000), first);
});

test("an agent is selected by a click and tells its state and why", async (t) => {
  const page = await open(t);
  await pause(page);
  await page.keyboard.press("n");
  await page.getByText(/^Agent \d+:\d+/).waitFor();
  await page.locator(".decision").first().waitFor();
  await page.locator(".option.won").first().waitFor();
  await page.screenshot({ path: join(shots, "studio-why.png") });
  await page.getByRole("tab", { name: "State" }).click();
  await page.locator(".tree .leaf").first().waitFor();
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await page.locator(".value.changed").first().waitFor();
  await page.screenshot({ path: join(shots, "studio-state.png") });
  await page.keyboard.press("Escape");
  await page.getByText(/^Everything/).waitFor();
  // By a click: where the picture shows an agent, the page finds it.
  const found = await page.evaluate(async () => {
    const canvas = document.querySelector(".view canvas");
    const rect = canvas.getBoundingClientRect();
    const context = canvas.getContext("2d");
    const ratio = canvas.width / rect.width;
    const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data;
    const places = [];
    for (let y = 0; y < canvas.height; y += 4) {
      for (let x = 0; x < canvas.width; x += 4) {
        const i = 4 * (y * canvas.width + x);
        const spread = Math.max(pixels[i], pixels[i + 1], pixels[i + 2]) - Math.min(pixels[i], pixels[i + 1], pixels[i + 2]);
        if (spread > 100) places.push([rect.left + x / ratio, rect.top + y / ratio]);
      }
    }
    return places;
  });
  assert.ok(found.length > 0, "the picture has colours");
  let selected = false;
  for (const [x, y] of found.filter((_, i) => i % Math.ceil(found.length / 40) === 0)) {
    await page.mouse.click(x, y);
    await page.waitForTimeout(60);
    if (await page.getByText(/^Agent \d+:\d+/).count()) {
      selected = true;
      break;
    }
  }
  assert.ok(selected, "a click on an agent selects it");
  assert.deepEqual(page.errors, []);
});

test("a parameter changes the run; undo and reset bring it back", async (t) => {
  const page = await open(t);
  await page.getByRole("tab", { name: "Parameters" }).click();
  const row = page.locator(".row", { has: page.locator("input.number") }).nth(0);
  const number = row.locator("input.number");
  const before = await number.inputValue();
  await number.fill(String(Number(before) * 1.5 + 0.5));
  await number.press("Enter");
  await number.blur();
  const changed = await number.inputValue();
  assert.notEqual(changed, before);
  await until(page, () => page.getByRole("button", { name: "Undo" }).isEnabled(), Boolean);
  await page.getByRole("button", { name: "Undo" }).click();
  await until(page, () => number.inputValue(), (value) => value === before);
  await page.getByRole("button", { name: "Redo" }).click();
  await until(page, () => number.inputValue(), (value) => value === changed);
  await page.getByRole("button", { name: "Reset all" }).click();
  await until(page, () => number.inputValue(), (value) => value === before);
  // In the past a change makes another future.
  await pause(page);
  await page.keyboard.press("Home");
  await until(page, () => tickOf(page), (tick) => tick === 0);
  await number.fill(changed);
  await number.press("Enter");
  await until(page, () => text(page, "#end").then(Number), (end) => end === 0);
});

test("a fork is a second simulation beside the first", async (t) => {
  const page = await open(t);
  await pause(page);
  const tick = await tickOf(page);
  const hash = await hashAt(page, tick);
  await page.getByRole("button", { name: "Fork" }).click();
  await page.getByText(/same past/).waitFor();
  assert.equal(await page.locator(".view canvas").count(), 2, "both are on the page");
  assert.equal(await hashAt(page, tick), hash);
  // Driven apart: what the fork does leaves the first where it is.
  await page.getByLabel("both").uncheck();
  await page.keyboard.press("Shift+ArrowRight");
  const forked = await hashAt(page, tick + 60);
  await until(page, () => page.locator(".pane-name").first().innerText(), (name) => name.includes(`tick ${tick}`));
  await page.keyboard.press("o");
  assert.equal(await hashAt(page, tick), hash, "the first has not moved");
  await page.keyboard.press("Shift+ArrowRight");
  assert.equal(await hashAt(page, tick + 60), forked, "and comes to the same by itself");
  // Another parameter in the fork makes another future of it alone.
  await page.keyboard.press("o");
  await hashAt(page, tick + 60);
  await page.getByRole("tab", { name: "Parameters" }).click();
  const number = page.locator(".row", { has: page.locator("input.number") }).nth(0).locator("input.number");
  await number.fill(String(Number(await number.inputValue()) * 1.5 + 0.5));
  await number.press("Enter");
  await number.blur();
  await page.keyboard.press("Shift+ArrowRight");
  const other = await hashAt(page, tick + 120);
  await page.keyboard.press("o");
  await hashAt(page, tick + 60); // the page shows the first again, which did not move
  await page.keyboard.press("Shift+ArrowRight");
  assert.notEqual(await hashAt(page, tick + 120), other);
});

test("a game is read: its events are marked, an agent tells its state, ten seconds back are one key", async (t) => {
  const page = await open(t, LARGE, SOCCER);
  await record(page, 1000);
  await until(page, () => marksOf(page), (count) => count > 20); // events, states and decisions are on the timeline
  await page.keyboard.press("n");
  await page.keyboard.press("n"); // the keeper changes its mind too seldom for what follows
  await page.locator(".chip.now").waitFor();
  await page.locator(".changes li").first().waitFor();
  await scrubTo(page, 860); // the same picture every time
  await hashAt(page, 860);
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(shots, "studio-game.png") });
  await page.keyboard.press("End");
  const at = Number(await text(page, "#end"));
  await hashAt(page, at);
  await page.keyboard.press("PageUp");
  await hashAt(page, at - 600);
  await until(page, () => text(page, ".why .caption"), (caption) => caption.includes(`tick ${at - 600}`)); // the reasons of the tick shown
  // By decision and by event: each goes to a tick that has a mark, and back is not further than forth.
  await page.keyboard.press(".");
  const next = await until(page, () => tickOf(page), (tick) => tick > at - 600);
  await page.keyboard.press(",");
  const back = await until(page, () => tickOf(page), (tick) => tick < next);
  await page.waitForTimeout(200);
  await page.keyboard.press("<");
  const event = await until(page, () => tickOf(page), (tick) => tick < back);
  const timeline = page.locator(".timeline canvas").first();
  const box = await timeline.boundingBox();
  const end = Number(await text(page, "#end"));
  await page.mouse.move(box.x + (event / end) * box.width, box.y + 8);
  await page.locator(".tip").waitFor();
  assert.match(await text(page, ".tip"), new RegExp(`tick ${event} · (event|failed|input)`));
  // A click on the timeline goes there.
  await page.mouse.click(box.x + box.width / 2, box.y + 40);
  await until(page, () => tickOf(page), (tick) => Math.abs(tick - end / 2) < end / 100 + 2);
  assert.deepEqual(page.errors, []);
});

test("two runs are compared to the first decision that differs", async (t) => {
  const page = await open(t, LARGE, SOCCER);
  await record(page, 400);
  await scrubTo(page, 200);
  await hashAt(page, 200);
  await page.keyboard.press("f");
  await page.locator(".views.two").waitFor();
  await page.getByRole("tab", { name: "Parameters" }).click();
  const row = page.locator(".row", { hasText: "max speed m/s" }).locator("input.number");
  await row.fill("4");
  await row.press("Enter");
  await until(page, () => text(page, "#end").then(Number), (end) => end === 200);
  await page.getByRole("button", { name: "Compare" }).click();
  await page.locator(".found").waitFor({ timeout: 30000 });
  const found = await text(page, ".found");
  // From cause to effect: the parameter, the first value that differs, the first decision that differs.
  const causes = await page.locator(".found li").evaluateAll((rows) => rows.map((row) => row.dataset.cause));
  assert.deepEqual(causes, ["parameter", "state", "decision"]);
  const parameter = await text(page, '.found [data-cause="parameter"]');
  assert.match(parameter, /max_speed: A [\d.]+, B 4, set at tick 200/);
  assert.match(await text(page, '.found [data-cause="state"]'), /First value that differs, at tick 20\d: .+: A .+, B .+/);
  const tick = Number(/decision at tick (\d+)/.exec(found)?.[1]);
  assert.ok(tick > 200, `${found}: before the edit nothing differs`);
  await hashAt(page, tick);
  await until(page, () => page.locator(".answer").count(), (count) => count === 2); // both tell why
  await until(page, () => page.locator(".answer .decision").count(), (count) => count > 1);
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(shots, "studio-compare.png") });
  await page.getByRole("button", { name: "Close B" }).click();
  await page.locator(".views.two").waitFor({ state: "detached" });
  // Two seeds.
  await page.keyboard.press("b");
  await page.locator(".views.two").waitFor();
  await page.keyboard.press("c");
  await page.locator(".found").waitFor({ timeout: 30000 });
  assert.match(await text(page, ".found"), /Seeds: A 3, B 4[^]*First different decision at tick \d+/);
  assert.deepEqual(page.errors, []);
}, "long");

test("a number is plotted over the whole recording", async (t) => {
  const page = await open(t, LARGE, SOCCER);
  await record(page, 600);
  await page.getByRole("tab", { name: "State" }).click();
  await page.getByRole("button", { name: "Plot speed", exact: true }).first().click();
  await page.keyboard.press("n");
  await page.getByRole("button", { name: "Plot distance to the ball" }).first().click();
  await page.getByRole("tab", { name: "Plots" }).click();
  const points = page.locator(".plots canvas").nth(1);
  await until(page, () => points.getAttribute("data-points").then(Number), (count) => count > 300);
  await page.waitForTimeout(200);
  await page.screenshot({ path: join(shots, "studio-plots.png") });
  assert.equal(await page.locator(".plots figure").count(), 2);
});

test("the budget of every frame is in the strip, and overruns are marked", async (t) => {
  const page = await open(t, undefined, "&simulation=scheduler");
  await page.getByRole("tab", { name: "Plots" }).click();
  await page.locator(".load").waitFor();
  assert.match(await text(page, ".load p"), /\d+ of \S+ units/);
  await record(page, 400);
  const strip = page.locator(".timeline canvas").first();
  const end = Number(await text(page, "#end"));
  await until(page, () => strip.getAttribute("data-costs").then(Number), (costs) => costs === end); // at 16 times: none is left out
  await until(page, () => strip.getAttribute("data-overruns").then(Number), (count) => count > 5); // ticks that put turns off
  await page.screenshot({ path: join(shots, "studio-budget.png") });
  // In the past another future begins: what came after is not in the strip any more.
  await scrubTo(page, 100);
  await hashAt(page, 100);
  await page.getByRole("tab", { name: "Parameters" }).click();
  const number = page.locator(".row", { hasText: "budget" }).locator("input.number:enabled").first();
  await number.fill(String(Number(await number.inputValue()) + 1));
  await number.press("Enter");
  await until(page, () => strip.getAttribute("data-costs").then(Number), (costs) => costs === 100);
});

test("a behavior tree shows the status of its nodes", async (t) => {
  const page = await open(t, LARGE, "&simulation=tree");
  await page.keyboard.press("n");
  await page.locator(".bt li").first().waitFor();
  await page.locator(".bt li.running").first().waitFor();
  await pause(page);
  await page.waitForTimeout(200);
  await page.screenshot({ path: join(shots, "studio-tree.png") });
});

test("a person takes over a player by keyboard: eight directions, kicks, and gives it back", async (t) => {
  const page = await open(t, undefined, SOCCER);
  await page.keyboard.press("n");
  await page.keyboard.press("n");
  await page.keyboard.press("t");
  await page.getByText("keys to the game").waitFor();
  await page.getByRole("tab", { name: "State" }).click();
  const value = (name) => page.locator(".leaf", { hasText: new RegExp(`^${name}`) }).locator(".value").first().innerText().catch(() => "");
  await until(page, () => value("taken"), (now) => now === "true");
  const ways = [["ArrowRight"], ["ArrowRight", "ArrowUp"], ["ArrowUp"], ["ArrowUp", "ArrowLeft"], ["ArrowLeft"], ["ArrowLeft", "ArrowDown"], ["ArrowDown"], ["ArrowDown", "ArrowRight"]];
  const wanted = ["(1, 0)", "(0.7071, 0.7071)", "(0, 1)", "(-0.7071, 0.7071)", "(-1, 0)", "(-0.7071, -0.7071)", "(0, -1)", "(0.7071, -0.7071)"];
  for (const [i, keys] of ways.entries()) {
    for (const key of keys) await page.keyboard.down(key);
    await until(page, () => value("way"), (now) => now === wanted[i]);
    for (const key of keys) await page.keyboard.up(key);
  }
  await until(page, () => value("wish"), (now) => now === "0"); // nothing held: it stands
  const tick = await tickOf(page);
  await until(page, () => tickOf(page), (now) => now > tick); // the arrows did not step: the game goes on
  // A kick is wished for a second; the log has every key.
  for (const [key, kick] of [["k", "1"], ["p", "2"]]) {
    await page.keyboard.press(key);
    await until(page, () => value("wish to kick"), (now) => now === kick);
  }
  await page.keyboard.press("s");
  await page.keyboard.press("x");
  await until(page, () => value("taken"), (now) => now === "false");
  await page.keyboard.press("Escape");
  await page.getByText("keys to the game").waitFor({ state: "detached" });
  assert.deepEqual(page.errors, []);
});

const editor = (page) => page.locator(".code textarea");
const verdict = (page) => page.locator(".verdict");
// Changes the text as a person who types would, at one place.
const edit = async (page, from, to) => {
  await until(page, () => editor(page).inputValue(), (value) => value.includes(from));
  const value = await editor(page).inputValue();
  await editor(page).fill(value.replace(from, to));
};
const choose = async (page, simulation, title) => {
  await page.getByLabel("Simulation", { exact: true }).selectOption(`open:${simulation}`);
  await page.waitForFunction((title) => document.title.startsWith(title), title);
  await until(page, () => tickOf(page).catch(() => 0), (tick) => tick > 1);
};

test("a definition is edited while it runs, refused with its faults, rewound and replayed", async (t) => {
  const page = await open(t, LARGE, "&simulation=tree&seed=5");
  await page.keyboard.press("5");
  await edit(page, 'seconds="1.0"', 'secs="1.0"');
  await page.locator(".faults li").first().waitFor();
  assert.match(await text(page, ".faults"), /6:\d+\s*.*secs/s);
  assert.match(await text(page, ".gutter .bad"), /^6/);
  assert.ok(await page.getByRole("button", { name: "Apply" }).isDisabled(), "a text with faults is not taken over");
  await page.screenshot({ path: join(shots, "studio-edit.png") });
  await page.locator(".faults .link").first().click(); // to the place
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "TEXTAREA");
  await edit(page, 'secs="1.0"', 'seconds="3.0"');
  await edit(page, 'name="rest"', 'name="doze"');
  await until(page, () => verdict(page).innerText(), (value) => value === "no faults");
  await editor(page).press("Control+Enter");
  await until(page, () => verdict(page).innerText(), (value) => value === "taken over");
  const applied = await tickOf(page);
  await until(page, () => tickOf(page), (tick) => tick > applied + 20);
  assert.match(await editor(page).inputValue(), /name="doze"/);
  await editor(page).press("Escape"); // out of the text: keys are the page's again
  await pause(page);
  const end = Number(await text(page, "#end"));
  await page.keyboard.press("End");
  const hash = await hashAt(page, end);
  await page.keyboard.press("Home");
  await until(page, () => editor(page).inputValue(), (value) => value.includes('name="rest"')); // the old text is back
  await page.keyboard.press("End");
  assert.equal(await hashAt(page, end), hash, "over the edit again: the same state");
  await until(page, () => editor(page).inputValue(), (value) => value.includes('name="doze"'));
  const recording = await download(page, "Save");
  await drop(page, recording.name, recording.bytes);
  await until(page, () => tickOf(page), (tick) => tick === 0);
  await page.keyboard.press("End");
  assert.equal(await hashAt(page, end), hash, "the recording holds the edit");
  // A file of the definition's name, dropped on the page, is the same edit from outside.
  await drop(page, "guard.xml", Buffer.from((await editor(page).inputValue()).replace('name="walk"', 'name="stroll"')));
  await page.getByText(/taken over as guard/).waitFor();
  assert.deepEqual(page.errors, []);
}, "long");

test("every game and lab that is made of texts takes an edited one over", async (t) => {
  const page = await open(t, undefined, "&simulation=machine");
  await page.keyboard.press("5");
  for (const [simulation, title, from, to] of [
    ["machine", "State machine", 'lamp_below(15)', 'lamp_below(40)'],
    ["statechart", "Statechart", "delay='2s'", "delay='1s'"],
    ["fuzzy", "Fuzzy system", "Triangle 25", "Triangle 60"],
    ["rules", "Rules", "(salience 20)", "(salience 40)"],
    ["westworld", "West World", "home -> dig", "home -> drink"],
    ["ghosts", "Maze ghosts", "#.####.#####.#####.####.#", "#.......................#"],
    ["soccer", "Simple Soccer", '"friction": 5.4', '"friction": 6.5'],
  ]) {
    await choose(page, simulation, title);
    await edit(page, from, to);
    await until(page, () => verdict(page).innerText(), (value) => value === "no faults");
    await page.getByRole("button", { name: "Apply" }).click();
    await until(page, () => verdict(page).innerText(), (value) => value === "taken over");
    const tick = await tickOf(page);
    await until(page, () => tickOf(page), (now) => now > tick + 2);
    await page.waitForTimeout(400); // it asks for the text again
    await until(page, () => editor(page).inputValue(), (value) => value.includes(to));
  }
  await page.getByRole("tab", { name: "Parameters" }).click();
  await until(page, () => page.locator(".row", { hasText: "friction" }).locator("input.number").inputValue(), (value) => value === "6.5");
  assert.deepEqual(page.errors, []);
}, "long");

test("a recipe is edited by stages, seen after each, as a sheet of seeds, and walked", async (t) => {
  const page = await open(t, LARGE, "&simulation=recipe&seed=2");
  await page.keyboard.press("5");
  const stages = page.locator(".stages > li");
  await until(page, () => stages.count(), (count) => count === 2);
  const comment = "// Generators in a row";
  assert.match(await editor(page).inputValue(), new RegExp(comment));
  const takenOver = () => until(page, () => verdict(page).innerText(), (value) => value === "taken over");
  // A stage is added, gets a seed and a setting from its field table; the text keeps its comment.
  await page.getByLabel("New generator").selectOption("halton");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await until(page, () => stages.count(), (count) => count === 3);
  await takenOver();
  await page.getByRole("button", { name: "Every stage" }).click();
  const seed = stages.nth(2).locator(".stage-head input");
  await seed.fill("41");
  await page.waitForTimeout(400); // the page is drawn meanwhile, and keeps what is being typed
  assert.equal(await seed.inputValue(), "41");
  await seed.press("Enter");
  await until(page, () => editor(page).inputValue(), (value) => /"generator": "halton", "seed": 41/.test(value));
  await page.getByRole("button", { name: "Settings of stage 1" }).click();
  const guards = page.locator('.stage-settings .row', { hasText: "roles.guards" }).locator("input.number");
  await guards.fill("3");
  await guards.press("Enter");
  await until(page, () => editor(page).inputValue(), (value) => /"roles": \{ "guards": 3 \}/.test(value));
  await takenOver();
  await page.screenshot({ path: join(shots, "studio-recipe.png") });
  await page.getByRole("button", { name: "Reset roles.guards" }).click();
  await until(page, () => editor(page).inputValue(), (value) => !/guards/.test(value));
  await page.getByRole("button", { name: "Settings of stage 1" }).click();
  // Reordered: scatter no longer reads the plan, which is allowed; a landscape's filter without heights is not.
  await page.getByRole("button", { name: "Stage 3 up" }).click();
  await until(page, () => editor(page).inputValue(), (value) => value.indexOf("halton") < value.indexOf("scatter"));
  await takenOver();
  assert.match(await editor(page).inputValue(), new RegExp(comment));
  await page.getByLabel("Generator 2").selectOption("thermal");
  await page.locator(".faults li").first().waitFor();
  assert.match(await text(page, ".faults"), /heights/);
  // The draft outlives a look at another panel, and can be reverted.
  await page.getByRole("tab", { name: "State" }).click();
  await page.getByRole("tab", { name: "Edit" }).click();
  await until(page, () => editor(page).inputValue(), (value) => /thermal/.test(value));
  await page.getByRole("button", { name: "Revert" }).click();
  await until(page, () => editor(page).inputValue(), (value) => /halton/.test(value));
  await page.getByRole("button", { name: "Remove stage 2" }).click();
  await until(page, () => stages.count(), (count) => count === 2);
  await takenOver();
  // The sheet of seeds: a click takes the fourth.
  await page.getByRole("button", { name: "Sheet of seeds" }).click();
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(shots, "studio-recipe-seeds.png") });
  const canvas = await page.locator(".view canvas").first().boundingBox();
  await page.mouse.click(canvas.x + canvas.width * 0.2, canvas.y + canvas.height * 0.5);
  await page.getByRole("tab", { name: "State" }).click();
  const stateOf = (name) => page.locator(`.tree .leaf:has(> .name:text-is("${name}")) > .value`).first().innerText().catch(() => "");
  await until(page, () => stateOf("seed"), (value) => value === "3");
  await page.getByRole("tab", { name: "Edit" }).click();
  // An agent walks on the mesh.
  await page.getByRole("button", { name: "Walk it" }).click();
  await page.getByRole("tab", { name: "State" }).click();
  const first = await until(page, () => stateOf("along"), (value) => Number(value) > 0);
  await until(page, () => stateOf("along"), (value) => value !== first);
  await page.getByRole("tab", { name: "Edit" }).click();
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(shots, "studio-recipe-walk.png") });
  assert.deepEqual(page.errors, []);
}, "long");

test("goals, blackboards, messages, searches and forces have views of their own", async (t) => {
  const page = await open(t, LARGE, "&simulation=goals");
  await page.keyboard.press("n");
  await page.locator(".goals .active").first().waitFor();
  await until(page, () => page.locator(".scores .bar i").count(), (count) => count > 2); // how desirable each strategy is
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(shots, "studio-goals.png") });
  await choose(page, "blackboard", "Blackboard");
  await page.keyboard.press("n");
  await page.locator(".board .fresh").first().waitFor();
  assert.match(await page.locator(".board .fresh .link").first().innerText(), /^\d+$/, "with the tick at which it changed");
  await choose(page, "westworld", "West World");
  await page.keyboard.press("n");
  await page.getByLabel("Speed", { exact: true }).selectOption("16");
  await page.locator(".messages .kind").first().waitFor();
  await until(page, () => page.locator(".messages").innerText(), (value) => /home|company|stew/.test(value));
  await page.keyboard.press("n"); // his wife tells herself about the stew, in a while
  await until(page, () => page.locator(".messages").innerText().catch(() => ""), (value) => /delayed to/.test(value));
  await choose(page, "pathfinder", "Path");
  await page.getByRole("tab", { name: "State" }).click();
  await page.locator(".search .fill").first().waitFor();
  assert.match(await page.locator(".legend-line").first().innerText(), /\d+ closed\s+\d+ open/);
  await choose(page, "soccer", "Simple Soccer");
  await page.getByRole("tab", { name: "Why" }).click();
  await page.keyboard.press("n");
  await page.locator(".forces svg").first().waitFor();
  // All values are still there, as a list.
  await page.locator("summary", { hasText: "steering" }).locator(".plain").click();
  await page.locator(".leaf", { hasText: /^linear/ }).first().waitFor();
  assert.deepEqual(page.errors, []);
}, "long");

test("parameters and recordings are saved, and opened by dropping them on the page", async (t) => {
  const page = await open(t, undefined, SOCCER);
  await record(page, 300);
  const last = Number(await text(page, "#end"));
  await page.keyboard.press("End");
  const hash = await hashAt(page, last);
  const recording = await download(page, "Save");
  assert.equal(recording.name, "soccer-3.ployrec");
  await page.getByRole("tab", { name: "Parameters" }).click();
  const file = await download(page, "Export");
  const values = JSON.parse(file.bytes.toString());
  assert.equal(file.name, "soccer.json");
  assert.equal(values.red.accuracy, 0.99);
  await drop(page, "mine.json", Buffer.from(JSON.stringify({ friction: 6.5, red: { accuracy: 0.5 } })));
  await until(page, () => page.locator(".row", { hasText: "friction" }).locator("input.number").inputValue(), (value) => value === "6.5");
  await drop(page, "cut.ployrec", recording.bytes.subarray(0, recording.bytes.length / 2));
  await page.locator(".notice.error").waitFor();
  await drop(page, recording.name, recording.bytes);
  await page.getByText(/Play or scrub to execute it again/).waitFor(); // until then the page shows the old session
  await until(page, () => text(page, "#end").then(Number), (end) => end === last);
  await until(page, () => marksOf(page), (count) => count > 10); // found by going through it
  await page.keyboard.press("End");
  assert.equal(await hashAt(page, last), hash, "executed again it gives the same state");
}, "long");

test("three pages watch at once, and one may vanish", async (t) => {
  const pages = await Promise.all([open(t), open(t), open(t)]);
  await pages[1].close({ runBeforeUnload: false });
  for (const page of [pages[0], pages[2]]) {
    const tick = await tickOf(page);
    await until(page, () => tickOf(page), (now) => now > tick + 10);
  }
});

test("a thousand agents are drawn, and nothing jumps", async (t) => {
  const page = await t.newPage({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript(() => {
    window.shift = 0;
    window.shifted = [];
    new PerformanceObserver((list) => {
      // As the browser's own score counts: what follows on a key or a click is no surprise.
      for (const entry of list.getEntries()) {
        if (entry.hadRecentInput) continue;
        window.shift += entry.value;
        const rect = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
        for (const one of entry.sources) window.shifted.push(`${one.node?.nodeName} ${one.node?.className ?? one.node?.textContent}: ${rect(one.previousRect)} to ${rect(one.currentRect)}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(`${t.server.url}&simulation=flock&set=count%3D1000`);
  await until(page, () => tickOf(page).catch(() => 0), (tick) => tick > 30);
  const frames = () => page.evaluate(() => Number(document.documentElement.dataset.frames ?? 0));
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  const script = async () => (await client.send("Performance.getMetrics")).metrics.find((one) => one.name === "ScriptDuration").value;
  await page.keyboard.press("3");
  await page.keyboard.press("n");
  await page.getByText(/^Agent \d+:\d+/).waitFor();
  const from = await frames();
  const before = await script();
  await until(page, frames, (count) => count >= from + 180, 40000);
  const mean = ((await script()) - before) * 1000 / ((await frames()) - from);
  const median = await page.evaluate(() => Number(document.documentElement.dataset.scriptMs));
  const shift = await page.evaluate(() => window.shift);
  await page.screenshot({ path: join(shots, "studio-crowd.png") });
  console.log(`     1000 agents: ${median.toFixed(2)} ms of script a frame (median), ${mean.toFixed(2)} ms (mean, as Chromium counts); layout shift ${shift}`);
  assert.ok(median > 0, "the time is measured; it depends on the machine, so it is printed and not judged");
  assert.equal(shift, 0, `moved: ${await page.evaluate(() => window.shifted.join("; "))}`);
}, "alone");

test("everything can be done by keyboard, and the colours are told apart by everybody", async (t) => {
  const page = await open(t, undefined, SOCCER);
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  for (const [key, name] of [["1", "Parameters"], ["2", "State"], ["3", "Why"], ["4", "Plots"], ["5", "Edit"]]) {
    await page.keyboard.press(key);
    await until(page, () => page.getByRole("tab", { name, exact: true }).getAttribute("aria-selected"), (chosen) => chosen === "true");
  }
  await page.keyboard.press("1");
  // Tab goes through every control that is there, and shows where it is.
  const controls = await page.locator("button:not([disabled]):visible, select:not([disabled]):visible").count();
  const seen = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const one = document.activeElement;
      const style = getComputedStyle(one);
      const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
      return { name: one.getAttribute("aria-label") ?? one.textContent ?? one.id, tag: one.tagName, ring };
    });
    if (at.tag === "BODY") break;
    assert.ok(at.ring, `${at.name} shows the focus`);
    seen.add(`${at.tag} ${at.name}`);
  }
  assert.ok(seen.size > 30 && controls > 10, `${seen.size} controls were reached`);
  await page.evaluate(() => document.activeElement?.blur());
  // Okabe and Ito's colours, and greys.
  await page.getByRole("button", { name: "Layers" }).click();
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  const colors = await page.locator(".legend i").evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor.match(/\d+/g).slice(0, 3).map(Number)));
  const safe = [[0, 0, 0], [230, 159, 0], [86, 180, 233], [0, 158, 115], [240, 228, 66], [0, 114, 178], [213, 94, 0], [204, 121, 167]];
  assert.ok(colors.length > 8, "the picture's and the timeline's");
  for (const [r, g, b] of colors) {
    const grey = Math.max(r, g, b) - Math.min(r, g, b) <= 24;
    assert.ok(grey || safe.some(([x, y, z]) => Math.abs(r - x) + Math.abs(g - y) + Math.abs(b - z) <= 6), `rgb(${r}, ${g}, ${b}) is of the palette`);
  }
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.deepEqual(page.errors, []);
});

test("reloading the page finds the simulation again", async (t) => {
  const page = await open(t);
  await pause(page);
  await page.waitForTimeout(200);
  const tick = await tickOf(page);
  const hash = await hashAt(page, tick);
  await page.reload();
  await until(page, () => tickOf(page).catch(() => -1), (now) => now === tick);
  assert.equal(await hashAt(page, tick), hash);
});

test("a page without the token may look but not touch", async (t) => {
  const owner = await open(t);
  const page = await t.newPage();
  await page.goto(t.server.url.replace(/#.*/, ""));
  await page.getByText("read only").waitFor();
  assert.ok(await page.getByRole("button", { name: /Play|Pause/ }).isDisabled());
});

test("nothing is cut off at 1024 x 640 and at 400 pixels wide", async (t) => {
  for (const size of [{ width: 1024, height: 640 }, { width: 400, height: 800 }]) {
    const page = await open(t, size);
    await page.waitForTimeout(500);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(overflow <= 0, `${size.width}: ${overflow} pixels too wide`);
    for (const name of [/Play|Pause/, /^Step$/, "Step back"]) {
      const box = await page.getByRole("button", { name }).boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= size.width && box.y + box.height <= size.height, `${name} is on screen`);
    }
    const view = await page.locator(".view canvas").boundingBox();
    assert.ok(view.height > 150, `the canvas is ${view.height} high`);
    await page.screenshot({ path: join(shots, `studio-${size.width}.png`) });
  }
});

test("the page says when the server goes away and comes back with it", async (t) => {
  const page = await open(t);
  const { port } = t.server;
  await stop(t.server);
  await page.locator('[data-notice="lost"]').waitFor();
  await page.screenshot({ path: join(shots, "studio-lost.png") });
  t.server = await serve(["--port", String(port)]);
  // A new server has a new token: the page goes on looking, and says that it may not touch.
  await page.locator('[data-notice="lost"]').waitFor({ state: "detached", timeout: 20000 });
});

const wanted = process.argv[4] ?? "";
const chosen = tests.filter(({ name }) => name.includes(wanted));
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
let passed = 0;
let failed = 0;
// Takes tests off the list until it is empty. What a test opened is closed after it, whatever became of it.
async function work(list) {
  const t = { server: await serve(["--port", "0"]), pages: [] };
  // The first page of a test is the worker's own, emptied before: a new one costs a process.
  let own = null;
  t.newPage = async (options = { viewport: SMALL }) => {
    const first = !t.taken && own !== null;
    t.taken = true;
    const page = first ? own : await browser.newPage(options);
    if (first) await page.setViewportSize(options.viewport);
    t.pages.push(page);
    return page;
  };
  for (let one = list.shift(); one !== undefined; one = list.shift()) {
    const begun = Date.now();
    try {
      await one.run(t);
      passed++;
      console.log(`ok   ${one.name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed++;
      console.log(`FAIL ${one.name}\n     ${error.stack ?? error}`);
    }
    t.taken = false;
    for (const page of t.pages.splice(0)) {
      own ??= page;
      if (page.isClosed() && page === own) own = null;
      page.removeAllListeners("pageerror");
      page.removeAllListeners("console");
      if (page === own) await page.goto("about:blank").catch(() => (own = null));
      else await page.close().catch(() => undefined);
    }
  }
  await stop(t.server);
}
const together = [...chosen.filter(({ kind }) => kind === "long"), ...chosen.filter(({ kind }) => kind === "")];
await Promise.all(Array.from({ length: WORKERS }, () => work(together)));
await work(chosen.filter(({ kind }) => kind === "alone"));
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
