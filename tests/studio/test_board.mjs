// Board games: Connect Four played to the end by clicks, taken back, asked about, scrubbed; the tree of a search.
import assert from "node:assert/strict";
import { join } from "node:path";
import { boardClick as clickAt, boardValue as value, hashAt, LARGE, open, pause, plies, scrubTo } from "./driver.mjs";
import { shots, tickOf, until } from "./harness.mjs";

const position = (page) => value(page, "position");

export default function (test) {
  test("Connect Four is played to the end, taken back, asked about and scrubbed", async (t) => {
    const page = await open(t, LARGE, "&simulation=board&set=person%3Dfirst&set=level%3D1&set=units%3D5000");
    await page.getByRole("tab", { name: "State" }).click();
    await until(page, () => plies(page), (count) => count === 0);
    // The person plays the columns in turn; the computer answers.
    await clickAt(page, 3.5, 3);
    await until(page, () => plies(page), (count) => count === 2);
    const two = await position(page);
    await clickAt(page, 2.5, 3);
    await until(page, () => plies(page), (count) => count === 4);
    await page.keyboard.press("Backspace");
    await until(page, () => plies(page), (count) => count === 2);
    await until(page, () => position(page), (now) => now === two);
    // Why not the left column? The answer compares it with the best move.
    await page.keyboard.press("w");
    await until(page, () => value(page, "asking"), (asking) => asking === "true");
    await clickAt(page, 0.5, 3);
    await until(page, () => value(page, "answer"), (answer) => /than|better|best|scores/.test(answer));
    assert.equal(await plies(page), 2, "it asked and did not play");
    // The tree: the root's rows, then those of its first move.
    await page.keyboard.press("t");
    await until(page, () => value(page, "node"), (node) => /^\[-inf, inf\]/.test(node));
    await until(page, () => page.locator(".leaf", { hasText: "child" }).allInnerTexts().then((all) => all.join()), (all) => /cut: beta|all moves searched/.test(all));
    const root = await value(page, "node");
    await clickAt(page, 9, 6 - 0.45);
    await until(page, () => value(page, "node"), (node) => node !== root && node !== "");
    await page.screenshot({ path: join(shots, "studio-board.png") });
    await clickAt(page, 9, 6);
    await until(page, () => value(page, "node"), (node) => node === root);
    await page.keyboard.press("t");
    await until(page, () => value(page, "looking"), (looking) => looking === "false");
    // To the end: any column that takes a disc.
    const status = () => value(page, "status");
    const over = (text) => /wins|draw/.test(text);
    for (let column = 0, clicks = 0; !over(await status()) && clicks < 200; column = (column + 1) % 7, clicks++) {
      const before = await plies(page);
      const tick = await tickOf(page);
      await clickAt(page, column + 0.5, 3);
      // Played and answered, or the end, or a full column: then some ticks later nothing has changed.
      await until(page, async () => [await plies(page), await status(), await tickOf(page)], ([count, text, now]) => count >= before + 2 || over(text) || (count === before && now > tick + 40));
    }
    await until(page, status, over);
    const end = await plies(page);
    assert.ok(end >= 7 && end <= 42, `${end} discs`);
    // Scrubbed: the past has fewer discs, the end is the same again.
    await pause(page);
    const last = await tickOf(page);
    const final = await position(page);
    const hash = await hashAt(page, last);
    await scrubTo(page, 3);
    await hashAt(page, 3);
    await until(page, () => plies(page), (count) => count === 0);
    await scrubTo(page, last);
    assert.equal(await hashAt(page, last), hash);
    await until(page, () => position(page), (now) => now === final);
    assert.deepEqual(page.errors, []);
  }, "long");
}
