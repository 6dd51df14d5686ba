// Raven and the squad: reasons of a shot, a person in the game, edits during play, plain and team compared.
import assert from "node:assert/strict";
import { edit, editor, hashAt, LARGE, open, pause, record, scrubTo, selectNext, text, verdict } from "./driver.mjs";
import { tickOf, until } from "./harness.mjs";
import { screenOf, shoot } from "./test_tactics.mjs";

const VIEW = [0, 0, 44, 32];
const leaf = (page, name) => page.locator(".tree .leaf").filter({ has: page.locator(".name", { hasText: new RegExp(`^${name}$`) }) }).first().locator(".value");
const valueOf = (page, name) => leaf(page, name).innerText({ timeout: 2000 }).catch(() => "");
// Takes the text of the editor over and waits until the simulation has it, while it plays on.
const apply = async (page, from, to) => {
  await edit(page, from, to);
  await until(page, () => verdict(page).innerText(), (now) => now === "no faults");
  await page.getByRole("button", { name: "Apply" }).click();
  await until(page, () => verdict(page).innerText(), (now) => now === "taken over");
  const tick = await tickOf(page);
  await until(page, () => tickOf(page), (now) => now > tick + 2);
  await until(page, () => editor(page).inputValue(), (now) => now.includes(to));
};

export default function (test) {
  test("a bot of Raven is selected and read, from percept to trigger finger: why it did not shoot", async (t) => {
    const page = await open(t, LARGE, "&simulation=raven&seed=3&panel=why");
    await record(page, 910);
    for (let i = 0; i < 3; i++) await selectNext(page);
    await scrubTo(page, 900);
    await hashAt(page, 900);
    const shot = page.locator(".decision").filter({ hasText: "from percept to trigger finger" }).first();
    await shot.waitFor();
    const chain = await until(page, () => shot.innerText(), (now) => /opponents remembered/.test(now));
    // What it perceived, whom it chose, what it could do about it, and the finger, in this order.
    const links = ["opponents remembered", "target", "last sensed", "in view", "line of fire", "time visible", "reaction time", "time out of view", "weapon", "desirability of the", "ready in"];
    let at = -1;
    for (const link of links) {
      const next = chain.indexOf(link, at + 1);
      assert.ok(next > at, `${link} after ${at} in ${chain}`);
      at = next;
    }
    assert.match(await shot.locator(".option.won").first().innerText(), /hold fire/);
    assert.match(chain, /the target is out of sight/);
    await shoot(page, "raven-why");
    assert.deepEqual(page.errors, []);
  }, "long");

  test("a person possesses a bot of Raven, queues three moves, fires at the cursor and gives it back", async (t) => {
    // Alone in the level: nobody shoots it, however long the page takes.
    const page = await open(t, LARGE, "&simulation=raven&seed=3&panel=state&set=bots%3D1");
    await page.getByLabel("Speed", { exact: true }).selectOption("0.25");
    await selectNext(page);
    await page.keyboard.press("t");
    await page.getByText("keys to the game").waitFor();
    await until(page, () => valueOf(page, "possessed"), (now) => now === "true");
    const orders = () => page.locator(".goals, .tree").allInnerTexts().then((all) => (all.join("\n").match(/move to/g) ?? []).length);
    const places = [[8, 8], [12, 20], [30, 20]];
    for (const [x, y] of places) {
      await page.keyboard.down("Shift");
      await page.mouse.click(...(await screenOf(page, VIEW, x, y)));
      await page.keyboard.up("Shift");
    }
    await until(page, orders, (count) => count >= 3);
    // The bot faces the cursor, and the key fires there.
    await page.mouse.move(...(await screenOf(page, VIEW, 20, 10)));
    await until(page, () => valueOf(page, "cursor"), (now) => /^\((19\.\d+|20(\.\d+)?), (9\.\d+|10(\.\d+)?)\)$/.test(now));
    const before = Number(await valueOf(page, "shots"));
    await page.keyboard.press("f");
    await until(page, () => valueOf(page, "shots").then(Number), (now) => now > before);
    await page.keyboard.press("x");
    await until(page, () => valueOf(page, "possessed"), (now) => now === "false");
    await page.keyboard.press("Escape");
    // Every command is in the log: the same state when it is played again.
    await pause(page);
    const end = Number(await text(page, "#end"));
    await page.keyboard.press("End");
    const hash = await hashAt(page, end);
    await page.keyboard.press("Home");
    await until(page, () => tickOf(page), (tick) => tick === 0);
    await page.keyboard.press("End");
    assert.equal(await hashAt(page, end), hash);
    assert.deepEqual(page.errors, []);
  }, "long");

  test("a wall and a personality of Raven and a machine of the squad are edited during play", async (t) => {
    const page = await open(t, LARGE, "&simulation=raven&panel=edit");
    const tab = (name) => page.getByRole("tablist", { name: "Definitions" }).getByRole("tab", { name: new RegExp(`^${name}\\.`) }).click();
    await tab("map");
    await until(page, () => editor(page).inputValue().catch(() => ""), (now) => now.includes("wall "));
    const first = (await editor(page).inputValue()).match(/^wall .*$/m)[0];
    await apply(page, `${first}\n`, `${first}\nwall 10 4 10 7\n`);
    await tab("balanced");
    await apply(page, '"attack": 1,', '"attack": 1.5,');
    // A fault names the nearest word and never reaches the match.
    await edit(page, '"attack": 1.5,', '"atack": 1.5,');
    await until(page, () => text(page, ".faults").catch(() => ""), (now) => /did you mean attack/.test(now));
    assert.ok(await page.getByRole("button", { name: "Apply" }).isDisabled());
    await edit(page, '"atack": 1.5,', '"attack": 1.5,');
    await page.goto(`${t.server.url}&simulation=squad&panel=edit&rate=10`);
    await until(page, () => tickOf(page).catch(() => 0), (tick) => tick > 2);
    await tab("leader");
    await until(page, () => editor(page).inputValue().catch(() => ""), (now) => now.includes("CommandSquadToPOI"));
    const machine = await editor(page).inputValue();
    await apply(page, machine, `${machine.trimEnd()} \n`);
    await tab("member");
    await until(page, () => editor(page).inputValue().catch(() => ""), (now) => now.includes("SquadMember"));
    await apply(page, '"SquadMember"', '"SquadSoldier"');
    assert.deepEqual(page.errors, []);
  }, "long");

  test("each machine of the squad is shown with its active state marked", async (t) => {
    const page = await open(t, LARGE, "&simulation=squad&seed=7&panel=why");
    await record(page, 120);
    await scrubTo(page, 100);
    await hashAt(page, 100);
    const marked = async () => [...new Set(await page.locator(".machine .chip.now").allInnerTexts())];
    const shown = [];
    for (let i = 0; i < 4; i++) {
      await selectNext(page);
      const name = await until(page, () => text(page, ".answer .caption span"), (now) => /· (leader|member \d)/.test(now) && !shown.some(([one]) => one === now));
      shown.push([name, await until(page, marked, (now) => now.length === 1)]);
    }
    const states = { leader: /^(CommandSquadToPOI|AwaitingSquadTaskCompletion|WaitToGiveOrders)$/, member: /^(WaitingForCommand|MovingToGoal|WaypointReached|LookingAround)$/ };
    for (const [name, [state]] of shown) assert.match(state, name.includes("leader") ? states.leader : states.member, name);
    assert.equal(shown.filter(([name]) => name.includes("leader")).length, 1);
    await shoot(page, "squad-why");
    assert.deepEqual(page.errors, []);
  }, "long");

  test("plain and team are compared up to the first decision that differs", async (t) => {
    const page = await open(t, LARGE, "&simulation=raven&seed=3&set=sides%3D2&set=bots%3D8");
    await record(page, 300);
    await scrubTo(page, 100);
    await hashAt(page, 100);
    await page.keyboard.press("f");
    await page.locator(".views.two").waitFor();
    await page.getByRole("tab", { name: "Parameters" }).click();
    const row = page.locator(".row").filter({ has: page.locator("select") }).filter({ hasText: /^tactics/ }).first();
    await row.locator("select").selectOption("team");
    await page.getByRole("button", { name: "Compare" }).click();
    await until(page, () => text(page, ".found").catch(() => ""), (now) => /decision at tick \d+/.test(now));
    const found = await text(page, ".found");
    assert.match(await text(page, '.found [data-cause="parameter"]'), /red\.tactics: A plain, B team, set at tick 100/);
    const tick = Number(/decision at tick (\d+)/.exec(found)?.[1]);
    assert.ok(tick >= 100, found);
    await hashAt(page, tick);
    await until(page, () => page.locator(".answer").count(), (count) => count === 2);
    await shoot(page, "raven-compare");
    assert.deepEqual(page.errors, []);
  }, "long");
}
