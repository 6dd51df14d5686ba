// The level editor: objects over the picture of the running game beside the text; and what the view shows as an input.
import assert from "node:assert/strict";
import { edit, editor, LARGE, open, pause, text, verdict } from "./driver.mjs";
import { tickOf, until } from "./harness.mjs";
import { screenOf, shoot } from "./test_tactics.mjs";

const LAB = [-0.5, -4.5, 20.5, 11.5];
const RAVEN = [0, 0, 44, 32];
const tool = (page, name) => page.getByRole("group", { name: "Objects of the level" }).getByRole("button", { name, exact: true }).click();
const button = (page, name) => page.getByRole("button", { name, exact: true });
const dragBetween = async (page, from, to) => {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 4 });
  await page.mouse.move(...to, { steps: 4 });
  await page.mouse.up();
};
// A number of the description, by the names of its groups.
const described = async (page, groups, name) => {
  for (const group of groups) {
    const toggle = page.locator(".tree [role=treeitem]").filter({ has: page.locator(":scope > .branch .toggle", { hasText: new RegExp(`^.?${group}\\b`) }) }).first();
    if ((await toggle.getAttribute("aria-expanded").catch(() => null)) === "false") await toggle.locator(":scope > .branch .toggle").click();
  }
  return page.locator(".tree .leaf").filter({ has: page.locator(".name", { hasText: new RegExp(`^${name}$`) }) }).first().locator(".value").innerText({ timeout: 2000 }).then(Number, () => NaN);
};
const ready = (page) => until(page, () => editor(page).inputValue().catch(() => ""), (value) => value.includes("wall "));
const taken = (page, want) => until(page, () => editor(page).inputValue(), want).then(() => until(page, () => verdict(page).innerText(), (now) => /taken over|as it runs/.test(now)));

export default function (test) {
  test("objects of a level are added, dragged and deleted in the picture; the text keeps all else", async (t) => {
    const page = await open(t, LARGE, "&simulation=level&panel=edit");
    const before = await ready(page);
    await tool(page, "wall");
    await dragBetween(page, await screenOf(page, LAB, 3, 1), await screenOf(page, LAB, 3, 6));
    await taken(page, (now) => now.includes("\nwall 3 1 3 6\n"));
    await tool(page, "spawn");
    await page.mouse.click(...(await screenOf(page, LAB, 12, 1)));
    await taken(page, (now) => now.includes("\nspawn 12 1\n"));
    await tool(page, "item");
    await page.getByLabel("Kind of item").selectOption("rocket");
    await page.mouse.click(...(await screenOf(page, LAB, 5, 2)));
    await taken(page, (now) => now.includes("\nitem rocket 5 2\n"));
    await tool(page, "trigger");
    await page.mouse.click(...(await screenOf(page, LAB, 5, 8)));
    await taken(page, (now) => /\ntrigger trigger1 circle 5 8 1\.5 do="deactivate trigger1"\n/.test(now));
    await tool(page, "door");
    await dragBetween(page, await screenOf(page, LAB, 3, 7), await screenOf(page, LAB, 3, 9));
    await taken(page, (now) => now.includes("\ndoor door1 3 7 3 9 button 2 8 button 4 8\n"));
    // One end of the new wall is dragged; then the wall is deleted.
    await tool(page, "select");
    await dragBetween(page, await screenOf(page, LAB, 3, 6), await screenOf(page, LAB, 5, 6));
    await taken(page, (now) => now.includes("\nwall 3 1 5 6\n"));
    await shoot(page, "level");
    await page.locator(".level-object strong", { hasText: /^wall, line \d+/ }).waitFor();
    await button(page, "Delete").click();
    await taken(page, (now) => !now.includes("wall 3 1 5 6"));
    assert.ok((await editor(page).inputValue()).startsWith("# Three rooms; the third is closed, and it has an item.\n"));
    // Seven edits back: the text as it was, to the letter.
    for (let i = 0; i < 7; i++) {
      await button(page, "Undo edit").click();
      await until(page, () => verdict(page).innerText(), (now) => /taken over|as it runs/.test(now));
    }
    await until(page, () => editor(page).inputValue(), (now) => now === before);
    assert.deepEqual(page.errors, []);
  });

  test("a fault is shown with its line and column while typing and never reaches the game", async (t) => {
    const page = await open(t, LARGE, "&simulation=level&panel=edit");
    await ready(page);
    await page.getByLabel("as I type").check();
    await edit(page, "spawn 14 9", "spawn 14 x");
    await until(page, () => text(page, ".faults").catch(() => ""), (now) => /^11:10|^\d+:\d+/.test(now.trim()));
    await until(page, () => verdict(page).innerText(), (now) => now === "not yet");
    assert.ok(await button(page, "Apply").isDisabled());
    await edit(page, "spawn 14 x", "spawn 14 8.5");
    await until(page, () => verdict(page).innerText(), (now) => now === "taken over");
    await until(page, () => page.locator(".faults li").count(), (count) => count === 0);
    assert.deepEqual(page.errors, []);
  });

  test("a wall is built during a match of Raven, and the flood of nodes grows again", async (t) => {
    const page = await open(t, LARGE, "&simulation=raven&panel=state");
    const nodes = await until(page, () => described(page, ["state", "level"], "nodes"), (count) => count > 100);
    await page.getByRole("tab", { name: "Edit" }).click();
    const before = await ready(page);
    await page.getByLabel("Speed", { exact: true }).selectOption("0.1"); // it plays on, and the flood lasts half a minute
    await tool(page, "wall");
    await dragBetween(page, await screenOf(page, RAVEN, 10, 4), await screenOf(page, RAVEN, 10, 7));
    await taken(page, (now) => now.includes("\nwall 10 4 10 7\n"));
    await page.getByRole("tab", { name: "State" }).click();
    const first = await until(page, () => described(page, ["state", "level"], "nodes shown"), (count) => count > 0);
    await until(page, () => described(page, ["state", "level"], "nodes shown"), (count) => count > first);
    await page.getByLabel("Speed", { exact: true }).selectOption("1");
    const now = await until(page, () => described(page, ["state", "level"], "nodes"), (count) => count !== nodes && count > 100);
    assert.ok(now < nodes, "nodes at the wall are gone");
    await page.getByRole("tab", { name: "Edit" }).click();
    await shoot(page, "level-raven");
    await button(page, "Undo edit").click();
    await taken(page, (text) => text === before);
    assert.deepEqual(page.errors, []);
  });

  test("what the view shows is a recorded input where a game follows the camera", async (t) => {
    const page = await open(t, LARGE, "&simulation=raven&panel=state");
    const box = await page.locator(".view canvas").first().boundingBox();
    const watching = () => page.locator(".tree .leaf").filter({ has: page.locator(".name", { hasText: /^watching$/ }) }).first().locator(".value").innerText({ timeout: 2000 }).catch(() => "");
    await until(page, () => described(page, ["state"], "wanted"), (count) => count > 0);
    await until(page, watching, (now) => now === "false");
    await page.mouse.move(box.x + 60, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 200, box.y + 260, { steps: 5 });
    await page.mouse.up();
    await until(page, watching, (now) => now === "true");
    await button(page, "Show all").click();
    await until(page, watching, (now) => now === "false");
    // In the past nothing is sent: the record stays as long as it is.
    await pause(page);
    const end = await text(page, "#end");
    await page.keyboard.press("Home");
    await until(page, () => tickOf(page), (tick) => tick === 0);
    await page.mouse.move(box.x + 60, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 200, box.y + 260, { steps: 5 });
    await page.mouse.up();
    await page.waitForTimeout(800); // longer than the page waits before it sends
    assert.equal(await text(page, "#end"), end);
    assert.deepEqual(page.errors, []);
  });
}
