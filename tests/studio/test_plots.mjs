// Numbers over time: named series with units, several agents, vectors by component, scrubbing, and the table.
import assert from "node:assert/strict";
import { join } from "node:path";
import { download, hashAt, LARGE, open, record, selectNext, SOCCER, text } from "./driver.mjs";
import { shots, tickOf, until } from "./harness.mjs";

const seriesOf = (page, plot) => page.locator(".plots figure").nth(plot).locator(".series li").allInnerTexts();
const canvasOf = (page, plot) => page.locator(".plots canvas").nth(plot);

export default function (test) {
  test("numbers are plotted over the whole recording, with names, units and a time axis", async (t) => {
    const page = await open(t, LARGE, SOCCER);
    await record(page, 600);
    await page.keyboard.press("2");
    await page.getByRole("button", { name: "Plot speed", exact: true }).first().click(); // the ball's
    await selectNext(page);
    await page.getByRole("button", { name: "Plot distance to the ball" }).first().click();
    await selectNext(page);
    await page.getByRole("button", { name: "Plot distance to the ball" }).first().click();
    await page.getByRole("button", { name: "Plot position", exact: true }).first().click();
    await page.keyboard.press("4");
    // Two agents in one plot, and x and y of a vector as two series.
    await until(page, () => page.locator(".plots figure").count(), (count) => count === 3);
    await until(page, () => canvasOf(page, 2).getAttribute("data-points").then(Number), (count) => count > 300);
    const titles = await page.locator(".plots figcaption strong").allInnerTexts();
    assert.match(titles[0], /ball › speed$/);
    assert.deepEqual(titles.slice(1), ["distance to the ball", "position"]);
    await until(page, () => page.locator(".plots figcaption small").allInnerTexts(), (units) => units.join() === "m/s,m,m");
    const matches = (texts, patterns) => texts.length === patterns.length && patterns.every((one, i) => one.test(texts[i]));
    await until(page, () => seriesOf(page, 1), (all) => matches(all, [/red 1 \(1:1\) [\d.]+ m$/, /red 2 \(2:1\) [\d.]+ m$/]));
    await until(page, () => seriesOf(page, 2), (all) => matches(all, [/\bx -?[\d.]+ m$/, /\by -?[\d.]+ m$/]));
    // A third agent joins by the list.
    await page.getByLabel("Add an agent to distance to the ball").selectOption("3:1");
    await until(page, () => seriesOf(page, 1), (all) => all.length === 3 && /3:1.* [\d.]+ m$/.test(all[2]));
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(shots, "studio-plots.png") });
    assert.deepEqual(page.errors, []);

    // A drag over a plot scrubs; with Shift it chooses a part of the time.
    const end = Number(await text(page, "#end"));
    const box = await canvasOf(page, 1).boundingBox();
    const left = box.x + 46;
    const wide = box.width - 46;
    const at = (share) => [left + share * wide, box.y + box.height / 2];
    await page.mouse.move(...at(0.25));
    await page.mouse.down();
    await until(page, () => tickOf(page), (tick) => Math.abs(tick - end / 4) < end / 60);
    await page.mouse.move(...at(0.5), { steps: 4 });
    await until(page, () => tickOf(page), (tick) => Math.abs(tick - end / 2) < end / 60);
    await page.mouse.up();
    await until(page, () => canvasOf(page, 1).getAttribute("aria-valuetext"), (spoken) => /^tick \d+, [\d.]+ s: red 1 \(1:1\) [\d.]+ m, red 2/.test(spoken));
    await page.keyboard.down("Shift");
    await page.mouse.move(...at(0.25));
    await page.mouse.down();
    await page.mouse.move(...at(0.75), { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    for (const plot of [0, 1, 2]) {
      await until(page, () => canvasOf(page, plot).getAttribute("data-from").then(Number), (from) => Math.abs(from - end / 4) < end / 60);
    }
    await page.getByRole("button", { name: "All time" }).click();
    await until(page, () => canvasOf(page, 0).getAttribute("data-to").then(Number), (to) => to === end);

    // The table has the same numbers as the page.
    const file = await download(page, "Export CSV");
    assert.equal(file.name, "soccer-3.csv");
    const [head, ...rows] = file.bytes.toString().trim().split("\n").map((line) => line.split(","));
    assert.equal(head.length, 2 + 1 + 3 + 2);
    assert.deepEqual(head.slice(0, 2), ["tick", "time (s)"]);
    assert.match(head[2], /ball › speed \(m\/s\)$/);
    assert.equal(head[3], "distance to the ball red 1 (1:1) (m)");
    assert.ok(rows.length > 300);
    assert.ok(rows.every((row) => row.length === head.length));
    const tick = await tickOf(page);
    await hashAt(page, tick);
    const row = rows.filter((one) => Number(one[0]) <= tick).pop();
    const shown = async () => Number(/([\d.]+) m$/.exec((await seriesOf(page, 1))[0])[1]);
    await until(page, shown, (now) => Math.abs(Number(row[3]) - now) < 0.001 * Math.max(1, now));
    assert.ok(Math.abs(Number(row[1]) - Number(row[0]) / 60) < 1e-3);
    await page.getByRole("button", { name: "Close the plot of position" }).click();
    await until(page, () => page.locator(".plots figure").count(), (count) => count === 2);
    assert.deepEqual(page.errors, []);
  }, "long");

  test("agents that are not selected are plotted while the run goes on", async (t) => {
    const page = await open(t, LARGE, SOCCER);
    await selectNext(page);
    await page.keyboard.press("2");
    await page.getByRole("button", { name: "Plot distance to the ball" }).first().click();
    await selectNext(page);
    await page.keyboard.press("4");
    const points = () => canvasOf(page, 0).getAttribute("data-points").then(Number);
    const first = await until(page, points, (count) => count > 2);
    await until(page, points, (count) => count > first + 4);
    assert.deepEqual(page.errors, []);
  });
}
