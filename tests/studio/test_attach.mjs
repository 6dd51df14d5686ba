// Programs that serve the studio themselves: keys, clicks and parameters arrive; one with a recorder is rewound too.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkAxe } from "./axe.mjs";
import { hashAt, LARGE, listen, pause, scrubTo, selectNext, text } from "./driver.mjs";
import { program, root, tickOf, until } from "./harness.mjs";
import { screenOf } from "./test_tactics.mjs";

// Runs an example that prints "open ADDRESS", opens that page, and ends the example after the test.
async function withExample(t, name, words, folder, run) {
  const binary = join(dirname(program), "examples", name);
  if (!existsSync(binary)) return "not built";
  const child = spawn("stdbuf", ["-oL", binary, ...words], { cwd: join(root, folder), stdio: ["ignore", "pipe", "inherit"] });
  try {
    const url = await new Promise((done, fail) => {
      child.once("exit", (code) => fail(new Error(`the program ended with status ${code}`)));
      child.stdout.on("data", (bytes) => /^open (\S+)/.exec(String(bytes)) && done(/^open (\S+)/.exec(String(bytes))[1]));
    });
    const page = await t.newPage({ viewport: LARGE });
    listen(page);
    await page.goto(url);
    await run(page);
    assert.deepEqual(page.errors, []);
  } finally {
    child.removeAllListeners("exit");
    child.kill("SIGTERM");
  }
}

export default function (test) {
  test("a program that attached itself gets keys and parameters from the page", (t) =>
    withExample(t, "inspect_attach", ["100000"], ".", async (page) => {
      const row = page.locator(".row", { hasText: "gravity" }).locator("input.number");
      await row.waitFor();
      // Without gravity the ball keeps its speed; a kick makes it exactly 10.
      await row.fill("0");
      await row.press("Enter");
      await page.getByRole("tab", { name: "State" }).click();
      const speed = () => page.locator(".tree .leaf", { hasText: "speed" }).first().innerText();
      await until(page, speed, (text) => /speed/.test(text));
      await page.keyboard.press("k");
      await until(page, speed, (text) => /(^|\D)10$/.test(text.replace(/\s*∿?\s*$/, "").trim()));
      await checkAxe(page, "an attached program");
    }));

  test("a game with a recorder is clicked, tuned, paused, rewound, forked and asked why in the page", (t) =>
    withExample(t, "stealth", ["--serve"], "examples/stealth", async (page) => {
      await until(page, () => tickOf(page).catch(() => 0), (tick) => tick > 20);
      // A coin is thrown where the picture is clicked: an input of the running game, in its log.
      const inputs = () => page.locator(".timeline canvas").first().getAttribute("data-inputs").then(Number);
      const before = await inputs();
      await page.mouse.click(...(await screenOf(page, [0, 0, 44, 25], 43.5, 0.5)));
      await until(page, inputs, (count) => count === before + 1);
      await page.keyboard.press("1");
      const speed = page.locator(".row", { hasText: "player speed" }).locator("input.number");
      await speed.fill("1.5");
      await speed.press("Enter");
      await until(page, () => speed.inputValue(), (value) => value === "1.5");
      await until(page, inputs, (count) => count === before + 2);
      // The page pauses the game, goes back in it and asks a guard.
      await pause(page);
      const end = Number(await text(page, "#end"));
      await scrubTo(page, end);
      const last = await hashAt(page, end);
      await scrubTo(page, 10);
      const early = await hashAt(page, 10);
      assert.notEqual(early, last);
      await selectNext(page);
      await page.keyboard.press("3");
      await until(page, () => page.locator(".decided .option").count(), (count) => count >= 2);
      // A fork is a run of its own.
      await page.getByRole("button", { name: "Fork" }).click();
      await page.locator(".views.two").waitFor();
      await page.getByLabel("both").uncheck();
      await page.keyboard.press("ArrowRight");
      await hashAt(page, 11);
      await page.getByRole("button", { name: "Close B" }).click();
      await page.locator(".views.two").waitFor({ state: "detached" });
      // The same past leads to the same present, and the game goes on from there.
      await scrubTo(page, end);
      assert.equal(await hashAt(page, end), last);
      await page.keyboard.press("Space");
      await until(page, () => tickOf(page), (tick) => tick > end + 5);
    }));
}
