// Graphs beside texts: edits in either show in the other, keep comments and blank lines, and reach the run only if valid.
import assert from "node:assert/strict";
import { join } from "node:path";
import { checkAxe } from "./axe.mjs";
import { choose, edit, editor, hashAt, LARGE, open, record, scrubTo, selectNext, text, verdict } from "./driver.mjs";
import { shots, tickOf, until } from "./harness.mjs";

const takenOver = (page) => until(page, () => verdict(page).innerText(), (value) => value === "taken over");
const node = (page, title) => page.locator(`.graph .node[data-title="${title}"]`);
const titles = (page) => page.locator(".graph .node").evaluateAll((all) => all.map((one) => one.dataset.title));
const middle = async (locator) => {
  const box = await locator.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};
// Drags with the mouse from the middle of one thing to the middle of another, or so many pixels beside it.
const dragTo = async (page, one, other, dx = 0, dy = 0) => {
  await other.scrollIntoViewIfNeeded();
  await one.scrollIntoViewIfNeeded();
  const from = await middle(one);
  const [x, y] = await middle(other);
  const to = [x + dx, y + dy];
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
  await page.mouse.move(...to, { steps: 3 });
  await page.mouse.up();
};
// What the run has, as the server tells it: the text after a reload of the page.
const textOf = (page) => editor(page).inputValue();

export default function (test) {
  test("a behavior tree is edited as a graph and as a text", async (t) => {
    const page = await open(t, { width: 1440, height: 900 }, "&simulation=tree&seed=5&panel=edit");
    await until(page, () => titles(page), (all) => all.length === 18);
    // From text to graph, with a comment and a blank line that stay.
    const comment = "      <!-- nothing to do -->\n\n";
    await edit(page, '      <ShuffledFallback name="wait">', `${comment}      <ShuffledFallback name="idle">`);
    await node(page, "idle").waitFor();
    await until(page, () => verdict(page).innerText(), (value) => value === "no faults");
    await page.getByRole("button", { name: "Apply" }).click();
    await takenOver(page);
    // Dragged before another one: its lines move in the text, the comment stays.
    await dragTo(page, node(page, "rest"), node(page, "look"), 0, -9);
    await until(page, () => titles(page), (all) => all.indexOf("rest") === all.indexOf("look") - 1);
    await takenOver(page);
    let now = await textOf(page);
    assert.match(now, /        <Act name="rest" seconds="1.5"\/>\n        <Act name="look"/);
    assert.ok(now.includes(comment));
    // Connected: a branch's port dragged to a node makes it a child.
    await dragTo(page, node(page, "idle").locator(".port"), node(page, "rest"));
    await until(page, () => titles(page), (all) => all.indexOf("rest") === all.indexOf("walk") + 1);
    await takenOver(page);
    // Undo and redo, by keys in the graph.
    await node(page, "walk").click();
    await page.keyboard.press("Control+z");
    await until(page, () => titles(page), (all) => all.indexOf("rest") === all.indexOf("look") - 1);
    await page.keyboard.press("Control+Shift+z");
    await until(page, () => titles(page), (all) => all.indexOf("rest") === all.indexOf("walk") + 1);
    await takenOver(page);
    // Moved by keys, a setting changed, a node added, another removed.
    await page.keyboard.press("Alt+ArrowDown");
    await until(page, () => titles(page), (all) => all.indexOf("walk") === all.indexOf("rest") + 1);
    const seconds = page.locator("#graph-seconds");
    await seconds.fill("4.5");
    await seconds.press("Enter");
    await until(page, () => textOf(page), (value) => /name="walk" seconds="4.5"/.test(value));
    await takenOver(page);
    await page.getByLabel("Add a node").selectOption("Act");
    await until(page, () => titles(page), (all) => all.length === 19);
    await page.locator("#graph-name").fill("yawn");
    await page.locator("#graph-name").press("Enter");
    await node(page, "yawn").waitFor();
    await takenOver(page);
    await page.screenshot({ path: join(shots, "studio-graph.png") });
    await node(page, "search").focus();
    await node(page, "search").click();
    await page.keyboard.press("Delete");
    await until(page, () => titles(page), (all) => !all.includes("search") && !all.includes("look") && all.length === 16);
    await takenOver(page);
    now = await textOf(page);
    assert.ok(now.includes(comment), "the comment and the blank line are still there");
    // The run has what the page shows: it goes on with the new tree.
    const tick = await tickOf(page);
    await until(page, () => tickOf(page), (later) => later > tick + 20);
    await until(page, () => textOf(page), (value) => value === now);
    // The place in the text chooses the node.
    await editor(page).evaluate((area) => {
      area.focus();
      const at = area.value.indexOf('name="charge"');
      area.setSelectionRange(at, at);
    });
    await until(page, () => page.locator(".graph .chosen").getAttribute("data-title").catch(() => ""), (title) => title === "charge");
    // What is not valid never reaches the run: the fault is shown and the text stays a draft.
    await node(page, "charge").click();
    await page.locator("#graph-seconds").fill("soon");
    await page.locator("#graph-seconds").press("Enter");
    await page.locator(".faults li").first().waitFor();
    await until(page, () => verdict(page).innerText(), (value) => value === "not yet");
    const before = await tickOf(page);
    await until(page, () => tickOf(page), (later) => later > before + 10);
    await page.getByRole("button", { name: "Revert" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard the edit" }).click();
    await until(page, () => textOf(page), (value) => value === now);
    // A text that is not well-formed leaves the graph as it was, and locked.
    await edit(page, "</root>", "</roo>");
    await page.getByText("not well-formed").waitFor();
    assert.equal((await titles(page)).length, 16);
    assert.ok(await page.getByLabel("Add a node").isDisabled());
    assert.deepEqual(page.errors, []);
  }, "long");

  test("fuzzy sets are edited by dragging their corners", async (t) => {
    const page = await open(t, LARGE, "&simulation=fuzzy&panel=edit");
    const corner = (name) => page.locator(`.corner[data-corner="${name}"]`);
    await corner("distance medium 1").waitFor();
    const mark = "  # where it begins to be far\n";
    await edit(page, "  term: far Trapezoid", `${mark}  term: far Trapezoid`);
    await until(page, () => verdict(page).innerText(), (value) => value === "no faults");
    await page.getByRole("button", { name: "Apply" }).click();
    await takenOver(page);
    const box = await page.locator(".fuzzy-graph svg").first().boundingBox();
    const wide = (box.width * (440 - 52)) / 440;
    await dragTo(page, corner("distance medium 1"), corner("distance medium 1"), (50 / 400) * wide, 0);
    const moved = await until(page, () => textOf(page), (value) => !/medium Triangle 25 150 300/.test(value));
    const value = Number(/medium Triangle 25 (\S+) 300/.exec(moved)[1]);
    assert.ok(Math.abs(value - 200) <= 4, `${value} is where it was dropped`);
    assert.ok(moved.includes(mark), "comments stay");
    await takenOver(page);
    // It stops at the corner beside it, and goes by keys; the text moves it too.
    await dragTo(page, corner("distance medium 1"), corner("distance medium 1"), wide, 0);
    await until(page, () => textOf(page), (now) => /medium Triangle 25 300 300/.test(now));
    await corner("distance medium 1").focus();
    await page.keyboard.press("ArrowLeft");
    await until(page, () => textOf(page), (now) => /medium Triangle 25 299 300/.test(now));
    await takenOver(page);
    await page.keyboard.press("Control+z");
    await until(page, () => textOf(page), (now) => /medium Triangle 25 300 300/.test(now));
    await takenOver(page);
    const before = await corner("ammo okay 1").getAttribute("cx");
    await edit(page, "okay Triangle 0 10 30", "okay Triangle 0 20 30");
    await until(page, () => corner("ammo okay 1").getAttribute("cx"), (now) => Number(now) > Number(before));
    await page.screenshot({ path: join(shots, "studio-fuzzy.png") });
    assert.deepEqual(page.errors, []);
  });

  test("a statechart is edited as a graph and as a text", async (t) => {
    const page = await open(t, { width: 1440, height: 900 }, "&simulation=statechart&panel=edit");
    await until(page, () => page.locator(".graph .state-row").count(), (count) => count === 12);
    const comment = "      <!-- the disk is slow -->\n\n";
    await edit(page, "      <state id='saving'>", `${comment}      <state id='saving'>`);
    await until(page, () => verdict(page).innerText(), (value) => value === "no faults");
    await page.getByRole("button", { name: "Apply" }).click();
    await takenOver(page);
    // Connected: from a state's port to another state.
    await dragTo(page, node(page, "settings").locator(".port"), node(page, "game"), -60);
    await until(page, () => textOf(page), (now) => /<state id='settings'><transition event='back' target='menu'\/><transition event='change' target='game'\/><\/state>/.test(now));
    await takenOver(page);
    await page.locator("#graph-event").fill("skip");
    await page.locator("#graph-event").press("Enter");
    await node(page, "skip → game").waitFor();
    await takenOver(page);
    // The arrow led elsewhere, by dragging the transition to another state.
    await dragTo(page, node(page, "skip → game"), node(page, "saving"), -60);
    await node(page, "skip → saving").waitFor();
    await takenOver(page);
    // A new state, renamed with all that leads to it.
    await node(page, "settings").click({ position: { x: 40, y: 12 } });
    await page.getByRole("button", { name: "+ state" }).click();
    await node(page, "new").waitFor();
    await takenOver(page);
    await dragTo(page, node(page, "menu").locator(".port"), node(page, "new"), -60);
    await node(page, "change → new").waitFor();
    await takenOver(page);
    await node(page, "new").click({ position: { x: 40, y: 12 } });
    await page.locator("#graph-id").fill("credits");
    await page.locator("#graph-id").press("Enter");
    await node(page, "change → credits").waitFor();
    await takenOver(page);
    await page.screenshot({ path: join(shots, "studio-chart.png") });
    let now = await textOf(page);
    assert.ok(now.includes(comment), "the comment and the blank line are still there");
    assert.match(now, /<state id='credits'\/>/);
    // Into another state by dragging; removed with what leads there; back by undo.
    await dragTo(page, node(page, "credits"), node(page, "game"), 0);
    await until(page, () => textOf(page), (value) => value.indexOf("id='credits'") > value.indexOf("id='where'") && value.indexOf("id='credits'") < value.indexOf("id='saving'"));
    await takenOver(page);
    await node(page, "credits").click({ position: { x: 40, y: 12 } });
    await page.keyboard.press("Delete");
    await until(page, () => textOf(page), (value) => !/credits/.test(value));
    await takenOver(page);
    await page.getByRole("button", { name: "Undo edit" }).click();
    await until(page, () => textOf(page), (value) => /credits/.test(value));
    await takenOver(page);
    // From text to graph, and what is not valid stays out of the run.
    await edit(page, "target='calm'", "target='clam'");
    await page.locator(".faults li").first().waitFor();
    assert.match(await text(page, ".faults"), /calm/);
    const tick = await tickOf(page);
    await until(page, () => tickOf(page), (later) => later > tick + 10);
    await page.getByRole("button", { name: "Revert" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard the edit" }).click();
    now = await until(page, () => textOf(page), (value) => !/clam/.test(value));
    assert.ok(now.includes(comment));
    assert.deepEqual(page.errors, []);
  }, "long");

  test("values of a blackboard are edited in place", async (t) => {
    const page = await open(t, LARGE, "&simulation=tree&seed=5&set=events_on%3Dfalse");
    await selectNext(page);
    await page.keyboard.press("2");
    const hurt = page.getByRole("checkbox", { name: "hurt" });
    await hurt.waitFor();
    const foe = await page.getByRole("checkbox", { name: "foe" }).isChecked();
    assert.ok(!(await hurt.isChecked()));
    await hurt.focus();
    await page.keyboard.press("Enter");
    // The guard takes it over: it hides and heals.
    await until(page, () => page.locator(".bt li.running, [role=treeitem]").allInnerTexts(), () => true);
    await page.keyboard.press("3");
    await until(page, () => text(page, ".why"), (why) => /hide|heal/.test(why));
    assert.equal(foe, false, "and nothing else was changed");
    await choose(page, "blackboard", "Blackboard");
    await selectNext(page);
    await page.keyboard.press("2");
    const goal = page.locator("#board-goal");
    await goal.waitFor();
    assert.equal(await page.locator("#board-at").count(), 0, "where the tank is belongs to the agent, not to the board");
    // Between two turns of the crew, so that none of them writes another one at once.
    await record(page, 20);
    await scrubTo(page, 14);
    await hashAt(page, 14);
    await goal.fill("3, nonsense");
    await goal.press("Enter");
    await page.getByText(/is not a vector/).waitFor();
    await goal.fill("3, 4");
    await goal.press("Enter");
    await page.locator("#board-goal").blur();
    await page.keyboard.press("ArrowRight");
    await until(page, () => goal.inputValue(), (value) => /^\(3, 4\)$/.test(value));
    assert.deepEqual(page.errors, []);
  });

  test("axe-core finds no serious violation in graphs and boards", async (t) => {
    const page = await open(t, LARGE, "&simulation=tree&panel=edit");
    await node(page, "walk").click();
    await checkAxe(page, "tree");
    for (const [simulation, title, key, selector] of [
      ["statechart", "Statechart", "5", ".graph .state-row"],
      ["fuzzy", "Fuzzy", "5", ".fuzzy-graph .corner"],
      ["blackboard", "Blackboard", "2", ".board"],
      ["recipe", "Recipes", "5", ".stages"],
    ]) {
      await choose(page, simulation, title);
      if (simulation === "blackboard") await selectNext(page);
      await page.keyboard.press(key);
      await page.locator(selector).first().waitFor();
      await checkAxe(page, simulation);
    }
    assert.deepEqual(page.errors, []);
  }, "long");
}
