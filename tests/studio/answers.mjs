// Every lab and game with agents answers "why?": opens each, selects an agent and looks for a decision with at least two
// options and a reason for each of them. Those without agents are named here, and have none to select; so are those whose
// decisions belong to no agent: a player of a board game, a rule base.
// usage: node tests/studio/answers.mjs [PROGRAM] [SCREENSHOT-FOLDER] [SIMULATION...]
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { openPaused, selectNext } from "./driver.mjs";
import { overEach, program, shots, tickOf, until } from "./harness.mjs";

// Searches, analyses, generators and learners that show one computation: nothing can be selected.
const WITHOUT_AGENTS = [
  "indices", "triangulation", "search", "searches", "pathfinder", "hierarchy", "routes", "influence",
  "scatter", "leaf", "terrain", "plant", "forest", "maze", "dungeon", "subdivision", "skyscraper", "wfc", "generator", "automata",
  "network", "landscape", "level", "fog", "tuning",
];
// A probe, a point on a curve, an eye, a walker on a finished path: it can be selected to read its values, and decides nothing.
const WITHOUT_DECISIONS = ["shapes", "splines", "offsetting", "recipe"];
// Minds without a body: their decisions are asked of everybody.
const WITHOUT_BODIES = ["fuzzy", "board", "strategy", "radar"];
// What a person does first: scenes that wait for an answer.
const BEFORE = {
  stage: async (page) => {
    await page.getByRole("tab", { name: "Parameters" }).click();
    await page.getByRole("button", { name: "second", exact: false }).click();
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await until(page, () => tickOf(page), (tick) => tick === TICKS + 1);
  },
};
const AGENTS_TRIED = 8;
const TICKS = 120;
// A learner decides in every tick, and describing its large table takes long; so does a tick in which whole matches are
// played. The analyses of the first tower take their time.
const TICKS_OF = { sentries: 20, avoidance: 20, tuning: 10, radar: 260 };

const names = ["lab", "play"].flatMap((command) =>
  spawnSync(program, [command, "list", "--json"], { encoding: "utf8" }).stdout.trim().split("\n").map((line) => JSON.parse(line).name),
);
for (const name of [...WITHOUT_AGENTS, ...WITHOUT_DECISIONS, ...WITHOUT_BODIES, ...Object.keys(BEFORE)]) assert.ok(names.includes(name), `${name} is named here but does not exist`);

// The options of the decision with the most of them, as the page shows them.
const optionsOf = (page) =>
  page.locator(".decided .decision").evaluateAll((decisions) =>
    decisions
      .map((decision) => [...decision.querySelectorAll(":scope > .option")].map((option) => ({ name: option.querySelector(".name").textContent, outcome: option.dataset.outcome, reason: option.querySelector(".reason").textContent })))
      .sort((a, b) => b.length - a.length)[0] ?? [],
  );

const answers = (options) => options.length >= 2 && options.every((one) => one.reason.trim() !== "");

// A simulation that is named as one without agents, or with one that decides nothing, is just that.
async function hasNoReasons(page, name) {
  await page.getByRole("tab", { name: "Why" }).click();
  await until(page, () => page.locator(".decided").innerText(), (text) => /No decision in the last 600 ticks/.test(text));
  await page.getByRole("button", { name: "pick one" }).click();
  assert.deepEqual(page.errors, []);
  if (WITHOUT_AGENTS.includes(name)) {
    await page.getByText("This simulation has no agents to select.").waitFor();
    assert.equal(new URL(page.url()).hash.includes("agent="), false);
    assert.match(await page.locator(".decided").innerText(), /the picture has no agents/);
    return "no agents";
  }
  await page.locator(".why .caption", { hasText: /Agent \d+:\d+/ }).waitFor();
  await until(page, () => page.locator(".decided").innerText(), (text) => /No decision in the last 600 ticks/.test(text));
  return "one that decides nothing";
}

const status = await overEach(
  process.argv.length > 4 ? process.argv.slice(4) : names,
  3,
  async (page, server, name) => {
    await openPaused(page, server, name, TICKS_OF[name] ?? TICKS);
    if (WITHOUT_AGENTS.includes(name) || WITHOUT_DECISIONS.includes(name)) return hasNoReasons(page, name);
    await BEFORE[name]?.(page);
    await page.getByRole("tab", { name: "Why" }).click();
    let best = [];
    if (WITHOUT_BODIES.includes(name)) {
      best = await until(page, () => optionsOf(page), answers);
    } else {
      const tried = new Set();
      while (tried.size < AGENTS_TRIED && !answers(best)) {
        const agent = await selectNext(page);
        if (tried.has(agent)) break; // all have been asked
        tried.add(agent);
        await page.locator(".why .caption", { hasText: `Agent ${agent}` }).waitFor();
        await page.locator(".decided").waitFor();
        await until(page, () => page.locator(".decided").innerText(), (text) => !text.includes("…") || text.includes("Why not"));
        best = await optionsOf(page);
      }
    }
    assert.ok(answers(best), `${name}: no decision with two options and their reasons, but ${JSON.stringify(best)}`);
    // What was decided comes first, before everything that is known.
    const order = await page.locator(".answer").first().evaluate((answer) => [...answer.children].map((one) => one.className));
    assert.match(order[1], /^decided/);
    // A decision of an earlier tick has its tick as a link there.
    const link = page.locator(".decided > h4 .link");
    if (await link.count()) {
      const tick = Number((await link.innerText()).match(/\d+/)[0]);
      assert.ok(tick < (await tickOf(page)), "the last decision was before the tick shown");
      await link.click();
      await until(page, () => tickOf(page), (now) => now === tick);
      await until(page, () => page.locator(".decided > h4").innerText(), (text) => /in this tick/i.test(text));
    }
    // Why not one that did not win?
    const other = best.find((one) => one.outcome !== "won");
    if (other !== undefined) {
      const select = page.getByLabel("Why not");
      const labels = await select.locator("option").allTextContents();
      await select.selectOption({ index: Math.max(1, labels.indexOf(other.name)) });
      await until(page, () => page.locator(".answer-why-not").innerText(), (text) => /It was (possible, but lost|not possible|not considered)/.test(text));
    }
    assert.deepEqual(page.errors, []);
    if (["soccer", "ghosts", "planner", "flow", "cover"].includes(name)) await page.screenshot({ path: join(shots, `studio-why-${name}.png`) });
    return `${best.length} options`;
  },
);
process.exit(status);
