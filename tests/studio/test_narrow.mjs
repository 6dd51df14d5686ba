// Narrow pages, and pages that change while they are paused: nothing is squeezed, cut off or left in the old colours.
import assert from "node:assert/strict";
import { join } from "node:path";
import { drawn, LARGE, open, openHome, openPaused, pause, record, scrubTo, hashAt, SOCCER, text } from "./driver.mjs";
import { shots, until } from "./harness.mjs";
import { boxesOf } from "./overlaps.mjs";

const NARROW = { width: 400, height: 800 };

export default function (test) {
  test("the timeline follows the theme and the width while the page is paused", async (t) => {
    const page = await open(t, LARGE, SOCCER);
    await pause(page);
    // The lanes' colour on the canvas beside the one that the theme gives.
    const colors = () =>
      page.evaluate(() => {
        const canvas = document.querySelector(".timeline canvas");
        const [r, g, b] = canvas.getContext("2d").getImageData(Math.floor(canvas.width / 2), 3, 1, 1).data;
        const probe = document.createElement("i");
        probe.style.color = "var(--track)";
        document.body.append(probe);
        const want = getComputedStyle(probe).color;
        probe.remove();
        return { got: `rgb(${r}, ${g}, ${b})`, want, dark: matchMedia("(prefers-color-scheme: dark)").matches };
      });
    for (const colorScheme of ["dark", "light", "dark", "light"]) {
      await page.emulateMedia({ colorScheme });
      await until(page, colors, ({ got, want, dark }) => got === want && dark === (colorScheme === "dark"));
    }
    const sizes = () => page.locator(".timeline canvas").evaluate((one) => [one.width, Math.round(one.clientWidth * devicePixelRatio)]);
    for (const width of [700, 1100]) {
      await page.setViewportSize({ width, height: 800 });
      await until(page, sizes, ([inside, shown]) => inside === shown && shown < width);
      await until(page, colors, ({ got, want }) => got === want); // setting the width empties a canvas
    }
    assert.deepEqual(page.errors, []);
  });

  test("the gallery at 400 pixels shows its words and the first card", async (t) => {
    const page = await openHome(t, NARROW);
    const cut = () =>
      page.evaluate(() => {
        const context = document.createElement("canvas").getContext("2d");
        const wide = (element, words) => {
          context.font = getComputedStyle(element).font;
          return context.measureText(words).width;
        };
        const input = document.querySelector("#find");
        const style = getComputedStyle(input);
        const room = input.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
        const select = document.querySelector("header select");
        return {
          search: wide(input, input.placeholder) - room,
          chooser: wide(select, select.selectedOptions[0].textContent) + 40 - select.clientWidth, // 40: paddings and the arrow
          page: document.documentElement.scrollWidth - innerWidth,
          card: document.querySelector(".card h3").getBoundingClientRect().bottom - innerHeight,
        };
      });
    await until(page, cut, (over) => Object.values(over).every((one) => one <= 0));
    await page.screenshot({ path: join(shots, "studio-home-narrow.png") });
    assert.deepEqual(page.errors, []);
  });

  test("a comparison at 400 pixels has whole pictures and the whole list of differences", async (t) => {
    const page = await open(t, LARGE, SOCCER);
    await record(page, 120);
    await scrubTo(page, 60);
    await hashAt(page, 60);
    await page.keyboard.press("f");
    await page.locator(".views.two").waitFor();
    await page.keyboard.press("1");
    const row = page.locator(".row", { hasText: "max speed m/s" }).locator("input.number");
    await row.fill("4");
    await row.press("Enter");
    await until(page, () => text(page, "#end").then(Number), (end) => end === 60);
    await page.getByRole("button", { name: "Compare" }).click();
    await page.locator(".found li[data-cause=decision]").waitFor();
    await page.setViewportSize(NARROW);
    await drawn(page);
    const faults = () =>
      page.evaluate(() => {
        const found = [];
        const boxOf = (one) => one.getBoundingClientRect();
        for (const view of document.querySelectorAll(".views.two .view")) {
          const box = boxOf(view);
          if (box.width < 300 || box.height < 200) found.push(`a picture of ${box.width} x ${box.height}`);
        }
        const list = document.querySelector(".found");
        if (list.scrollHeight > list.clientHeight + 1) found.push("differences are cut off");
        if (document.documentElement.scrollWidth > innerWidth) found.push("the page is too wide");
        const all = [...document.querySelectorAll(".pane-name, .view-tools > *, .hidden-labels:not(:empty), .found, .transport, .timeline, aside .panels")];
        for (let i = 0; i < all.length; i++) {
          for (let k = i + 1; k < all.length; k++) {
            if (all[i].contains(all[k]) || all[k].contains(all[i])) continue;
            const [a, b] = [boxOf(all[i]), boxOf(all[k])];
            if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1) found.push(`${all[i].className || all[i].textContent} overlaps ${all[k].className || all[k].textContent}`);
          }
        }
        return found;
      });
    await until(page, faults, (all) => all.length === 0);
    await page.screenshot({ path: join(shots, "studio-compare-narrow.png"), fullPage: true });
    // What is below the screen is reached by scrolling the page.
    await page.locator(".panel").getByText("max speed", { exact: false }).first().scrollIntoViewIfNeeded();
    await until(page, () => page.evaluate(() => scrollY), (y) => y > 0);
    assert.deepEqual(page.errors, []);
  });

  test("labels without room are counted: with those that are shown they are all, and zooming in shows more", async (t) => {
    const page = await t.newPage({ viewport: { width: 1440, height: 900 } });
    for (const simulation of ["planner", "goals"]) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await openPaused(page, t.server, simulation, 60);
      const counts = async () => {
        const { labels, hidden } = await boxesOf(page);
        return [labels.length, hidden];
      };
      const [all] = await until(page, counts, ([shown, hidden]) => shown > 10 && hidden === 0);
      await page.setViewportSize(NARROW);
      const [, hidden] = await until(page, counts, ([shown, hidden]) => hidden > 0 && shown + hidden === all);
      const closer = async () => {
        await page.getByRole("button", { name: "Zoom in" }).click();
        await drawn(page);
        return counts();
      };
      await until(page, closer, ([, now]) => now < hidden);
      assert.deepEqual(page.errors, []);
    }
  });
}
