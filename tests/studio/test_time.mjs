// Time: playing, stepping, rewinding, forks, parameters, plots, the budget, files.
import assert from "node:assert/strict";
import { join } from "node:path";
import { arrived, download, drop, hashAt, LARGE, marksOf, open, pause, record, scrubTo, SOCCER, text } from "./driver.mjs";
import { shots, tickOf, until, untilGrown } from "./harness.mjs";

export default function (test) {
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

  test("steps pressed while one is under way add up, and a comparison waits for them", async (t) => {
    const page = await open(t, LARGE, "&simulation=flock&set=count%3D300"); // a step of 60 ticks takes several turns of the server
    await pause(page);
    const at = await arrived(page, () => true);
    await page.getByRole("button", { name: "Fork" }).click();
    await page.locator(".views.two").waitFor();
    // All keys at once, before any step can be answered.
    await page.evaluate(() => {
      document.activeElement?.blur();
      const press = (key, shiftKey = false) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));
      for (let i = 0; i < 3; i++) press("ArrowRight", true);
      press("ArrowLeft");
      press("c");
    });
    await page.locator(".found").waitFor();
    await until(page, () => text(page, "#end").then(Number), (end) => end >= at + 179);
    assert.match(await text(page, ".found"), /Parameters, seeds and inputs are the same\..*No decision differs/s);
    assert.deepEqual(page.errors, []);
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

  test("a parameter changes the run; undo and reset bring it back", async (t) => {
    const page = await open(t);
    await page.getByRole("tab", { name: "Parameters" }).click();
    const row = page.locator(".row", { has: page.locator("input.number") }).nth(0);
    const number = row.locator("input.number");
    const before = await number.inputValue();
    const changed = String(Number(before) * 1.5 + 0.5);
    await number.fill(changed);
    await number.press("Enter");
    await number.blur();
    // The run takes it over, and until then the page shows nothing else.
    await row.and(page.locator(".row:not(.pending)")).waitFor();
    await until(page, () => number.inputValue(), (value) => value === changed);
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
    await page.locator(".views.two").waitFor();
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

  test("learning is paused, scrubbed back, forked with another rate and compared", async (t) => {
    const page = await open(t, LARGE, "&simulation=network&seed=3");
    await record(page, 120);
    const end = await tickOf(page);
    const learned = await hashAt(page, end);
    await page.waitForTimeout(500);
    assert.equal(await tickOf(page), end, "a paused learner learns nothing");
    assert.equal(await hashAt(page, end), learned);
    await scrubTo(page, 40);
    const early = await hashAt(page, 40);
    assert.notEqual(early, learned);
    await scrubTo(page, end);
    assert.equal(await hashAt(page, end), learned, "what was learned is the same again");
    await scrubTo(page, 40);
    assert.equal(await hashAt(page, 40), early);
    await page.keyboard.press("f");
    await page.locator(".views.two").waitFor();
    await hashAt(page, 40);
    await page.getByRole("tab", { name: "Parameters" }).click();
    const rate = page.locator(".row", { has: page.locator('label[for="field-trainer.rate"]') }).locator("input.number");
    await until(page, () => rate.inputValue(), (value) => Number(value) === 0.3);
    await rate.fill("0.05");
    await rate.press("Enter");
    await until(page, () => text(page, "#end").then(Number), (last) => last === 40); // another future begins
    await page.getByRole("button", { name: "Compare" }).click();
    await until(page, () => page.locator(".found").count(), (count) => count === 1, 60000);
    await until(page, () => text(page, ".found"), (found) => /rate: A 0\.3\S*, B 0\.05\S*, set at tick 40/.test(found));
    await until(page, () => text(page, ".found"), (found) => /First value that differs, at tick 4\d/.test(found));
    assert.deepEqual(page.errors, []);
  }, "long");

  test("the budget of every frame is in the strip, and overruns are marked", async (t) => {
    const page = await open(t, undefined, "&simulation=scheduler");
    await page.getByRole("tab", { name: "Plots" }).click();
    await page.locator(".load").waitFor();
    await until(page, () => text(page, ".load p"), (load) => /\d+ of \S+ units/.test(load));
    // Fast: at 16 times no tick may be left out.
    await page.getByLabel("Speed", { exact: true }).selectOption("16");
    await untilGrown(page, () => text(page, "#end").then(Number), 400);
    await pause(page);
    const strip = page.locator(".timeline canvas").first();
    const end = Number(await text(page, "#end"));
    await until(page, () => strip.getAttribute("data-costs").then(Number), (costs) => costs === end);
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
    const session = () => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("session"));
    const old = await session();
    await drop(page, recording.name, recording.bytes);
    await until(page, session, (now) => now !== old);
    await until(page, () => text(page, "#end").then(Number), (end) => end === last);
    await until(page, () => marksOf(page), (count) => count > 10); // found by going through it
    await page.keyboard.press("End");
    assert.equal(await hashAt(page, last), hash, "executed again it gives the same state");
  }, "long");
}
