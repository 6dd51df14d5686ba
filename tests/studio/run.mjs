// The studio in a real browser: what a person would do, through the page's own controls.
// usage: node tests/studio/run.mjs [PROGRAM] [SCREENSHOT-FOLDER]
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
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
  const button = page.getByRole("button", { name: "Pause" });
  if (await button.count()) await button.click();
  await page.getByRole("button", { name: "Play" }).waitFor();
};
// The hash that belongs to a tick, once the page shows that very tick.
const hashAt = async (page, tick) => {
  await until(page, () => tickOf(page), (now) => now === tick);
  await page.waitForTimeout(150);
  return text(page, "#hash");
};

let server;
const open = async (browser, size = { width: 1280, height: 800 }) => {
  const page = await browser.newPage({ viewport: size });
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/WebSocket|ERR_CONNECTION/.test(message.text())) page.errors.push(message.text());
  });
  await page.goto(server.url);
  await until(page, () => tickOf(page), (tick) => tick > 2);
  return page;
};

test("a lab plays as soon as the page is open", async (browser) => {
  const page = await open(browser);
  await page.waitForTimeout(1500);
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
  await page.getByLabel("Speed", { exact: true }).selectOption("16");
  await until(page, () => text(page, "#end").then(Number), (end) => end >= 1000, 60000);
  await pause(page);
  const scrub = async (tick) => {
    await page.locator("input.scrub").evaluate((element, value) => {
      element.value = String(value);
      element.dispatchEvent(new Event("input", { bubbles: true }));
    }, tick);
  };
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
    const canvas = document.querySelector("canvas");
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
  assert.equal(await hashAt(page, tick), hash);
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
    const view = await page.locator("canvas").boundingBox();
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
  try {
    await run(browser);
    passed++;
    console.log(`ok   ${name}`);
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
