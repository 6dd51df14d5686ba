// What axe-core finds in a page, in both themes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { drawn } from "./driver.mjs";
import { root } from "./harness.mjs";

const source = readFileSync(createRequire(join(root, "studio/package.json")).resolve("axe-core/axe.min.js"), "utf8");

// No serious or critical violation.
export const checkAxe = async (page, view) => {
  // The page's policy forbids scripts of others, so it is evaluated in the page.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await drawn(page);
    await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => undefined)))); // colours that fade
    const found = await page.evaluate(async () => {
      const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
      return violations.filter((one) => one.impact === "serious" || one.impact === "critical").map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.target.join(" ")} (${node.any[0]?.message ?? ""})`).join("; ")}`);
    });
    assert.deepEqual(found, [], `${view}, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
};
