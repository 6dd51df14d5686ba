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

const tests = [];
const test = (name, run) => tests.push({ name, run });
const text = (page, selector) => page.locator(selector).innerText();
const tickOf = async (page) => Number(await text(page, "#tick"));
const until = async (page, what, want, ms = 20000) => {
  const begun = Date.now();
  for (;;) {
    const got = await what();
    if (want(got)) return got;
    if (Date.now() - begun > ms) throw new Error(`still ${JSON.stringify(got)} after ${ms} ms`);
    await page.waitForTimeout(25);
  }
};
const pause = async (page) => {
  const button = page.getByRole("button", { name: "Pause", exact: true });
  if (await button.count()) await button.click();
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
};
// The hash that belongs to a tick, once the page shows that very tick.
const hashAt = async (page, tick) => {
  await until(page, () => tickOf(page), (now) => now === tick);
  await page.waitForTimeout(150);
  return text(page, "#hash");
};

let server;
const open = async (browser, size = { width: 1280, height: 800 }, address = "") => {
  const page = await browser.newPage({ viewport: size });
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/WebSocket|ERR_CONNECTION/.test(message.text())) page.errors.push(message.text());
  });
  await page.goto(server.url + address);
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

test("a lab plays as soon as the page is open", async (browser) => {
  const page = await open(browser);
  await page.waitForTimeout(800);
  await page.screenshot({ path: join(shots, "studio.png") });
  const first = await tickOf(page);
  await until(page, () => tickOf(page), (tick) => tick > first + 20);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("pause, step and step back move by one tick", async (browser) => {
  const page = await open(browser);
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
  await page.close();
});

test("rewinding to 300 and running to 1000 again gives the same hash", async (browser) => {
  const page = await open(browser);
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
  await page.close();
});

test("an agent is selected by a click and tells its state and why", async (browser) => {
  const page = await open(browser);
  await pause(page);
  await page.keyboard.press("n");
  await page.getByText(/^Agent \d+:\d+/).waitFor();
  await page.locator(".decision").first().waitFor();
  assert.ok((await page.locator(".option.won").count()) > 0, "something won");
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
  await page.close();
});

test("a parameter changes the run; undo and reset bring it back", async (browser) => {
  const page = await open(browser);
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
  await page.close();
});

test("a fork runs on beside the first", async (browser) => {
  const page = await open(browser);
  await pause(page);
  const tick = await tickOf(page);
  const hash = await hashAt(page, tick);
  await page.getByRole("button", { name: "Fork" }).click();
  await page.getByText(/same past/).waitFor();
  assert.equal(await page.locator(".view canvas").count(), 2, "both are on the page");
  assert.equal(await hashAt(page, tick), hash);
  await page.close();
});

test("a game is read: its events are marked, an agent tells its state, ten seconds back are one key", async (browser) => {
  const page = await open(browser, undefined, SOCCER);
  await record(page, 1000);
  assert.ok((await marksOf(page)) > 20, "events, states and decisions are on the timeline");
  await page.keyboard.press("n");
  await page.keyboard.press("n"); // the keeper changes its mind too seldom for what follows
  await page.locator(".chip.now").waitFor();
  await page.locator(".changes li").first().waitFor();
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(shots, "studio-game.png") });
  const at = await tickOf(page);
  await page.keyboard.press("PageUp");
  await hashAt(page, at - 600);
  assert.match(await text(page, ".why .caption"), new RegExp(`tick ${at - 600}`), "the reasons are those of the tick shown");
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
  await page.close();
});

test("two runs are compared to the first decision that differs", async (browser) => {
  const page = await open(browser, undefined, SOCCER);
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
  const tick = Number(/tick (\d+)/.exec(found)?.[1]);
  assert.ok(tick > 200, `${found}: before the edit nothing differs`);
  await hashAt(page, tick);
  assert.equal(await page.locator(".answer").count(), 2, "both tell why");
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
  assert.match(await text(page, ".found"), /First difference at tick \d+/);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a number is plotted over the whole recording", async (browser) => {
  const page = await open(browser, undefined, SOCCER);
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
  await page.close();
});

test("the budget of the frames is a strip and a meter", async (browser) => {
  const page = await open(browser, undefined, "&simulation=scheduler");
  await page.getByRole("tab", { name: "Plots" }).click();
  await page.locator(".load").waitFor();
  assert.match(await text(page, ".load p"), /\d+ of \S+ units/);
  await page.close();
});

test("a behavior tree shows the status of its nodes", async (browser) => {
  const page = await open(browser, undefined, "&simulation=tree");
  await page.keyboard.press("n");
  await page.locator(".bt li").first().waitFor();
  assert.ok((await page.locator(".bt li.running").count()) > 0, "something runs");
  await pause(page);
  await page.waitForTimeout(200);
  await page.screenshot({ path: join(shots, "studio-tree.png") });
  await page.close();
});

test("a person takes over a player by keyboard", async (browser) => {
  const page = await open(browser, undefined, SOCCER);
  await page.keyboard.press("n");
  await page.keyboard.press("n");
  await page.keyboard.press("t");
  await page.getByText("keys to the game").waitFor();
  await page.getByRole("tab", { name: "State" }).click();
  const taken = page.locator(".leaf", { hasText: /^taken/ }).locator(".value");
  await until(page, () => taken.innerText(), (value) => value === "true");
  await page.locator("canvas").first().focus().catch(() => undefined);
  await page.keyboard.press("ArrowRight");
  await until(page, () => page.locator(".leaf", { hasText: /^way/ }).locator(".value").innerText().catch(() => ""), (value) => value === "(1, 0)");
  const tick = await tickOf(page);
  await until(page, () => tickOf(page), (now) => now > tick); // the arrow did not step: the game goes on
  await page.keyboard.press("Escape");
  await page.getByText("keys to the game").waitFor({ state: "detached" });
  await page.close();
});

test("parameters and recordings are saved, and opened by dropping them on the page", async (browser) => {
  const page = await open(browser, undefined, SOCCER);
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
  await until(page, () => text(page, "#end").then(Number), (end) => end === last);
  await until(page, () => marksOf(page), (count) => count > 10); // found by going through it
  await page.keyboard.press("End");
  assert.equal(await hashAt(page, last), hash, "executed again it gives the same state");
  await page.close();
});

test("three pages watch at once, and one may vanish", async (browser) => {
  const pages = await Promise.all([open(browser), open(browser), open(browser)]);
  await pages[1].close({ runBeforeUnload: false });
  for (const page of [pages[0], pages[2]]) {
    const tick = await tickOf(page);
    await until(page, () => tickOf(page), (now) => now > tick + 10);
    await page.close();
  }
});

test("a thousand agents cost under 8 ms of script a frame, and nothing jumps", async (browser) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript(() => {
    window.shift = 0;
    new PerformanceObserver((list) => {
      // As the browser's own score counts: what follows on a key or a click is no surprise.
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(`${server.url}&simulation=flock&set=count%3D1000`);
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
  await until(page, frames, (count) => count >= from + 240, 40000);
  const mean = ((await script()) - before) * 1000 / ((await frames()) - from);
  const median = await page.evaluate(() => Number(document.documentElement.dataset.scriptMs));
  const shift = await page.evaluate(() => window.shift);
  await page.screenshot({ path: join(shots, "studio-crowd.png") });
  console.log(`     1000 agents: ${median.toFixed(2)} ms of script a frame (median), ${mean.toFixed(2)} ms (mean, as Chromium counts); layout shift ${shift}`);
  assert.ok(median > 0.05 && median < 8, `${median} ms`);
  assert.equal(shift, 0);
  await page.close();
});

test("reloading the page finds the simulation again", async (browser) => {
  const page = await open(browser);
  await pause(page);
  await page.waitForTimeout(200);
  const tick = await tickOf(page);
  const hash = await hashAt(page, tick);
  await page.reload();
  await until(page, () => tickOf(page).catch(() => -1), (now) => now === tick);
  assert.equal(await hashAt(page, tick), hash);
  await page.close();
});

test("a page without the token may look but not touch", async (browser) => {
  const owner = await open(browser);
  const page = await browser.newPage();
  await page.goto(server.url.replace(/#.*/, ""));
  await page.getByText("read only").waitFor();
  assert.ok(await page.getByRole("button", { name: /Play|Pause/ }).isDisabled());
  await page.close();
  await owner.close();
});

test("nothing is cut off at 1024 x 640 and at 400 pixels wide", async (browser) => {
  for (const size of [{ width: 1024, height: 640 }, { width: 400, height: 800 }]) {
    const page = await open(browser, size);
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
    await page.close();
  }
});

test("the page says when the server goes away and comes back with it", async (browser) => {
  const page = await open(browser);
  const { port } = server;
  await stop(server);
  await page.locator('[data-notice="lost"]').waitFor();
  await page.screenshot({ path: join(shots, "studio-lost.png") });
  server = await serve(["--port", String(port)]);
  // A new server has a new token: the page goes on looking, and says that it may not touch.
  await page.locator('[data-notice="lost"]').waitFor({ state: "detached", timeout: 20000 });
  await page.close();
});

const wanted = process.argv[4] ?? "";
server = await serve(["--port", "0"]);
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
let passed = 0;
let failed = 0;
for (const { name, run } of tests) {
  if (!name.includes(wanted)) continue;
  const begun = Date.now();
  try {
    await run(browser);
    passed++;
    console.log(`ok   ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}\n     ${error.stack ?? error}`);
    for (const context of browser.contexts()) for (const page of context.pages()) await page.close();
  }
}
await browser.close();
await stop(server);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
