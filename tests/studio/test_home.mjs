// The gallery, the address, and the two themes.
import assert from "node:assert/strict";
import { choose, edit, editor, hashAt, LARGE, listen, open, openHome, pause, selectNext, SMALL, SOCCER, text } from "./driver.mjs";
import { tickOf, until } from "./harness.mjs";

const hashOf = (page) => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
const titleOf = (page, title) => page.waitForFunction((title) => document.title.startsWith(title), title);

export default function (test) {
  test("the gallery lists every simulation by category, with live pictures, whole texts, techniques, guide and source", async (t) => {
    const page = await openHome(t);
    const cards = page.locator(".card");
    const count = await cards.count();
    assert.ok(count >= 60, `${count} simulations`);
    assert.equal(Number(/\d+/.exec(await text(page, ".count"))[0]), count);
    const categories = await page.locator(".home h2").allInnerTexts();
    assert.ok(categories.length >= 8, categories.join());
    assert.match(categories[0], /^Games/);
    // Nothing of a help text is cut off.
    const cut = await page.locator(".card p").evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1).length);
    assert.equal(cut, 0);
    // Pictures come from the engine: they have colours, and no two of the first are alike.
    const drawn = page.locator('.thumbnail[data-drawn="yes"]');
    await until(page, () => drawn.count(), (now) => now >= 4);
    const pictures = await drawn.evaluateAll((all) => all.slice(0, 4).map((one) => one.toDataURL()));
    assert.equal(new Set(pictures).size, 4);
    // With the pointer on its card a picture moves; without it, it rests.
    const soccer = page.locator('.thumbnail[data-simulation="soccer"]');
    const still = await soccer.evaluate((one) => one.toDataURL());
    await soccer.hover();
    await until(page, () => soccer.evaluate((one) => one.toDataURL()), (now) => now !== still);
    await page.mouse.move(5, 5);
    let last = "";
    await until(page, async () => {
      const before = last;
      last = await soccer.evaluate((one) => one.toDataURL());
      await page.waitForTimeout(600);
      return before === last;
    }, Boolean);
    // Techniques lead to the guide, the source to the source.
    const flock = page.locator(".card", { has: page.getByRole("link", { name: "A flock and a dog", exact: true }) });
    await flock.locator("summary").click();
    await flock.getByRole("link", { name: "cohesion", exact: true }).click();
    await page.locator(".reader-text h2, .reader-text h3").first().waitFor();
    assert.match(await text(page, ".reader-head"), /docs\/guide\/move/);
    await page.goBack();
    await page.locator(".reader").waitFor({ state: "detached" });
    await flock.getByRole("link", { name: /^Source/ }).click();
    await until(page, () => text(page, ".reader-text"), (source) => source.includes("ploy_lab_flock"));
    await page.keyboard.press("Escape");
    await page.locator(".reader").waitFor({ state: "detached" });
    assert.deepEqual(page.errors, []);
  }, "long");

  test("the gallery is searched by words of titles, texts and techniques, and filtered by category", async (t) => {
    const page = await openHome(t);
    await page.keyboard.press("/");
    assert.equal(await page.evaluate(() => document.activeElement.id), "find");
    await page.keyboard.type("cohesion");
    await until(page, () => page.locator(".card").count(), (count) => count > 0 && count < 8);
    await page.getByRole("link", { name: "A flock and a dog", exact: true }).waitFor();
    await page.locator("#find").fill("no such thing");
    await page.getByText("Nothing matches").waitFor();
    await page.locator("#find").fill("");
    await page.getByRole("button", { name: "Tactics", exact: true }).click();
    await until(page, () => page.locator(".home h2").allInnerTexts(), (all) => /^Tactics/.test(all[0]) && all.slice(1).every((one) => one === "Running"));
    assert.deepEqual(page.errors, []);
  });

  test("the address names what is open: Back, Forward, reload and a pasted link lead there", async (t) => {
    const page = await openHome(t);
    await page.getByRole("link", { name: "Simple Soccer", exact: true }).click();
    await titleOf(page, "Simple Soccer");
    await until(page, () => tickOf(page).catch(() => 0), (tick) => tick > 30);
    await pause(page);
    await selectNext(page); // each its entry: two keys in one frame would have one
    await page.keyboard.press("4");
    await until(page, () => hashOf(page), (hash) => hash.simulation === "soccer" && hash.panel === "plots" && /^\d+:\d+$/.test(hash.agent ?? ""));
    const tick = await tickOf(page);
    await until(page, () => hashOf(page), (hash) => Number(hash.tick) === tick);
    const { agent } = await hashOf(page);
    const hash = await hashAt(page, tick);
    const link = page.url();
    // Back over the panel and the agent to the gallery, forward again to the same state.
    await page.goBack();
    await until(page, () => hashOf(page), (now) => now.panel !== "plots");
    await page.getByRole("tab", { name: "Why", selected: true }).waitFor();
    await page.goBack();
    await page.goBack();
    await page.locator(".card").first().waitFor();
    await until(page, () => hashOf(page), (now) => now.simulation === undefined);
    await page.goForward();
    await titleOf(page, "Simple Soccer");
    await page.goForward();
    await page.getByRole("tab", { name: "Why", selected: true }).waitFor();
    await page.goForward();
    await page.getByRole("tab", { name: "Plots", selected: true }).waitFor();
    assert.equal(await hashAt(page, tick), hash);
    // A reload.
    await page.reload();
    await until(page, () => tickOf(page).catch(() => -1), (now) => now === tick);
    await page.getByRole("tab", { name: "Plots", selected: true }).waitFor();
    await until(page, () => hashOf(page), (now) => now.agent === agent);
    assert.equal(await hashAt(page, tick), hash);
    // The link in another page, and on a server that has never heard of that session.
    const other = await t.newPage({ viewport: SMALL });
    listen(other);
    await other.goto(link);
    assert.equal(await hashAt(other, tick), hash, "another page shows the same state");
    await other.goto("about:blank");
    await other.goto(link.replace(/session=\d+/, "session=987654"));
    assert.equal(await hashAt(other, tick), hash, "the same run is made again");
    await other.getByRole("tab", { name: "Plots", selected: true }).waitFor();
    await until(other, () => hashOf(other), (now) => now.agent === agent);
    assert.deepEqual([...page.errors, ...other.errors], []);
  }, "long");

  test("a draft survives another panel and another simulation, and is not discarded without a question", async (t) => {
    const page = await open(t, SMALL, "&simulation=tree&seed=5");
    await page.keyboard.press("5");
    await edit(page, 'name="rest"', 'name="doze"');
    await page.getByRole("tab", { name: "Why" }).click();
    await page.getByRole("tab", { name: /^Edit/ }).click();
    await until(page, () => editor(page).inputValue(), (value) => value.includes('name="doze"'));
    await page.getByRole("tab", { name: "Parameters", exact: true }).click();
    await choose(page, "seek", "Seek");
    await page.keyboard.press("Shift+H");
    const card = page.locator(".card", { has: page.getByRole("link", { name: "Behavior tree", exact: true }) });
    await card.getByText("draft").waitFor();
    await card.getByRole("link", { name: "Behavior tree", exact: true }).click();
    await titleOf(page, "Behavior tree");
    await page.getByRole("tab", { name: /^Edit/ }).click();
    await until(page, () => editor(page).inputValue(), (value) => value.includes('name="doze"'));
    // Reverting asks; Cancel keeps it.
    await page.getByRole("button", { name: "Revert" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.match(await editor(page).inputValue(), /name="doze"/);
    // So does closing a run that has one, and leaving the page.
    await page.keyboard.press("Escape");
    const asked = await page.evaluate(() => {
      const event = new Event("beforeunload", { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    });
    assert.ok(asked, "the browser asks before the page is left");
    await page.getByRole("button", { name: "Revert" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
    await until(page, () => editor(page).inputValue(), (value) => value.includes('name="rest"'));
    await page.getByRole("button", { name: "Fork" }).click();
    await page.locator(".views.two").waitFor();
    await edit(page, 'name="rest"', 'name="nap"');
    await page.getByRole("button", { name: "Close B" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal(await page.locator(".views.two").count(), 1);
    await page.getByRole("button", { name: "Close B" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard it" }).click();
    await page.locator(".views.two").waitFor({ state: "detached" });
    assert.deepEqual(page.errors, []);
  }, "long");

  // Relative luminance as WCAG 2 defines it.
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
  const parse = (color) => color.match(/[\d.]+/g).slice(0, 3).map(Number);

  test("both themes follow the system, and the picture's colours are seen well on either", async (t) => {
    const page = await open(t, LARGE, SOCCER);
    await pause(page);
    await page.getByRole("button", { name: "Layers" }).click();
    await page.locator(".layers .legend li").first().waitFor();
    const papers = [];
    const paperOf = async () => parse(await page.locator("header").evaluate((one) => getComputedStyle(one).backgroundColor));
    const legendOf = async () => (await page.locator(".layers .legend li:not(:has-text('floor')) i").evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor))).map(parse);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      const paper = await until(page, paperOf, (color) => luminance(color) > 0.5 === (colorScheme === "light"));
      papers.push(luminance(paper));
      // The colours that are seen too little on it.
      const weak = async () => {
        const legend = await legendOf();
        return legend.length > 4 ? legend.filter((color) => contrast(color, paper) < 2.95).map((color) => `${color} has ${contrast(color, paper).toFixed(2)}`) : ["no legend"];
      };
      await until(page, weak, (all) => all.length === 0);
      // The picture itself is drawn with them: its background is the theme's.
      const corner = () => page.locator(".view canvas").evaluate((one) => [...one.getContext("2d").getImageData(3, 3, 1, 1).data].slice(0, 3));
      await until(page, corner, (color) => Math.abs(luminance(color) - luminance(paper)) < 0.15);
    }
    assert.ok(papers[0] > 0.8 && papers[1] < 0.1, papers.join());
    assert.deepEqual(page.errors, []);
  });
}
