// Nothing overlaps: opens every lab and game at three widths and compares the boxes of all labels, tables and controls.
// usage: node tests/studio/boxes.mjs [PROGRAM] [SCREENSHOT-FOLDER] [SIMULATION...]
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { drawn, openPaused } from "./driver.mjs";
import { overEach, program, shots, until } from "./harness.mjs";
import { look, SIZES } from "./overlaps.mjs";

const SHOWN = ["pathfinder", "rules", "westworld", "soccer", "left_or_right", "tree", "fuzzy", "planner"];
const names = ["lab", "play"].flatMap((command) =>
  spawnSync(program, [command, "list", "--json"], { encoding: "utf8" }).stdout.trim().split("\n").map((line) => JSON.parse(line).name),
);

const status = await overEach(process.argv.length > 4 ? process.argv.slice(4) : names, 3, async (page, server, name) => {
  const notes = [];
  await page.setViewportSize(SIZES[0]);
  await openPaused(page, server, name, 60);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.waitForFunction((width) => innerWidth === width, size.width);
    await drawn(page); // the observer of the size asks for a picture in the next frame
    await drawn(page);
    const { note } = await until(page, () => look(page, size.width), ({ faults }) => faults.length === 0, 15000).catch((error) => {
      throw new Error(`${name} at ${size.width}: ${error.message}`);
    });
    notes.push(note);
    if (SHOWN.includes(name)) await page.screenshot({ path: join(shots, `studio-${name}-${size.width}.png`) });
  }
  assert.deepEqual(page.errors, []);
  return `labels ${notes.join(", ")}`;
});
process.exit(status);
