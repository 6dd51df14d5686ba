// Scenes with height are shown in space: orbit, pan, pick, layers and reasons; flat scenes load nothing for it.
// usage: node tests/studio/space.mjs [PROGRAM] [SCREENSHOT-FOLDER]
import assert from "node:assert/strict";
import { join } from "node:path";
import { launch, openPaused, serve, shots, stop, until } from "./harness.mjs";

const FLAT_SCRIPT_MAX = 300 * 1024; // bytes
const browser = await launch(["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]);
const server = await serve();
const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
let scripts = [];
page.on("response", async (response) => {
  if (/\.js$/.test(new URL(response.url()).pathname)) scripts.push({ path: new URL(response.url()).pathname, bytes: (await response.body().catch(() => Buffer.alloc(0))).length });
});
const errors = [];
page.on("pageerror", (error) => errors.push(String(error)));
let failed = 0;
const test = async (name, run) => {
  try {
    await run();
    console.log(`ok   ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}\n     ${error.stack ?? error}`);
  }
};
const picture = async () => (await page.locator(".view").first().screenshot()).toString("base64");
const whereIs = (agent) => page.evaluate((agent) => document.querySelector(".space").space.whereIs(agent), agent);

await test("a flat scene has less than 300 kB of script and no space", async () => {
  scripts = [];
  await openPaused(page, server, "seek", 10);
  assert.equal(await page.locator(".space").count(), 0);
  assert.deepEqual(scripts.map((one) => one.path), ["/app.js"]);
  const bytes = scripts.reduce((sum, one) => sum + one.bytes, 0);
  assert.ok(bytes > 1000 && bytes < FLAT_SCRIPT_MAX, `${bytes} bytes`);
});

await test("flyers are shown in space; dragging turns and moves the scene", async () => {
  await openPaused(page, server, "flyers", 60);
  await page.locator(".space canvas.space-canvas").waitFor();
  await until(page, () => whereIs("1:1"), (at) => at !== null);
  assert.ok(scripts.some((one) => one.path === "/space.js"));
  await page.screenshot({ path: join(shots, "studio-space.png") });
  const before = await picture();
  const first = await whereIs("1:1");
  const box = await page.locator(".space-canvas").boundingBox();
  await page.mouse.move(box.x + 200, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + 320, box.y + 340, { steps: 5 });
  await page.mouse.up();
  const turned = await whereIs("1:1");
  assert.ok(Math.hypot(turned[0] - first[0], turned[1] - first[1]) > 5, "turned");
  assert.notEqual(await picture(), before);
  await page.mouse.move(box.x + 200, box.y + 300);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(box.x + 260, box.y + 300, { steps: 5 });
  await page.mouse.up({ button: "right" });
  const moved = await whereIs("1:1");
  assert.ok(Math.hypot(moved[0] - turned[0], moved[1] - turned[1]) > 5, "moved");
  await page.getByRole("button", { name: "Show all" }).click();
  const back = await whereIs("1:1");
  assert.ok(Math.hypot(back[0] - first[0], back[1] - first[1]) < 30, "back to the whole scene");
});

await test("an agent is picked in space and tells its reasons", async () => {
  const box = await page.locator(".space-canvas").boundingBox();
  let picked = false;
  for (let i = 0; i <= 20 && !picked; i++) {
    const at = await whereIs(`${i + 1}:1`);
    if (at === null) continue;
    await page.mouse.click(box.x + at[0], box.y + at[1]);
    await page.waitForTimeout(150);
    picked = (await page.locator(".why .caption", { hasText: /Agent \d+:1/ }).count()) > 0;
  }
  assert.ok(picked, "a click on a flyer selects it");
  await page.locator(".decided .option.won").first().waitFor();
  await page.screenshot({ path: join(shots, "studio-space-why.png") });
});

await test("layers are switched off in space, and the flat picture is one button away", async () => {
  const before = await picture();
  await page.getByRole("button", { name: "Layers" }).click();
  await page.getByLabel("paths").uncheck();
  await page.getByRole("button", { name: "Layers" }).click();
  await until(page, picture, (now) => now !== before);
  await page.getByRole("button", { name: "3D" }).click();
  await page.locator(".space").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "3D" }).click();
  await page.locator(".space-canvas").waitFor();
});

await test("terrain has its heights", async () => {
  await openPaused(page, server, "terrain", 120);
  await page.locator(".space-canvas").waitFor();
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(shots, "studio-space-terrain.png") });
  const colors = await page.evaluate(() => {
    const source = document.querySelector(".space-canvas");
    const copy = document.createElement("canvas");
    copy.width = 60;
    copy.height = 40;
    document.querySelector(".space").space.fit();
    copy.getContext("2d").drawImage(source, 0, 0, 60, 40);
    const seen = new Set();
    const data = copy.getContext("2d").getImageData(0, 0, 60, 40).data;
    for (let i = 0; i < data.length; i += 4) seen.add(`${data[i] >> 4},${data[i + 1] >> 4},${data[i + 2] >> 4}`);
    return seen.size;
  });
  assert.ok(colors > 10, `${colors} colours: slopes are lit differently`);
});

await test("shots of artillery fly in space, and the gun is picked there", async () => {
  await openPaused(page, server, "artillery", 90);
  await page.locator(".space-canvas").waitFor();
  const place = () => page.evaluate(() => document.querySelector(".space").space.bodyAt("1:1"));
  const at = await until(page, place, (found) => found !== null);
  await page.screenshot({ path: join(shots, "studio-space-artillery.png") });
  const box = await page.locator(".space-canvas").boundingBox();
  await page.mouse.click(box.x + at[0], box.y + at[1]);
  await page.locator(".why .caption", { hasText: "Agent 1:1" }).waitFor();
});

assert.deepEqual(errors, []);
await browser.close();
await stop(server);
console.log(`${6 - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
