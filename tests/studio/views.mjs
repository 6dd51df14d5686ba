// The views of the studio: what tools/screenshots.mjs takes pictures of and looks.mjs checks.
import { boardClick, boardMove, boardValue, breakAt, edit, hashAt, pause, record, scrubTo, SOCCER, text, watch } from "./driver.mjs";
import { tickOf, until } from "./harness.mjs";

export const SIZES = [{ width: 1440, height: 900 }, { width: 1024, height: 700 }, { width: 400, height: 800 }];
export const THEMES = ["light", "dark"];

const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};
const at = async (page, tick) => {
  await scrubTo(page, tick);
  await hashAt(page, tick);
};
// Records at least that many ticks and shows the last of them, so that every run takes the same pictures.
const recorded = async (page, ticks) => {
  await record(page, ticks);
  await at(page, ticks);
};
/** Views by name: the address, and what a person does until the view is there. */
export const VIEWS = {
  home: ["", async (page) => {
    const left = () => page.locator('.thumbnail[data-drawn="no"]').evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().top < innerHeight).length);
    await until(page, left, (count) => count === 0, 180000);
  }],
  search: ["", async (page) => {
    await page.locator("#find").fill("flock");
    await until(page, () => page.locator('.thumbnail[data-drawn="no"]').count(), (count) => count === 0, 180000);
    await page.locator(".shows summary").first().click();
  }],
  guide: ["&read=docs/guide/move-behaviors.md", (page) => page.locator(".reader-text h2").first().waitFor()],
  game: [SOCCER, async (page) => {
    await record(page, 900);
    await press(page, "n", "n");
    await page.locator(".chip.now").waitFor();
    await at(page, 860);
  }],
  parameters: [SOCCER, (page) => recorded(page, 200)],
  about: [SOCCER, async (page) => {
    await recorded(page, 200);
    await page.getByRole("button", { name: "About", exact: true }).click();
  }],
  help: [SOCCER, async (page) => {
    await recorded(page, 200);
    await press(page, "?");
  }],
  state: [SOCCER, async (page) => {
    await recorded(page, 300);
    await press(page, "2");
    await page.locator(".tree .leaf").first().waitFor();
  }],
  compare: [SOCCER, async (page) => {
    await recorded(page, 400);
    await at(page, 200);
    await press(page, "f");
    await page.locator(".views.two").waitFor();
    await press(page, "1");
    const row = page.locator(".row", { hasText: "max speed m/s" }).locator("input.number");
    await row.fill("4");
    await row.press("Enter");
    await until(page, () => text(page, "#end").then(Number), (end) => end === 200);
    await page.getByRole("button", { name: "Compare" }).click();
    await page.locator(".found").waitFor({ timeout: 60000 });
    await until(page, () => page.locator(".answer .decision").count(), (count) => count > 1);
  }],
  tree: ["&simulation=tree&seed=5", async (page) => {
    await recorded(page, 300);
    await press(page, "n");
    await page.locator(".bt li").first().waitFor();
  }],
  goals: ["&simulation=goals", async (page) => {
    await recorded(page, 300);
    await press(page, "n");
    await page.locator(".goals").first().waitFor();
  }],
  plots: [SOCCER, async (page) => {
    await recorded(page, 600);
    await press(page, "2");
    await page.getByRole("button", { name: "Plot speed", exact: true }).first().click();
    await press(page, "n");
    await page.getByRole("button", { name: "Plot distance to the ball" }).first().click();
    await press(page, "n");
    await page.getByRole("button", { name: "Plot distance to the ball" }).first().click();
    await press(page, "4");
    await until(page, () => page.locator(".plots canvas").last().getAttribute("data-points").then(Number), (count) => count > 300, 60000);
    await hashAt(page, 600);
  }],
  edit: ["&simulation=tree&seed=5", async (page) => {
    await recorded(page, 200);
    await press(page, "5");
    await edit(page, 'seconds="1.0"', 'secs="1.0"');
    await page.locator(".faults li").first().waitFor();
  }],
  "tree-graph": ["&simulation=tree&seed=5&panel=edit", async (page) => {
    await recorded(page, 200);
    await page.locator('.graph .node[data-title="attack"]').click();
  }],
  chart: ["&simulation=statechart&panel=edit", async (page) => {
    await recorded(page, 100);
    await page.locator('.graph .node[data-title="game"]').click({ position: { x: 40, y: 12 } });
  }],
  fuzzy: ["&simulation=fuzzy&panel=edit", (page) => recorded(page, 60)],
  blackboard: ["&simulation=blackboard&panel=state", async (page) => {
    await recorded(page, 120);
    await press(page, "n");
    await page.locator(".board").first().waitFor();
  }],
  recipe: ["&simulation=recipe&seed=2", async (page) => {
    await press(page, "5");
    await page.getByRole("button", { name: "Every stage" }).click();
    await page.getByRole("button", { name: "Settings of stage 1" }).click();
    await until(page, () => tickOf(page), (tick) => tick > 60);
    await pause(page);
  }],
  maps: ["&simulation=influence&panel=tactics", async (page) => {
    await recorded(page, 90);
    await page.locator(".map-legend .map-scale").waitFor();
  }],
  candidates: ["&simulation=cover&panel=tactics", async (page) => {
    await recorded(page, 130);
    await press(page, "n", "6");
    await page.locator(".candidate-list li").nth(5).waitFor();
  }],
  orders: ["&simulation=strategy&panel=tactics", async (page) => {
    await recorded(page, 240); // a turn with orders and a battle
    await page.locator(".command-log .order").first().waitFor();
  }],
  lanes: ["&simulation=scripts&set=pause=30&panel=tactics", async (page) => {
    await recorded(page, 120);
    await until(page, () => page.locator(".lanes .lane-signal").count(), (count) => count > 0);
  }],
  level: ["&simulation=level&panel=edit", async (page) => {
    await until(page, () => page.locator(".code textarea").inputValue(), (value) => value.includes("wall 7 7 12 7"));
    await edit(page, "wall 7 7 12 7", "wall 7 7 11 9");
    await page.getByRole("button", { name: "Apply", exact: true }).click();
    await until(page, () => page.locator(".verdict").innerText(), (now) => now === "taken over");
    const edited = await tickOf(page);
    await until(page, () => tickOf(page), (tick) => tick > edited + 120); // the flood has ended
    await pause(page);
  }],
  space: ["&simulation=storeys", async (page) => {
    await recorded(page, 200);
    await press(page, "n", "n", "n");
    await page.locator(".space-canvas").waitFor();
    await page.locator(".decided .option").first().waitFor();
  }],
  board: ["&simulation=board&set=person%3Dfirst&set=level%3D1&set=units%3D5000&panel=state", async (page) => {
    await boardMove(page, 3, 2);
    await press(page, "w");
    await until(page, () => boardValue(page, "asking"), (asking) => asking === "true");
    await boardClick(page, 0.5, 3);
    await until(page, () => boardValue(page, "answer"), (answer) => /scores/.test(answer));
    await press(page, "t");
    await until(page, () => boardValue(page, "node"), (node) => /^\[-inf, inf\]/.test(node));
    const root = await boardValue(page, "node");
    await boardClick(page, 9, 6 - 0.45);
    await until(page, () => boardValue(page, "node"), (node) => node !== root && node !== "");
    await pause(page);
  }],
  debug: ["&simulation=miner&panel=debug", async (page) => {
    await recorded(page, 218);
    await breakAt(page, 36, "strikes > 7");
    await watch(page, "strikes");
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await page.locator(".source li.here").waitFor();
    await page.getByRole("button", { name: "Count", exact: true }).click();
    await page.locator(".profile tr").first().waitFor();
  }],
  layers: ["&simulation=navmesh", async (page) => {
    await recorded(page, 60);
    await page.getByRole("button", { name: "Layers" }).click();
  }],
};

// Opens a view on a new page and does what leads to it.
export async function openView(page, server, name) {
  const [address, go] = VIEWS[name];
  await page.setViewportSize(SIZES[0]);
  await page.goto("about:blank");
  await page.goto(`${server.url}${address}&rate=10`);
  if (address.includes("simulation")) await until(page, () => tickOf(page).catch(() => 0), (tick) => tick > 2);
  else await page.locator(".card").first().waitFor();
  await go(page);
}
