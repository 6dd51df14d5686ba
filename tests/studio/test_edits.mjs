// Texts that are edited while the simulation runs.
import assert from "node:assert/strict";
import { join } from "node:path";
import { choose, download, drawn, drop, edit, editor, hashAt, LARGE, open, pause, text, verdict } from "./driver.mjs";
import { shots, tickOf, until } from "./harness.mjs";

export default function (test) {
  test("a definition is edited while it runs, refused with its faults, rewound and replayed", async (t) => {
    const page = await open(t, LARGE, "&simulation=tree&seed=5");
    await page.keyboard.press("5");
    await edit(page, 'seconds="1.0"', 'secs="1.0"');
    await page.locator(".faults li").first().waitFor();
    assert.match(await text(page, ".faults"), /6:\d+\s*.*secs/s);
    assert.match(await text(page, ".gutter .bad"), /^6/);
    assert.ok(await page.getByRole("button", { name: "Apply" }).isDisabled(), "a text with faults is not taken over");
    await page.screenshot({ path: join(shots, "studio-edit.png") });
    await page.locator(".faults .link").first().click(); // to the place
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "TEXTAREA");
    await edit(page, 'secs="1.0"', 'seconds="3.0"');
    await edit(page, 'name="rest"', 'name="doze"');
    await until(page, () => verdict(page).innerText(), (value) => value === "no faults");
    await editor(page).press("Control+Enter");
    await until(page, () => verdict(page).innerText(), (value) => value === "taken over");
    const applied = await tickOf(page);
    await until(page, () => tickOf(page), (tick) => tick > applied + 20);
    await until(page, () => editor(page).inputValue(), (value) => value.includes('name="doze"'));
    await editor(page).press("Escape"); // out of the text: keys are the page's again
    await pause(page);
    const end = Number(await text(page, "#end"));
    await page.keyboard.press("End");
    const hash = await hashAt(page, end);
    await page.keyboard.press("Home");
    await until(page, () => editor(page).inputValue(), (value) => value.includes('name="rest"')); // the old text is back
    await page.keyboard.press("End");
    assert.equal(await hashAt(page, end), hash, "over the edit again: the same state");
    await until(page, () => editor(page).inputValue(), (value) => value.includes('name="doze"'));
    const recording = await download(page, "Save");
    await drop(page, recording.name, recording.bytes);
    await until(page, () => tickOf(page), (tick) => tick === 0);
    await page.keyboard.press("End");
    assert.equal(await hashAt(page, end), hash, "the recording holds the edit");
    // A file of the definition's name, dropped on the page, is the same edit from outside.
    const held = await until(page, () => editor(page).inputValue(), (value) => value.includes('name="doze"'));
    await drop(page, "guard.xml", Buffer.from(held.replace('name="walk"', 'name="stroll"')));
    await page.getByText(/taken over as guard/).waitFor();
    // Taken over while it is typed, as soon as it has no faults; with faults it never is.
    await page.keyboard.press("Space"); // it is taken over with the next tick
    await page.getByLabel("as I type").check();
    await edit(page, 'name="stroll"', 'name=stroll"');
    await page.locator(".faults li").first().waitFor();
    await until(page, () => verdict(page).innerText(), (value) => value === "not yet");
    await edit(page, 'name=stroll"', 'name="amble"');
    await until(page, () => verdict(page).innerText(), (value) => value === "taken over");
    assert.deepEqual(page.errors, []);
  }, "long");

  test("every game and lab that is made of texts takes an edited one over", async (t) => {
    const page = await open(t, undefined, "&simulation=machine");
    await page.keyboard.press("5");
    for (const [simulation, title, from, to] of [
      ["machine", "State machine", 'lamp_below(15)', 'lamp_below(40)'],
      ["statechart", "Statechart", "delay='2s'", "delay='1s'"],
      ["fuzzy", "Fuzzy system", "Triangle 25", "Triangle 60"],
      ["rules", "Rules", "(salience 20)", "(salience 40)"],
      ["westworld", "West World", "home -> dig", "home -> drink"],
      ["ghosts", "Maze ghosts", "#.####.#####.#####.####.#", "#.......................#"],
      ["soccer", "Simple Soccer", '"friction": 5.4', '"friction": 6.5'],
    ]) {
      await choose(page, simulation, title);
      await edit(page, from, to);
      await until(page, () => verdict(page).innerText(), (value) => value === "no faults");
      await page.getByRole("button", { name: "Apply" }).click();
      await until(page, () => verdict(page).innerText(), (value) => value === "taken over");
      const tick = await tickOf(page);
      await until(page, () => tickOf(page), (now) => now > tick + 2);
      await page.waitForTimeout(400); // it asks for the text again
      await until(page, () => editor(page).inputValue(), (value) => value.includes(to));
    }
    await page.getByRole("tab", { name: "Parameters" }).click();
    await until(page, () => page.locator(".row", { hasText: "friction" }).locator("input.number").inputValue(), (value) => value === "6.5");
    assert.deepEqual(page.errors, []);
  }, "long");

  test("a recipe is edited by stages, seen after each, as a sheet of seeds, and walked", async (t) => {
    const page = await open(t, LARGE, "&simulation=recipe&seed=2");
    await page.keyboard.press("5");
    const stages = page.locator(".stages > li");
    await until(page, () => stages.count(), (count) => count === 2);
    const comment = "// Generators in a row";
    assert.match(await editor(page).inputValue(), new RegExp(comment));
    const takenOver = () => until(page, () => verdict(page).innerText(), (value) => value === "taken over");
    // A stage is added, gets a seed and a setting from its field table; the text keeps its comment.
    await page.getByLabel("New generator").selectOption("halton");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await until(page, () => stages.count(), (count) => count === 3);
    await takenOver();
    await page.getByRole("button", { name: "Every stage" }).click();
    const seed = stages.nth(2).locator(".stage-head input");
    await seed.fill("41");
    await page.waitForTimeout(400); // the page is drawn meanwhile, and keeps what is being typed
    assert.equal(await seed.inputValue(), "41");
    await seed.press("Enter");
    await until(page, () => editor(page).inputValue(), (value) => /"generator": "halton", "seed": 41/.test(value));
    await page.getByRole("button", { name: "Settings of stage 1" }).click();
    const guards = page.locator('.stage-settings .row', { hasText: "roles.guards" }).locator("input.number");
    await guards.fill("3");
    await guards.press("Enter");
    await until(page, () => editor(page).inputValue(), (value) => /"roles": \{ "guards": 3 \}/.test(value));
    await takenOver();
    await page.screenshot({ path: join(shots, "studio-recipe.png") });
    await page.getByRole("button", { name: "Reset roles.guards" }).click();
    await until(page, () => editor(page).inputValue(), (value) => !/guards/.test(value));
    await page.getByRole("button", { name: "Settings of stage 1" }).click();
    // Reordered: scatter no longer reads the plan, which is allowed; a landscape's filter without heights is not.
    await page.getByRole("button", { name: "Stage 3 up" }).click();
    await until(page, () => editor(page).inputValue(), (value) => value.indexOf("halton") < value.indexOf("scatter"));
    await takenOver();
    assert.match(await editor(page).inputValue(), new RegExp(comment));
    await page.getByLabel("Generator 2").selectOption("thermal");
    await page.locator(".faults li").first().waitFor();
    assert.match(await text(page, ".faults"), /heights/);
    // The draft outlives a look at another panel, and can be reverted.
    await page.getByRole("tab", { name: "State" }).click();
    await page.getByRole("tab", { name: "Edit" }).click();
    await until(page, () => editor(page).inputValue(), (value) => /thermal/.test(value));
    await page.getByRole("button", { name: "Revert" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard the edit" }).click();
    await until(page, () => editor(page).inputValue(), (value) => /halton/.test(value));
    await page.getByRole("button", { name: "Remove stage 2" }).click();
    await until(page, () => stages.count(), (count) => count === 2);
    await takenOver();
    // The sheet of seeds: a click takes the fourth.
    await page.getByRole("button", { name: "Sheet of seeds" }).click();
    await page.getByRole("tab", { name: "State" }).click();
    const stateOf = (name) => page.locator(`.tree .leaf:has(> .name:text-is("${name}")) > .value`).first().innerText().catch(() => "");
    await until(page, () => stateOf("runs"), (value) => value === "9");
    await drawn(page);
    await page.screenshot({ path: join(shots, "studio-recipe-seeds.png") });
    const canvas = await page.locator(".view canvas").first().boundingBox();
    await page.mouse.click(canvas.x + canvas.width * 0.2, canvas.y + canvas.height * 0.5);
    await until(page, () => stateOf("seed"), (value) => value === "3");
    await page.getByRole("tab", { name: "Edit" }).click();
    // An agent walks on the mesh.
    await page.getByRole("button", { name: "Walk it" }).click();
    await page.getByRole("tab", { name: "State" }).click();
    const first = await until(page, () => stateOf("along"), (value) => Number(value) > 0);
    await until(page, () => stateOf("along"), (value) => value !== first);
    await page.getByRole("tab", { name: "Edit" }).click();
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(shots, "studio-recipe-walk.png") });
    assert.deepEqual(page.errors, []);
  }, "long");
}
