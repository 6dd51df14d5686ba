// Scenes with height are shown in space: orbit, pan, pick, layers and reasons; flat scenes load nothing for it.
// usage: node tests/studio/space.mjs [PROGRAM] [SCREENSHOT-FOLDER] [PART-OF-A-NAME]
import assert from "node:assert/strict";
import { join } from "node:path";
import { checkAxe } from "./axe.mjs";
import { drawn, openPaused } from "./driver.mjs";
import { launch, PATIENCE, serve, shots, stillThere, stop, Tally, until, WEBGL } from "./harness.mjs";
import { look, SIZES } from "./overlaps.mjs";

const FLAT_SCRIPT_MAX = 300 * 1024; // bytes
const browser = await launch(WEBGL);
let server = await serve();
let page = null;
let scripts = [];
const open = async () => {
  await page?.close();
  page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  page.setDefaultTimeout(PATIENCE);
  scripts = [];
  page.on("response", async (response) => {
    if (/\.js$/.test(new URL(response.url()).pathname)) scripts.push({ path: new URL(response.url()).pathname, bytes: (await response.body().catch(() => Buffer.alloc(0))).length });
  });
};
await open();
const tally = new Tally();
const wanted = process.argv[4] ?? "";
const test = (name, run) =>
  name.includes(wanted) &&
  tally.count(
    name,
    async () => {
      await run();
      assert.deepEqual(page.errors, []);
    },
    async () => {
      server = await stillThere(server);
      await open();
    },
  );
// The flyers in space, paused, once the picture of the last tick is there.
const openFlyers = async () => {
  await openPaused(page, server, "flyers", 60);
  await page.locator(".space canvas.space-canvas").waitFor();
  let last = "";
  await until(page, () => whereIs("1:1"), (at) => {
    const before = last;
    last = JSON.stringify(at);
    return at !== null && last === before;
  });
};
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
const picture = async () => (await page.locator(".view").first().screenshot()).toString("base64");
const whereIs = (agent) => page.evaluate((agent) => document.querySelector(".space")?.space?.whereIs(agent) ?? null, agent);

await test("a flat scene has less than 300 kB of script and no space", async () => {
  scripts = [];
  await openPaused(page, server, "seek", 10);
  assert.equal(await page.locator(".space").count(), 0);
  await until(page, async () => scripts.length, Boolean);
  assert.deepEqual(scripts.map((one) => one.path), ["/app.js"]);
  const bytes = scripts.reduce((sum, one) => sum + one.bytes, 0);
  assert.ok(bytes > 1000 && bytes < FLAT_SCRIPT_MAX, `${bytes} bytes`);
});

await test("flyers are shown in space; dragging turns and moves the scene", async () => {
  await openFlyers();
  await until(page, async () => scripts.some((one) => one.path === "/space.js"), Boolean);
  await page.screenshot({ path: join(shots, "studio-space.png") });
  const before = await picture();
  const first = await whereIs("1:1");
  const box = await page.locator(".space-canvas").boundingBox();
  await page.mouse.move(box.x + 200, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + 320, box.y + 340, { steps: 5 });
  await page.mouse.up();
  const turned = await until(page, () => whereIs("1:1"), (at) => distance(at, first) > 5);
  await until(page, picture, (now) => now !== before);
  await page.mouse.move(box.x + 200, box.y + 300);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(box.x + 260, box.y + 300, { steps: 5 });
  await page.mouse.up({ button: "right" });
  await until(page, () => whereIs("1:1"), (at) => distance(at, turned) > 5);
  await page.getByRole("button", { name: "Show all" }).click();
  await until(page, () => whereIs("1:1"), (at) => distance(at, first) < 30); // the whole scene again
});

await test("an agent is picked in space and tells its reasons", async () => {
  await openFlyers();
  const box = await page.locator(".space-canvas").boundingBox();
  let picked = false;
  for (let i = 0; i <= 20 && !picked; i++) {
    const at = await whereIs(`${i + 1}:1`);
    if (at === null) continue;
    await page.mouse.click(box.x + at[0], box.y + at[1]);
    await drawn(page);
    picked = (await page.locator(".why .caption", { hasText: /Agent \d+:1/ }).count()) > 0;
  }
  assert.ok(picked, "a click on a flyer selects it");
  await page.locator(".decided .option.won").first().waitFor();
  await page.screenshot({ path: join(shots, "studio-space-why.png") });
});

await test("layers are switched off in space, and the flat picture is one button away", async () => {
  await openFlyers();
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
  const colors = () => page.evaluate(() => {
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
  await until(page, colors, (count) => count > 10); // slopes are lit differently
  await page.screenshot({ path: join(shots, "studio-space-terrain.png") });
});

await test("the mesh lab is shown in space: blocks, a walker to pick with its reasons, and a click that sends it", async () => {
  await openPaused(page, server, "navmesh", 60);
  await page.locator(".space-canvas").waitFor();
  const bodyAt = () => page.evaluate(() => document.querySelector(".space").space.bodyAt("1:1"));
  let last = "";
  const at = await until(page, bodyAt, (found) => {
    const before = last;
    last = JSON.stringify(found);
    return found !== null && last === before;
  });
  await page.screenshot({ path: join(shots, "studio-space-navmesh.png") });
  const box = await page.locator(".space-canvas").boundingBox();
  await page.mouse.click(box.x + at[0], box.y + at[1]);
  await page.locator(".why .caption", { hasText: "Agent 1:1" }).waitFor();
  await until(page, () => page.locator(".decided .option").count(), (count) => count >= 2);
  // Where the floor is hit, the command gets x and y of that place: another future begins there.
  const end = () => page.locator("#end").innerText().then(Number);
  await until(page, end, (tick) => tick > 61);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await until(page, end, (tick) => tick === 61);
});

await test("a level from OBJ has its storeys in space; layers, reasons and an edit of the file", async () => {
  await openPaused(page, server, "storeys", 60);
  await page.locator(".space-canvas").waitFor();
  const bodyAt = (agent) => page.evaluate((agent) => document.querySelector(".space").space.bodyAt(agent), agent);
  const at = await until(page, () => bodyAt("3:1"), (found) => found !== null);
  await page.screenshot({ path: join(shots, "studio-space-storeys.png") });
  // One that is under the upper floor cannot be clicked from here; one of the five can.
  const box = await page.locator(".space-canvas").boundingBox();
  assert.ok(at[0] > 0 && at[0] < box.width && at[1] > 0 && at[1] < box.height, "the scene fits the view");
  let picked = false;
  for (let i = 1; i <= 5 && !picked; i++) {
    const place = await bodyAt(`${i}:1`);
    await page.mouse.click(box.x + place[0], box.y + place[1]);
    await drawn(page);
    picked = (await page.locator(".why .caption", { hasText: `Agent ${i}:1` }).count()) > 0;
  }
  assert.ok(picked, "a click on a walker selects it");
  await page.locator(".decided .option", { hasText: "slope 1" }).first().waitFor();
  await page.locator(".decided .option", { hasText: "on this storey" }).first().waitFor();
  const before = await picture();
  await page.getByRole("button", { name: "Layers" }).click();
  await page.getByLabel("world").uncheck();
  await page.getByRole("button", { name: "Layers" }).click();
  await until(page, picture, (now) => now !== before);
  await page.keyboard.press("5");
  await until(page, () => page.locator(".code textarea").inputValue(), (text) => text.includes("f 4 17 18 8"));
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

await test("labels in space leave controls and each other free at three widths", async () => {
  for (const name of ["flyers", "storeys", "terrain", "artillery"]) {
    await page.setViewportSize(SIZES[0]);
    await openPaused(page, server, name, 60);
    await page.locator(".space-canvas").waitFor();
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.waitForFunction((width) => innerWidth === width, size.width);
      await until(page, () => look(page, size.width).then(({ faults }) => faults), (faults) => faults.length === 0);
    }
  }
  await checkAxe(page, "space");
});

await browser.close();
await stop(server);
process.exit(tally.end());
