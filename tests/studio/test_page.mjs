// The page itself: keyboard, sizes, reloads, a server that goes away, a thousand agents.
import assert from "node:assert/strict";
import { join } from "node:path";
import { checkAxe } from "./axe.mjs";
import { hashAt, LARGE, open, openPaused, pause, selectNext, SOCCER } from "./driver.mjs";
import { shots, tickOf, until, stop, serve } from "./harness.mjs";

export default function (test) {
  test("three pages watch at once, and one may vanish", async (t) => {
    const pages = await Promise.all([open(t), open(t), open(t)]);
    await pages[1].close({ runBeforeUnload: false });
    for (const page of [pages[0], pages[2]]) {
      const tick = await tickOf(page);
      await until(page, () => tickOf(page), (now) => now > tick + 10);
    }
  });

  test("a thousand agents are drawn, and nothing jumps", async (t) => {
    const page = await t.newPage({ viewport: { width: 1280, height: 800 } });
    await page.addInitScript(() => {
      window.shift = 0;
      window.shifted = [];
      new PerformanceObserver((list) => {
        // As the browser's own score counts: what follows on a key or a click is no surprise.
        for (const entry of list.getEntries()) {
          if (entry.hadRecentInput) continue;
          window.shift += entry.value;
          const rect = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
          for (const one of entry.sources) window.shifted.push(`${one.node?.nodeName} ${one.node?.className ?? one.node?.textContent}: ${rect(one.previousRect)} to ${rect(one.currentRect)}`);
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(`${t.server.url}&simulation=flock&set=count%3D1000`);
    await until(page, () => tickOf(page).catch(() => 0), (tick) => tick > 30);
    const frames = () => page.evaluate(() => Number(document.documentElement.dataset.frames ?? 0));
    const client = await page.context().newCDPSession(page);
    await client.send("Performance.enable");
    const script = async () => (await client.send("Performance.getMetrics")).metrics.find((one) => one.name === "ScriptDuration").value;
    // On a busy machine what follows on a key may come so late that it counts as a surprise: from the keys until their
    // panel is there it does not.
    const first = await page.evaluate(() => window.shift);
    await page.keyboard.press("3");
    await selectNext(page);
    await page.locator(".why .decided").waitFor();
    const from = await frames();
    await until(page, frames, (count) => count >= from + 10);
    await page.evaluate((first) => {
      window.shift = first;
      if (first === 0) window.shifted = [];
    }, first);
    const before = await script();
    await until(page, frames, (count) => count >= from + 190);
    const mean = ((await script()) - before) * 1000 / ((await frames()) - from);
    const median = await page.evaluate(() => Number(document.documentElement.dataset.scriptMs));
    const shift = await page.evaluate(() => window.shift);
    await page.screenshot({ path: join(shots, "studio-crowd.png") });
    console.log(`     1000 agents: ${median.toFixed(2)} ms of script a frame (median), ${mean.toFixed(2)} ms (mean, as Chromium counts); layout shift ${shift}`);
    assert.ok(median > 0, "the time is measured; it depends on the machine, so it is printed and not judged");
    assert.equal(shift, 0, `moved: ${await page.evaluate(() => window.shifted.join("; "))}`);
  }, "alone");

  test("the gallery and a simulation are ready: how long a person waits is printed", async (t) => {
    const page = await t.newPage({ viewport: LARGE });
    // When the page has all of its cards, or the first picture of a simulation.
    await page.addInitScript(() => {
      const look = () => {
        const cards = document.querySelectorAll(".card").length;
        const drawn = document.querySelector(".view canvas")?.getAttribute("data-tick");
        if (cards > 0 || drawn != null) window.ready = { ms: performance.now(), cards };
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    for (const address of ["", "&simulation=soccer"]) {
      await page.goto("about:blank");
      await page.goto(`${t.server.url}${address}`);
      const { ms, cards } = await until(page, () => page.evaluate(() => window.ready ?? null), (found) => found !== null);
      if (address === "") assert.ok(cards >= 60, `${cards} simulations at once`);
      console.log(`     ${address === "" ? `gallery of ${cards} simulations` : "first picture of a match"}: ready after ${ms.toFixed(0)} ms`);
    }
  }, "alone");

  test("everything can be done by keyboard, and the colours are told apart by everybody", async (t) => {
    const page = await open(t, undefined, SOCCER);
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    for (const [key, name] of [["1", "Parameters"], ["2", "State"], ["3", "Why"], ["4", "Plots"], ["5", "Edit"]]) {
      await page.keyboard.press(key);
      await until(page, () => page.getByRole("tab", { name, exact: true }).getAttribute("aria-selected"), (chosen) => chosen === "true");
    }
    await page.keyboard.press("1");
    // Tab goes through every control that is there, and shows where it is.
    const controls = await page.locator("button:not([disabled]):visible, select:not([disabled]):visible").count();
    const seen = new Set();
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => {
        const one = document.activeElement;
        const style = getComputedStyle(one);
        const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
        return { name: one.getAttribute("aria-label") ?? one.textContent ?? one.id, tag: one.tagName, ring };
      });
      if (at.tag === "BODY") break;
      assert.ok(at.ring, `${at.name} shows the focus`);
      seen.add(`${at.tag} ${at.name}`);
    }
    assert.ok(seen.size > 30 && controls > 10, `${seen.size} controls were reached`);
    await page.evaluate(() => document.activeElement?.blur());
    // The hues of Okabe and Ito's colours, and greys; how light they are depends on the theme.
    const legend = () => page.locator(".legend i").evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor.match(/\d+/g).slice(0, 3).map(Number)));
    await page.getByRole("button", { name: "Layers" }).click();
    await page.locator(".layers .legend li").first().waitFor();
    const picture = await legend();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    const colors = [...picture, ...(await legend())];
    const hue = ([r, g, b]) => (Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) * 180) / Math.PI;
    const safe = [[230, 159, 0], [86, 180, 233], [0, 158, 115], [240, 228, 66], [0, 114, 178], [213, 94, 0], [204, 121, 167]].map(hue);
    assert.ok(colors.length > 8, "the picture's and the timeline's");
    for (const color of colors) {
      const grey = Math.max(...color) - Math.min(...color) <= 24;
      assert.ok(grey || safe.some((one) => Math.abs(((hue(color) - one + 540) % 360) - 180) < 6), `rgb(${color}) is of the palette`);
    }
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.deepEqual(page.errors, []);
  });

  test("no panel shows internals: digests, streams and limits have words, diagrams have no metres, hints fit", async (t) => {
    const page = await t.newPage({ viewport: LARGE });
    // Trees, charts, plots and boards have no metres; where nobody acts, nobody is asked to click an agent.
    const shown = [["planner", true, true], ["village", true, true], ["blackboard", true, true], ["statechart", false, false], ["fuzzy", false, false], ["tree", false, false], ["board", false, false]];
    for (const [simulation, metres, agents] of shown) {
      await openPaused(page, t.server, simulation, 12);
      await page.getByRole("tab", { name: "State", exact: true }).click();
      await page.locator(".tree .leaf").first().waitFor();
      // Views of groups as plain values, and all of them opened.
      for (const button of await page.locator(".state button.plain[aria-pressed=false]").all()) await button.click().catch(() => undefined);
      const leaves = await page.locator(".state .leaf, .state td").evaluateAll((all) => all.map((one) => one.innerText.replace(/\s+/g, " ")));
      assert.ok(leaves.length > 3, `${simulation}: ${leaves.length} values`);
      for (const leaf of leaves) assert.doesNotMatch(leaf, /\brng\b|\w#\d|\d{16,}|\de\+\d\d/, `${simulation} shows internals`);
      const canvas = page.locator(".view canvas").first();
      await until(page, () => canvas.getAttribute("data-metres"), (now) => now === String(metres));
      const hint = (await page.locator(".view-hint").allInnerTexts()).join();
      if (!agents && simulation !== "tree" && simulation !== "statechart") assert.doesNotMatch(hint, /Click an agent/, simulation);
    }
    assert.deepEqual(page.errors, []);
  });

  test("reloading the page finds the simulation again", async (t) => {
    const page = await open(t);
    await pause(page);
    await page.waitForTimeout(200);
    const tick = await tickOf(page);
    const hash = await hashAt(page, tick);
    await page.reload();
    await until(page, () => tickOf(page).catch(() => -1), (now) => now === tick);
    assert.equal(await hashAt(page, tick), hash);
  });

  test("a page without the token may look but not touch", async (t) => {
    const owner = await open(t);
    const page = await t.newPage();
    await page.goto(t.server.url.replace(/#.*/, ""));
    await page.getByText("read only").waitFor();
    assert.ok(await page.getByRole("button", { name: /Play|Pause/ }).isDisabled());
  });

  test("nothing is cut off at 1024 x 640 and at 400 pixels wide", async (t) => {
    for (const size of [{ width: 1024, height: 640 }, { width: 400, height: 800 }]) {
      const page = await open(t, size);
      await until(page, () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), (overflow) => overflow <= 0);
      for (const name of [/Play|Pause/, /^Step$/, "Step back"]) {
        const box = await page.getByRole("button", { name }).boundingBox();
        assert.ok(box !== null && box.x >= 0 && box.x + box.width <= size.width && box.y + box.height <= size.height, `${name} is on screen`);
      }
      const view = await page.locator(".view canvas").boundingBox();
      assert.ok(view.height > 150, `the canvas is ${view.height} high`);
      await page.screenshot({ path: join(shots, `studio-${size.width}.png`) });
    }
  });

  test("the page says when the server goes away and comes back with it", async (t) => {
    const page = await open(t);
    const { port } = t.server;
    await stop(t.server);
    await page.locator('[data-notice="lost"]').waitFor();
    await page.screenshot({ path: join(shots, "studio-lost.png") });
    await checkAxe(page, "without the server");
    t.server = await serve(["--port", String(port)]);
    // A new server has a new token: the page goes on looking, and says that it may not touch.
    await page.locator('[data-notice="lost"]').waitFor({ state: "detached" });
  });
}
