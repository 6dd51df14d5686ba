// The debugger of scripts: breakpoints, steps, watches, coverage and profile, for programs and for Lua.
import assert from "node:assert/strict";
import { join } from "node:path";
import { breakAt, LARGE, open, record, text, watch } from "./driver.mjs";
import { shots, tickOf, until } from "./harness.mjs";

const press = (page, name) => page.getByRole("toolbar", { name: "Debugger" }).getByRole("button", { name, exact: true }).click();
const stopped = (page, want) => until(page, () => text(page, ".debug .place"), (place) => want.test(place) && !place.includes("…"));
const watched = (page, expression) => page.locator(".watches li", { has: page.locator("code", { hasText: expression }) }).locator(".value").innerText();
const local = (page, name) => page.getByLabel("locals", { exact: true }).locator("li", { hasText: new RegExp(`^${name}\\b`) }).innerText();

export default function (test) {
  test("a program is debugged while the game goes on: breakpoint, condition, watch, steps, coverage", async (t) => {
    const page = await open(t, LARGE, "&simulation=script");
    await until(page, () => tickOf(page), (tick) => tick > 60);
    await page.getByRole("tab", { name: "Debug", exact: true }).click();
    await page.locator(".source li", { hasText: "keep gold = 0" }).waitFor();
    await breakAt(page, 5, "gold > 9");
    await watch(page, "gold * 2");
    await press(page, "Continue");
    await stopped(page, /^script:5 in dig, tick \d+, agent 1:1/);
    await until(page, () => page.locator(".source li.here").getAttribute("data-line"), (line) => line === "5");
    await until(page, () => watched(page, "gold * 2"), (value) => value === "24");
    assert.equal(await local(page, "n"), "n 3");
    assert.deepEqual(await page.locator(".stack li button").allInnerTexts(), ["dig", "(outside functions)"]);
    await page.locator(".breaks li.hit").waitFor();
    // The game was never stopped.
    const tick = await tickOf(page);
    await until(page, () => tickOf(page), (now) => now > tick);
    await press(page, "Out");
    await stopped(page, /^script:9, tick/);
    await press(page, "Back");
    await stopped(page, /^script:8, tick/);
    await press(page, "In");
    await stopped(page, /^script:4 in dig, tick/);
    await press(page, "Continue");
    await stopped(page, /^script:5 in dig, tick/);
    await press(page, "Over");
    await stopped(page, /^script:9, tick/);
    // A condition with a fault is named, and the stop stays.
    await breakAt(page, 12, "gold >");
    await press(page, "Continue");
    await until(page, () => text(page, ".debug .place"), (place) => /^script:9/.test(place) && /expected|fault|format/.test(place));
    await page.getByRole("button", { name: "Remove the breakpoint at line 12", exact: true }).click();
    await until(page, () => page.locator(".breaks li").count(), (count) => count === 1);
    // Another script, and what ran of it.
    await press(page, "Count");
    await page.getByText(/\d+ of \d+ lines ran in ticks \d+ to \d+\./).waitFor();
    await until(page, () => page.locator(".source li.ran").count(), (count) => count >= 5);
    await until(page, () => page.locator(".profile tr", { hasText: "script dig" }).locator("td").nth(1).innerText(), (units) => Number(units) > 0);
    await page.getByRole("tab", { name: "crowd", exact: true }).click();
    await until(page, () => page.locator(".source li.ran").count(), (count) => count >= 2);
    await page.getByRole("tab", { name: "script", exact: true }).click();
    await page.getByRole("button", { name: "Leave", exact: true }).click();
    await until(page, () => page.locator(".source li.here, .source li.ran").count(), (count) => count === 0);
    // The panel and its breakpoints are still there after another one was looked at.
    await page.keyboard.press("1");
    await page.locator(".source").waitFor({ state: "detached" });
    await page.keyboard.press("7");
    await until(page, () => page.locator(".line-number[aria-pressed=true]").allInnerTexts(), (lines) => lines.join() === "5");
    assert.deepEqual(page.errors, []);
  });

  test("Lua is debugged in the same panel, back in time too", async (t) => {
    const page = await open(t, LARGE, "&simulation=miner");
    await record(page, 200);
    await page.getByRole("tab", { name: "Debug", exact: true }).click();
    await page.locator(".source li", { hasText: "local strikes" }).waitFor();
    await breakAt(page, 36, "strikes > 7");
    await watch(page, "strikes");
    await press(page, "Continue");
    await stopped(page, /^miner:36 in function at line 32, tick \d+, agent \d:1/);
    await until(page, () => watched(page, "strikes"), (value) => value === "8");
    await press(page, "Back");
    await stopped(page, /^miner:35 in/);
    await until(page, () => watched(page, "strikes"), (value) => value === "7"); // before the line ran
    await press(page, "Over");
    await stopped(page, /^miner:36 in/);
    await press(page, "Count");
    await until(page, () => page.locator(".profile tr", { hasText: "function at line 32" }).locator("td").nth(1).innerText(), (units) => Number(units) > 0);
    await until(page, () => page.locator(".source li.ran[data-line='36'] .runs").innerText(), (runs) => Number(runs) > 7);
    await page.screenshot({ path: join(shots, "studio-debug.png") });
    // To the tick of the stop.
    const tick = Number(await page.locator(".debug .place button").first().innerText());
    await page.locator(".debug .place button").first().click();
    await until(page, () => tickOf(page), (now) => now === tick);
    // Line 12 calls tired: in goes into it, out comes back.
    await page.getByRole("button", { name: "Remove the breakpoint at line 36", exact: true }).click();
    await breakAt(page, 12);
    await page.getByRole("button", { name: "Leave", exact: true }).click();
    await press(page, "Continue");
    await stopped(page, /^miner:12 in/);
    await press(page, "In");
    await stopped(page, /^miner:5 in tired/);
    await until(page, () => page.locator(".stack li").count(), (count) => count === 2);
    assert.deepEqual(page.errors, []);
  });
}
