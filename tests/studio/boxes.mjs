// Nothing overlaps: opens every lab and game at three widths and compares the boxes of all labels, tables and controls.
// usage: node tests/studio/boxes.mjs [PROGRAM] [SCREENSHOT-FOLDER] [SIMULATION...]
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { drawn, openPaused } from "./driver.mjs";
import { overEach, program, shots, until } from "./harness.mjs";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 400, height: 800 },
];
const SHOWN = ["pathfinder", "rules", "westworld", "soccer", "left_or_right", "tree", "fuzzy", "planner"];
const names = ["lab", "play"].flatMap((command) =>
  spawnSync(program, [command, "list", "--json"], { encoding: "utf8" }).stdout.trim().split("\n").map((line) => JSON.parse(line).name),
);

// What the page shows: labels in the picture and controls, each with a name and a box in page pixels.
const boxesOf = (page) =>
  page.evaluate(() => {
    const canvas = document.querySelector(".view canvas");
    const rect = canvas.getBoundingClientRect();
    const labels = (canvas.labelBoxes ?? []).map((box, i) => ({ name: `label ${i}`, x0: rect.left + box.x0, y0: rect.top + box.y0, x1: rect.left + box.x1, y1: rect.top + box.y1 }));
    const seen = [...document.querySelectorAll("button, select, input, .hidden-labels, .view-hint, .caption span, header strong")].filter((one) => {
      const box = one.getBoundingClientRect();
      if (box.width === 0 || box.height === 0 || getComputedStyle(one).visibility === "hidden" || one.closest(".visually-hidden, .panel, .timeline")) return false;
      return box.bottom > 0 && box.top < innerHeight;
    });
    const controls = seen.map((one) => {
      const box = one.getBoundingClientRect();
      return { name: `${one.tagName} ${one.className} ${(one.getAttribute("aria-label") ?? one.textContent ?? "").trim().slice(0, 30)}`, x0: box.left, y0: box.top, x1: box.right, y1: box.bottom };
    });
    const note = document.querySelector(".hidden-labels")?.textContent ?? "";
    return { view: { x0: rect.left, y0: rect.top, x1: rect.right, y1: rect.bottom }, labels, controls, note, wide: document.documentElement.scrollWidth, hidden: note === "" ? 0 : Number.parseInt(note) };
  });

const overlap = (a, b) => Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0) > 1 && Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0) > 1;

// What is wrong at this size, and what to note: labels and controls over each other, labels cut off, a page too wide.
async function look(page, width) {
  const { view, labels, controls, note, wide, hidden } = await boxesOf(page);
  const all = [...labels, ...controls];
  const faults = [];
  for (let i = 0; i < all.length; i++) {
    for (let k = i + 1; k < all.length; k++) if (overlap(all[i], all[k])) faults.push(`${all[i].name} and ${all[k].name} overlap`);
  }
  const outside = labels.filter((one) => one.x0 < view.x0 - 2 || one.x1 > view.x1 + 2);
  if (outside.some((one) => one.x1 - one.x0 <= view.x1 - view.x0)) faults.push("a label is cut off");
  if (wide > width) faults.push(`the page is ${wide} wide`);
  if (note !== "" && !/^\d+ labels? hidden: zoom in$/.test(note)) faults.push(`"${note}" is no count of labels`);
  return { faults: faults.slice(0, 5), note: `${labels.length}${hidden > 0 ? ` (${hidden} hidden)` : ""}` };
}

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
