// Every view of the studio: nothing overlaps or is cut off at three widths, and axe-core finds no serious violation, in
// both themes, on the widest and the narrowest page.
// usage: node tests/studio/looks.mjs [PROGRAM] [SCREENSHOT-FOLDER] [VIEW...]
import assert from "node:assert/strict";
import { checkAxe } from "./axe.mjs";
import { drawn, listen } from "./driver.mjs";
import { overEach, until, WEBGL } from "./harness.mjs";
import { look, lookInside } from "./overlaps.mjs";
import { openView, SIZES, VIEWS } from "./views.mjs";

const names = process.argv.length > 4 ? process.argv.slice(4) : Object.keys(VIEWS);

const status = await overEach(
  names,
  3,
  async (page, server, name) => {
    listen(page);
    await openView(page, server, name);
    const notes = [];
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.waitForFunction((width) => innerWidth === width, size.width);
      await drawn(page);
      const found = async () => {
        const seen = (await page.locator(".view canvas").count()) > 0 && (await page.locator("dialog[open]").count()) === 0;
        const picture = seen ? await look(page, size.width) : { faults: [] };
        const inside = await lookInside(page);
        return { faults: [...picture.faults, ...inside.faults], controls: inside.controls };
      };
      const { controls } = await until(page, found, ({ faults }) => faults.length === 0, 15000).catch((error) => {
        throw new Error(`${name} at ${size.width}: ${error.message}`);
      });
      notes.push(controls);
      if (size === SIZES[0] || size === SIZES.at(-1)) await checkAxe(page, `${name} at ${size.width}`);
    }
    assert.deepEqual(page.errors, []);
    return `controls ${notes.join(", ")}`;
  },
  WEBGL,
);
process.exit(status);
