// Keys, focus, dialogs, tabs, trees, and what axe-core finds in every view.
import assert from "node:assert/strict";
import { boardClick, choose, drawn, edit, editor, LARGE, listen, open, openHome, pause, plies, record, selectNext, SMALL, SOCCER } from "./driver.mjs";
import { checkAxe } from "./axe.mjs";
import { tickOf, until } from "./harness.mjs";

const focused = (page) => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent);
const focusIs = (page, name) => until(page, () => focused(page), (now) => now === name);

export default function (test) {
  test("shortcuts work wherever the focus is, space plays or pauses, Enter activates", async (t) => {
    const page = await open(t, SMALL, SOCCER);
    const playing = () => page.getByRole("button", { name: "Pause", exact: true }).count();
    // Pressed twice before the first is confirmed, space pauses and plays.
    const begun = await tickOf(page);
    await page.keyboard.press("Space");
    await page.keyboard.press("Space");
    await until(page, () => tickOf(page), (tick) => tick > begun + 60);
    // After a choice in a list its letters are shortcuts again.
    const speed = page.getByLabel("Speed", { exact: true });
    await speed.focus();
    await speed.selectOption("2");
    await selectNext(page);
    const chooser = page.getByLabel("Simulation", { exact: true });
    await chooser.focus();
    await page.keyboard.press("w"); // would be West World
    await drawn(page);
    assert.match(await page.title(), /^Simple Soccer/);
    assert.equal(await chooser.inputValue(), "open:soccer");
    // Space on a button, a list, a box to tick and a tab: always time, never what the control does.
    await page.getByRole("button", { name: "Fork" }).click();
    await page.locator(".views.two").waitFor();
    await page.getByRole("button", { name: "Fork" }).focus();
    await page.keyboard.press("Escape");
    await page.getByText(/^Everybody/).first().waitFor();
    await pause(page);
    for (const locator of [page.getByRole("button", { name: "Fork" }), speed, page.getByLabel("both"), page.getByRole("tab", { name: "State" })]) {
      const before = await playing();
      await locator.focus();
      await page.keyboard.press("Space");
      await until(page, playing, (now) => now !== before);
    }
    assert.equal(await page.locator(".views.two").count(), 1, "it did not fork again");
    assert.ok(await page.getByLabel("both").isChecked());
    // Enter does what the control is for.
    await page.getByLabel("both").focus();
    await page.keyboard.press("Enter");
    await until(page, () => page.getByLabel("both").isChecked(), (checked) => !checked);
    await page.getByRole("button", { name: "Close B" }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".views.two").waitFor({ state: "detached" });
    // In a text all keys are text.
    await page.keyboard.press("5");
    const before = await until(page, () => editor(page).inputValue(), (value) => value.includes("friction"));
    await editor(page).focus();
    await page.keyboard.type("n 1");
    await until(page, () => editor(page).inputValue().then((value) => value.length - before.length), (more) => more === 3);
    assert.deepEqual(page.errors, []);
  });

  test("dialogs take the focus, keep it and give it back; popups close", async (t) => {
    const page = await open(t, SMALL, SOCCER);
    const step = page.getByRole("button", { name: "Step", exact: true });
    await step.focus();
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    for (let i = 0; i < 4; i++) {
      // The browser's own controls are outside the page: then the body has the focus, never something behind.
      assert.ok(await page.evaluate(() => document.activeElement === document.body || document.querySelector("dialog").contains(document.activeElement)));
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await focusIs(page, "Step");
    // About: the whole help text, also where the header has no room for it.
    await page.getByRole("button", { name: "About", exact: true }).click();
    assert.match(await dialog.innerText(), /x to give it back/);
    assert.ok((await dialog.locator(".shows li").count()) > 5);
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
    await focusIs(page, "About");
    // Layers: Esc, a click elsewhere and another simulation close them.
    const layers = page.locator(".layers");
    const button = page.getByRole("button", { name: "Layers" });
    await button.click();
    await layers.waitFor();
    await page.keyboard.press("Escape");
    await layers.waitFor({ state: "detached" });
    await focusIs(page, "Layers");
    await button.click();
    await layers.waitFor();
    await page.locator(".clock").click();
    await layers.waitFor({ state: "detached" });
    await button.click();
    await layers.waitFor();
    await page.getByLabel("Simulation", { exact: true }).selectOption("open:seek");
    await layers.waitFor({ state: "detached" });
    assert.deepEqual(page.errors, []);
  });

  test("tabs and trees have the keys of their patterns", async (t) => {
    const page = await open(t, SMALL, SOCCER);
    await pause(page);
    const tick = await tickOf(page);
    await page.getByRole("tab", { name: "Parameters", exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tab", { name: "State", selected: true }).waitFor();
    await focusIs(page, "State");
    await page.keyboard.press("End");
    await page.getByRole("tab", { name: "Edit", selected: true }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tab", { name: "Parameters", selected: true }).waitFor();
    assert.equal(await page.locator('.panels [role="tab"][tabindex="0"]').count(), 1, "one stop of the Tab key");
    await page.keyboard.press("2");
    const item = page.locator('[role="treeitem"][aria-expanded]');
    await item.first().waitFor();
    await until(page, () => page.locator('.state [role="treeitem"][tabindex="0"]').count(), (count) => count === 1);
    await item.first().focus();
    const name = () => page.evaluate(() => document.activeElement.innerText.split("\n")[0]);
    const first = await name();
    await page.keyboard.press("ArrowLeft");
    await until(page, () => item.first().getAttribute("aria-expanded"), (value) => value === "false");
    await page.keyboard.press("ArrowRight");
    await until(page, () => item.first().getAttribute("aria-expanded"), (value) => value === "true");
    await page.keyboard.press("ArrowRight");
    await until(page, name, (now) => now !== first);
    await page.keyboard.press("ArrowLeft");
    await until(page, name, (now) => now.startsWith(first.slice(0, 4)));
    const child = await name();
    await page.keyboard.press("End");
    const last = await until(page, name, (now) => now !== child);
    await page.keyboard.press("Home");
    const top = await page.locator('[role="treeitem"]').first().innerText();
    await until(page, name, (now) => now !== last && now === top.split("\n")[0]);
    assert.equal(await tickOf(page), tick, "the arrows of a tree do not step");
    assert.deepEqual(page.errors, []);
  });

  test("axe-core finds no serious violation in any view, in both themes", async (t) => {
    const home = await openHome(t);
    await checkAxe(home, "home");
    await home.locator(".shows summary").first().click();
    await home.locator(".shows li a").first().click();
    await home.locator(".reader-text h2").first().waitFor();
    await checkAxe(home, "guide");
    const page = await open(t, LARGE, SOCCER);
    await record(page, 120);
    await page.keyboard.press("1");
    await checkAxe(page, "parameters");
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await checkAxe(page, "help");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Layers" }).click();
    await page.locator(".layers").waitFor();
    await checkAxe(page, "layers");
    await page.keyboard.press("Escape");
    await page.keyboard.press("2");
    await page.locator('[role="treeitem"]').first().waitFor();
    await page.getByRole("button", { name: "Plot speed", exact: true }).first().click();
    await checkAxe(page, "state");
    await page.keyboard.press("4");
    await page.locator(".plots canvas").first().waitFor();
    await checkAxe(page, "plots");
    await selectNext(page);
    await page.keyboard.press("3");
    await page.locator(".why .decision, .why .empty, .link-of-chain").first().waitFor();
    await checkAxe(page, "why");
    await page.keyboard.press("5");
    await editor(page).waitFor();
    await checkAxe(page, "edit");
    await page.keyboard.press("f");
    await page.locator(".views.two").waitFor();
    await checkAxe(page, "two runs");
    assert.deepEqual([...home.errors, ...page.errors], []);
  }, "long");

  test("axe-core finds no serious violation in dialogs, a comparison, the debugger, a level, a board game and without the token", async (t) => {
    const page = await open(t, LARGE, "&simulation=tree&seed=5&panel=edit");
    await page.getByRole("button", { name: "About", exact: true }).click();
    await page.getByRole("dialog").waitFor();
    await checkAxe(page, "about");
    await page.keyboard.press("Escape");
    await edit(page, 'name="rest"', 'name="doze"');
    await page.getByRole("button", { name: "Revert" }).click();
    await page.getByRole("dialog").waitFor();
    await checkAxe(page, "a question");
    await page.getByRole("dialog").getByRole("button", { name: "Discard the edit" }).click();
    await page.keyboard.press("3");
    await record(page, 120);
    await page.keyboard.press("b");
    await page.locator(".views.two").waitFor();
    await page.keyboard.press("c");
    await page.locator(".found").waitFor();
    await checkAxe(page, "a comparison");
    await page.getByRole("button", { name: "Close B" }).click();
    await choose(page, "miner", "A machine in Lua");
    await page.getByRole("tab", { name: "Debug", exact: true }).click();
    await page.locator(".source li").first().waitFor();
    await checkAxe(page, "debugger");
    await choose(page, "level", "Level");
    await page.keyboard.press("5");
    await editor(page).waitFor();
    await checkAxe(page, "level");
    await choose(page, "board", "Board");
    await page.keyboard.press("2");
    await until(page, () => plies(page), (count) => count === 0);
    await boardClick(page, 3.5, 3);
    await until(page, () => plies(page), (count) => count >= 1);
    await checkAxe(page, "board game");
    const guest = await t.newPage({ viewport: SMALL });
    listen(guest);
    await guest.goto(t.server.url.replace(/#.*/, ""));
    await guest.getByText("read only").waitFor();
    await checkAxe(guest, "without the token");
    assert.deepEqual([...page.errors, ...guest.errors], []);
  }, "long");
}
