// Tactics: maps with legend and values, candidates with their reasons, orders and reports, scripts as lanes.
import assert from "node:assert/strict";
import { join } from "node:path";
import { checkAxe } from "./axe.mjs";
import { hashAt, LARGE, open, pause, record, scrubTo, text } from "./driver.mjs";
import { shots, tickOf, until } from "./harness.mjs";

// The page in both themes.
export const shoot = async (page, name) => {
  for (const theme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: theme });
    await page.waitForTimeout(250);
    await page.screenshot({ path: join(shots, `studio-${name}-${theme}.png`) });
  }
  await page.emulateMedia({ colorScheme: "light" });
};
// Where a place of the world is on the screen, while the whole view is shown.
export const screenOf = async (page, view, x, y) => {
  const box = await page.locator(".view canvas").first().boundingBox();
  const [x0, y0, x1, y1] = view;
  const scale = Math.min(box.width / (x1 - x0), box.height / (y1 - y0)) * 0.96;
  return [box.x + box.width / 2 + (x - (x0 + x1) / 2) * scale, box.y + box.height / 2 - (y - (y0 + y1) / 2) * scale];
};
const tab = (page, name) => page.getByRole("tab", { name, exact: true }).click();
const value = (page) => text(page, ".map-value");
// Moves the pointer over a place until the page shows what is there: the picture may come later than the page.
const pointAt = async (page, [x, y], want) => {
  let step = 0;
  return until(page, async () => {
    await page.mouse.move(x + (step++ % 2), y);
    return value(page);
  }, want);
};

export default function (test) {
  test("maps are overlays with a legend, and the value under the pointer has name, unit and cell", async (t) => {
    const page = await open(t, LARGE, "&simulation=influence");
    await pause(page);
    await page.locator(".map-legend .map-scale").waitFor();
    const view = [-0.5, -0.5, 16.5, 17.3];
    await pointAt(page, await screenOf(page, view, 1.5, 2.5), (now) => /^cell 1, 2: security [\d.]+$/.test(now)); // a white unit
    await pointAt(page, await screenOf(page, view, 12.5, 6.5), (now) => /^cell 12, 6: security -[\d.]+$/.test(now)); // a black one
    await page.getByLabel("Map", { exact: true }).locator("select").or(page.locator(".map-legend select")).first().selectOption("influence of black");
    await pointAt(page, await screenOf(page, view, 12.5, 6.5), (now) => /^cell 12, 6: influence of black [\d.]+$/.test(now));
    await tab(page, "Tactics");
    // Several at a time, and one of categories.
    await page.getByLabel("sight of white").check();
    await until(page, () => page.locator(".map-legend .map-scale, .map-legend .map-categories").count(), (count) => count === 2);
    await pointAt(page, await screenOf(page, view, 1.5, 2.5), (now) => / · sight of white in sight$/.test(now));
    await page.getByRole("button", { name: "Pick a cell" }).click();
    await page.mouse.click(...(await screenOf(page, view, 12.5, 6.5)));
    await until(page, () => text(page, ".cell-values"), (now) => /cell 12, 6/.test(now) && /security\s+-[\d.]+/.test(now));
    await shoot(page, "tactics-maps");
    await checkAxe(page, "tactics, maps");
    assert.deepEqual(page.errors, []);
  });

  test("a map has its unit, and a place is compared with the one that was chosen", async (t) => {
    const page = await open(t, LARGE, "&simulation=radar");
    await tab(page, "Tactics");
    await record(page, 260);
    await page.locator(".map-legend select").selectOption("distance");
    const view = [-0.5, -1.5, 32.5, 25.3];
    const at = await screenOf(page, view, 8.5, 12.5);
    await pointAt(page, at, (now) => /^cell 8, 12: distance [\d.]+ m$/.test(now));
    await page.locator(".candidate-list .won").waitFor();
    await page.getByRole("button", { name: "Why not there?" }).click();
    await page.mouse.click(...(await screenOf(page, view, 2.5, 2.5)));
    await until(page, () => text(page, ".candidates .answer-why-not"), (now) => /\(2\.[45], 2\.[45]\) was not among the 8 candidates/.test(now));
    // Two columns: the values there, and those of the chosen place.
    await until(page, () => page.locator(".cell-values tbody tr").count(), (count) => count === 5);
    await until(page, () => page.locator(".cell-values tbody tr").first().locator("td").count(), (count) => count === 3);
    await shoot(page, "tactics-radar");
    assert.deepEqual(page.errors, []);
  });

  test("candidates of a query are listed by score, and a click on one tells why it is not the place", async (t) => {
    const page = await open(t, LARGE, "&simulation=cover");
    // The tick at which candidates are rejected for more than one reason.
    await record(page, 300);
    await scrubTo(page, 300);
    await hashAt(page, 300);
    await page.keyboard.press("n");
    await tab(page, "Tactics");
    await until(page, () => page.locator(".candidate-list li").count(), (count) => count > 5);
    const more = page.locator(".candidates button.link");
    if (await more.count()) await more.click();
    await more.waitFor({ state: "detached" });
    const rows = await page.locator(".candidate-list li").evaluateAll((all) => all.map((one) => ({ outcome: one.dataset.outcome, score: Number(one.querySelector(".score").textContent), place: one.querySelector(".name").textContent, reason: one.querySelector(".reason").textContent })));
    const possible = rows.filter((one) => one.outcome === "won" || one.outcome === "lost");
    assert.equal(rows[0].outcome, "won");
    for (let i = 1; i < possible.length; i++) assert.ok(possible[i - 1].score >= possible[i].score, "best first");
    const rejected = rows.find((one) => one.outcome === "rejected" && !/claimed/.test(one.reason));
    assert.match(rejected.reason, /is [\d.e-]+, must be from [\d.]+ to [\d.]+$/);
    // In the picture, where the candidate is.
    const [x, y] = /\((-?[\d.]+), (-?[\d.]+)\)/.exec(rejected.place).slice(1).map(Number);
    await page.mouse.click(...(await screenOf(page, [-1, -1, 41, 43], x, y)));
    await until(page, () => text(page, ".candidates .answer-why-not"), (now) => now.includes(`${rejected.place} was rejected.`) && now.includes("must be from"));
    // A place that no candidate is at.
    await page.getByRole("button", { name: "Why not there?" }).click();
    await page.mouse.click(...(await screenOf(page, [-1, -1, 41, 43], 20, 1)));
    await until(page, () => text(page, ".candidates .answer-why-not"), (now) => /^\(\S+, \S+\) was not among the \d+ candidates\. The nearest one is [\d.]+ m away/.test(now));
    // From the list.
    await page.locator(".candidate-list li.won button").click();
    await until(page, () => text(page, ".candidates .answer-why-not"), (now) => /was chosen\. The best score/.test(now));
    await page.locator(".candidate-list li.rejected button").first().click();
    await shoot(page, "tactics-candidates");
    await checkAxe(page, "tactics, candidates");
    assert.deepEqual(page.errors, []);
  });

  test("orders and reports of a chain of command are a panel", async (t) => {
    const page = await open(t, LARGE, "&simulation=strategy");
    await tab(page, "Tactics");
    await record(page, 250);
    await scrubTo(page, 240); // a turn with orders and a battle
    await hashAt(page, 240);
    await until(page, () => text(page, ".tiers"), (now) => /nation A/.test(now) && /nation B/.test(now) && /city \d+/.test(now));
    await page.locator(".command-log .order").first().waitFor();
    await shoot(page, "tactics-orders");
    await checkAxe(page, "tactics, orders");
    // A team without a leader: what each member does, and a member is one click away.
    await page.goto("about:blank"); // another hash alone would not load the page again
    await page.goto(`${t.server.url}&simulation=fireteam&rate=10&panel=tactics`);
    await until(page, () => page.locator(".tiers li").count().catch(() => 0), (count) => count === 5);
    await until(page, () => text(page, ".tiers"), (now) => /advance|suppress|hold|cover/.test(now));
    // Members report to each other what they do.
    await until(page, () => text(page, ".command-log"), (now) => /member \d → team\s*(advance|in-cover|suppress|seen|lost)/.test(now));
    await page.locator(".tiers button").first().click();
    await until(page, () => page.url(), (url) => /agent=1:1/.test(url));
    assert.deepEqual(page.errors, []);
  });

  test("reports of tiers are logged: who told whom what, when and why", async (t) => {
    const page = await open(t, LARGE, "&simulation=intent");
    await tab(page, "Tactics");
    await page.getByLabel("Speed", { exact: true }).selectOption("16");
    await page.locator(".command-log .order").first().waitFor();
    await pause(page);
    await until(page, () => page.locator(".command-log li .time").first().innerText(), (time) => /^[\d.]+ s$/.test(time));
    assert.deepEqual(page.errors, []);
  });

  test("squad scripts are lanes over time with signals and waits", async (t) => {
    const page = await open(t, LARGE, "&simulation=scripts&set=pause=30"); // a long rest after the first round
    await tab(page, "Tactics");
    // The passer waits for the runner's signal; then the signal and its link to the wait are there.
    for (const sign of ["wait", "signal", "link.met"]) await until(page, () => page.locator(`.lanes .lane-${sign}`).count(), (count) => count > 0);
    await pause(page);
    const now = await tickOf(page);
    await until(page, () => text(page, ".script-run h4"), (head) => /^touchdown (running|done)/.test(head));
    await shoot(page, "tactics-lanes");
    await checkAxe(page, "tactics, lanes");
    // A step is a place in time.
    await page.locator(".lane-step.past.wait").first().click();
    await until(page, () => tickOf(page), (tick) => tick < now);
    await page.goto("about:blank"); // another hash alone would not load the page again
    await page.goto(`${t.server.url}&simulation=house&rate=10&panel=tactics`);
    await until(page, () => page.locator(".lane-list li").count().catch(() => 0), (count) => count === 4);
    await until(page, () => page.locator(".lanes .lane-wait").count(), (count) => count > 0);
    await shoot(page, "tactics-house");
    assert.deepEqual(page.errors, []);
  });
}
