// Reasons: why an agent does what it does, games, views of its state.
import assert from "node:assert/strict";
import { join } from "node:path";
import { arrived, choose, drawn, hashAt, LARGE, marksOf, open, pause, record, scrubTo, selectNext, SOCCER, text } from "./driver.mjs";
import { shots, tickOf, until } from "./harness.mjs";

export default function (test) {
  test("an agent is selected by a click and tells its state and why", async (t) => {
    const page = await open(t);
    await pause(page);
    await selectNext(page);
    await page.locator(".decision").first().waitFor();
    await page.locator(".option.won").first().waitFor();
    await page.screenshot({ path: join(shots, "studio-why.png") });
    await page.getByRole("tab", { name: "State" }).click();
    await page.locator(".tree .leaf").first().waitFor();
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await page.locator(".value.changed").first().waitFor();
    await page.screenshot({ path: join(shots, "studio-state.png") });
    await page.keyboard.press("Escape");
    await page.getByText(/^Everything/).waitFor();
    // By a click: where the picture shows an agent, the page finds it.
    const found = await page.evaluate(async () => {
      const canvas = document.querySelector(".view canvas");
      const rect = canvas.getBoundingClientRect();
      const context = canvas.getContext("2d");
      const ratio = canvas.width / rect.width;
      const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data;
      const places = [];
      for (let y = 0; y < canvas.height; y += 4) {
        for (let x = 0; x < canvas.width; x += 4) {
          const i = 4 * (y * canvas.width + x);
          const spread = Math.max(pixels[i], pixels[i + 1], pixels[i + 2]) - Math.min(pixels[i], pixels[i + 1], pixels[i + 2]);
          if (spread > 100) places.push([rect.left + x / ratio, rect.top + y / ratio]);
        }
      }
      return places;
    });
    assert.ok(found.length > 0, "the picture has colours");
    let selected = false;
    for (const [x, y] of found.filter((_, i) => i % Math.ceil(found.length / 40) === 0)) {
      await page.mouse.click(x, y);
      await drawn(page);
      await page.locator(".state .caption").waitFor(); // of an agent: its description came
      if (await page.getByText(/^Agent \d+:\d+/).count()) {
        selected = true;
        break;
      }
    }
    assert.ok(selected, "a click on an agent selects it");
    assert.deepEqual(page.errors, []);
  });

  test("an agent that is drawn as a hull is selected by a click, and the page says that it can be", async (t) => {
    const page = await open(t, LARGE, "&simulation=fleet");
    await record(page, 60);
    await page.getByText(/^Click an agent to ask it why; elsewhere: /).waitFor();
    const places = await page.evaluate(() => document.querySelector(".view canvas").agentPlaces());
    const box = await page.locator(".view canvas").boundingBox();
    const boats = Object.entries(places).filter(([, [x, y]]) => x > 20 && y > 60 && x < box.width - 20 && y < box.height - 40);
    // One beside which there is no other.
    const apart = ([one, [x, y]]) => boats.every(([other, at]) => other === one || Math.hypot(at[0] - x, at[1] - y) > 40);
    const [boat, [x, y]] = boats.find(apart);
    await page.mouse.click(box.x + x, box.y + y);
    await page.locator(".caption", { hasText: `Agent ${boat}` }).waitFor();
    await page.getByRole("tab", { name: "Why" }).click();
    await until(page, () => page.locator(".decided .option").count(), (count) => count >= 2);
    assert.deepEqual(page.errors, []);
  });

  test("a game is read: its events are marked, an agent tells its state, ten seconds back are one key", async (t) => {
    const page = await open(t, LARGE, SOCCER);
    await record(page, 1000);
    await until(page, () => marksOf(page), (count) => count > 20); // events, states and decisions are on the timeline
    const failed = Number(await page.locator(".timeline canvas").first().getAttribute("data-failed"));
    assert.ok(failed * 20 < (await marksOf(page)), `${failed} marks of failures in normal play`);
    await selectNext(page);
    await selectNext(page); // the keeper changes its mind too seldom for what follows
    await page.locator(".chip.now").waitFor();
    await page.locator(".changes li").first().waitFor();
    // Only what the player itself is in: the engine's states of its turns are not among them.
    const states = await page.locator(".machine .chip").allInnerTexts();
    assert.ok(states.length >= 3 && !states.some((one) => /^(active|new|sleeping|open)$/.test(one)), states.join());
    await scrubTo(page, 860); // the same picture every time
    await hashAt(page, 860);
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(shots, "studio-game.png") });
    await page.keyboard.press("End");
    const at = Number(await text(page, "#end"));
    await hashAt(page, at);
    await page.keyboard.press("PageUp");
    await hashAt(page, at - 600);
    await until(page, () => text(page, ".why .caption"), (caption) => caption.includes(`tick ${at - 600}`)); // the reasons of the tick shown
    // By decision and by event: each goes to a tick that has a mark, and back is not further than forth.
    await page.keyboard.press(".");
    const next = await arrived(page, (tick) => tick > at - 600);
    await page.keyboard.press(",");
    const back = await arrived(page, (tick) => tick < next);
    await page.keyboard.press("<");
    const event = await arrived(page, (tick) => tick < back);
    const timeline = page.locator(".timeline canvas").first();
    const box = await timeline.boundingBox();
    const end = Number(await text(page, "#end"));
    await page.mouse.move(box.x + (event / end) * box.width, box.y + 8);
    await until(page, () => text(page, ".tip"), (tip) => new RegExp(`tick ${event} · (event|failed|input)`).test(tip));
    // A click on the timeline goes there.
    await page.mouse.click(box.x + box.width / 2, box.y + 40);
    await until(page, () => tickOf(page), (tick) => Math.abs(tick - end / 2) < end / 100 + 2);
    assert.deepEqual(page.errors, []);
  });

  test("two runs are compared to the first decision that differs", async (t) => {
    const page = await open(t, LARGE, SOCCER);
    await record(page, 400);
    await scrubTo(page, 200);
    await hashAt(page, 200);
    await page.keyboard.press("f");
    await page.locator(".views.two").waitFor();
    await page.getByRole("tab", { name: "Parameters" }).click();
    const row = page.locator(".row", { hasText: "max speed m/s" }).locator("input.number");
    await row.fill("4");
    await row.press("Enter");
    await until(page, () => text(page, "#end").then(Number), (end) => end === 200);
    await page.getByRole("button", { name: "Compare" }).click();
    await page.locator(".found").waitFor();
    const found = await text(page, ".found");
    // From cause to effect: the parameter, the first value that differs, the first decision that differs.
    const causes = await page.locator(".found li").evaluateAll((rows) => rows.map((row) => row.dataset.cause));
    assert.deepEqual(causes, ["parameter", "state", "decision"]);
    const parameter = await text(page, '.found [data-cause="parameter"]');
    assert.match(parameter, /max_speed: A [\d.]+, B 4, set at tick 200/);
    assert.match(await text(page, '.found [data-cause="state"]'), /First value that differs, at tick 20\d: .+: A .+, B .+/);
    const tick = Number(/decision at tick (\d+)/.exec(found)?.[1]);
    assert.ok(tick > 200, `${found}: before the edit nothing differs`);
    // Both winners with their scores in both runs: each was ahead in its own.
    const scores = [...(await text(page, ".found .beside")).matchAll(/scored A (-?[\d.]+), B (-?[\d.]+)/g)].map((one) => [Number(one[1]), Number(one[2])]);
    assert.equal(scores.length, 2, found);
    assert.ok(scores[0][0] > scores[1][0] && scores[0][1] < scores[1][1], JSON.stringify(scores));
    await hashAt(page, tick);
    await until(page, () => page.locator(".answer").count(), (count) => count === 2); // both tell why
    await until(page, () => page.locator(".answer .decision").count(), (count) => count > 1);
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(shots, "studio-compare.png") });
    await page.getByRole("button", { name: "Close B" }).click();
    await page.locator(".views.two").waitFor({ state: "detached" });
    // Two seeds.
    await page.keyboard.press("b");
    await page.locator(".views.two").waitFor();
    await page.keyboard.press("c");
    await until(page, () => text(page, ".found"), (found) => /Seeds: A 3, B 4[^]*First different decision at tick \d+/.test(found));
    assert.deepEqual(page.errors, []);
  }, "long");

  test("why not another agent, why not there: what is pointed at in the picture is answered, with what changed since", async (t) => {
    const page = await open(t, LARGE, SOCCER);
    await record(page, 300);
    await scrubTo(page, 300);
    await hashAt(page, 300);
    await page.getByRole("tab", { name: "Why" }).click();
    const answer = () => text(page, ".answer-why-not").catch(() => "");
    const point = async () => {
      await page.getByRole("button", { name: "point at it" }).click();
      await page.getByText("Click the agent or the place that was not chosen.").waitFor();
    };
    // A player whose decision has options, and another player in the picture.
    await selectNext(page);
    const chosen = await selectNext(page);
    await page.locator(".decided .option").first().waitFor();
    const places = await page.evaluate(() => document.querySelector(".view canvas").agentPlaces());
    const other = Object.keys(places).find((one) => one !== chosen && Math.hypot(places[one][0] - places[chosen][0], places[one][1] - places[chosen][1]) > 60);
    const box = await page.locator(".view canvas").boundingBox();
    await point();
    await page.mouse.click(box.x + places[other][0], box.y + places[other][1]);
    await until(page, answer, (now) => now.startsWith(`agent ${other} `) && (/was not among the options\. \S/.test(now) || /It was (chosen|possible, but lost|not possible|not considered)/.test(now)));
    assert.ok((await page.url()).includes(`agent=${chosen}`), "pointing selects nobody");
    // A place on the grass: the direction that it is in, or what was considered instead.
    await point();
    await page.mouse.click(box.x + places[chosen][0], box.y + places[chosen][1] + 45);
    await until(page, answer, (now) => /^\(-?[\d.]+, -?[\d.]+\) (is ".+"\. It was|was not among the options\. \S)/.test(now));
    // An option by name: its outcome and reason.
    const lost = await page.locator(".decided .option:not(.won) .name").first().innerText();
    await page.getByLabel("Why not").selectOption(lost);
    await until(page, answer, (now) => /^It was (possible, but lost|not possible|not considered)\..* \S/.test(now));
    // The decision before it, and the way there.
    const since = page.locator(".changed-since");
    await since.waitFor();
    const link = since.getByRole("button", { name: /^To tick \d+$/ });
    const tick = Number(/\d+/.exec(await link.innerText())[0]);
    assert.ok(tick < 300);
    await until(page, () => since.locator("li, .empty").count(), (count) => count > 0);
    for (const change of await since.locator("li").evaluateAll((all) => all.map((one) => one.title))) assert.match(change, /^.+: .* → .+$/);
    await link.click();
    await until(page, () => tickOf(page), (now) => now === tick);
    await until(page, () => text(page, ".decided > h4"), (head) => /in this tick/i.test(head));
    assert.deepEqual(page.errors, []);
  });

  test("a behavior tree shows the status of its nodes", async (t) => {
    const page = await open(t, LARGE, "&simulation=tree");
    await page.keyboard.press("n");
    await page.locator(".bt li").first().waitFor();
    await page.locator(".bt li.running").first().waitFor();
    await pause(page);
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(shots, "studio-tree.png") });
  });

  test("a person takes over a player by keyboard: eight directions, kicks, and gives it back", async (t) => {
    const page = await open(t, undefined, SOCCER);
    await page.getByLabel("Speed", { exact: true }).selectOption("0.25"); // what is held for a second is seen on a busy machine too
    await selectNext(page);
    await selectNext(page);
    await page.keyboard.press("t");
    await page.getByText("keys to the game").waitFor();
    await page.getByRole("tab", { name: "State" }).click();
    const value = (name) => page.locator(".leaf", { hasText: new RegExp(`^${name}`) }).locator(".value").first().innerText().catch(() => "");
    await until(page, () => value("taken"), (now) => now === "true");
    const ways = [["ArrowRight"], ["ArrowRight", "ArrowUp"], ["ArrowUp"], ["ArrowUp", "ArrowLeft"], ["ArrowLeft"], ["ArrowLeft", "ArrowDown"], ["ArrowDown"], ["ArrowDown", "ArrowRight"]];
    const wanted = ["(1, 0)", "(0.7071, 0.7071)", "(0, 1)", "(-0.7071, 0.7071)", "(-1, 0)", "(-0.7071, -0.7071)", "(0, -1)", "(0.7071, -0.7071)"];
    for (const [i, keys] of ways.entries()) {
      for (const key of keys) await page.keyboard.down(key);
      await until(page, () => value("way"), (now) => now === wanted[i]);
      for (const key of keys) await page.keyboard.up(key);
    }
    await until(page, () => value("wish"), (now) => now === "0"); // nothing held: it stands
    const tick = await tickOf(page);
    await until(page, () => tickOf(page), (now) => now > tick); // the arrows did not step: the game goes on
    // A kick is wished for a second; the log has every key.
    for (const [key, kick] of [["k", "1"], ["p", "2"]]) {
      await page.keyboard.press(key);
      await until(page, () => value("wish to kick"), (now) => now === kick);
    }
    await page.keyboard.press("s");
    await page.keyboard.press("x");
    await until(page, () => value("taken"), (now) => now === "false");
    await page.keyboard.press("Escape");
    await page.getByText("keys to the game").waitFor({ state: "detached" });
    assert.deepEqual(page.errors, []);
  });

  test("goals, blackboards, messages, searches and forces have views of their own", async (t) => {
    const page = await open(t, LARGE, "&simulation=goals");
    await page.keyboard.press("n");
    await page.locator(".goals .active").first().waitFor();
    await until(page, () => page.locator(".scores .bar i").count(), (count) => count > 2); // how desirable each strategy is
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(shots, "studio-goals.png") });
    await choose(page, "blackboard", "Blackboard");
    await page.keyboard.press("n");
    // With the tick at which it changed.
    await until(page, () => page.locator(".board .fresh .link").allInnerTexts(), (all) => /^\d+$/.test(all[0] ?? ""));
    await choose(page, "westworld", "West World");
    await page.keyboard.press("n");
    await page.getByLabel("Speed", { exact: true }).selectOption("16");
    await page.locator(".messages .kind").first().waitFor();
    await until(page, () => page.locator(".messages").innerText(), (value) => /home|company|stew/.test(value));
    await page.keyboard.press("n"); // his wife tells herself about the stew, in a while
    await until(page, () => page.locator(".messages").innerText().catch(() => ""), (value) => /delayed to/.test(value));
    await choose(page, "pathfinder", "Path");
    await page.getByRole("tab", { name: "State" }).click();
    await page.locator(".search .fill").first().waitFor();
    await until(page, () => page.locator(".legend-line").first().innerText(), (line) => /\d+ closed\s+\d+ open/.test(line));
    await choose(page, "soccer", "Simple Soccer");
    await page.getByRole("tab", { name: "Why" }).click();
    await page.keyboard.press("n");
    await page.locator(".forces svg").first().waitFor();
    // All values are still there, as a list.
    await page.locator(".branch", { hasText: "steering" }).locator(".plain").click();
    await page.locator(".leaf", { hasText: /^linear/ }).first().waitFor();
    assert.deepEqual(page.errors, []);
  }, "long");
}
