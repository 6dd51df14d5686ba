// What the browser tests share: the program's server, the browser, waiting.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const program = resolve(process.argv[2] ?? join(root, "build/ploy"));
export const shots = process.argv[3] ? resolve(process.argv[3]) : join(root, "build/screenshots");
mkdirSync(shots, { recursive: true });

const require = createRequire(join(root, "studio/package.json"));
const { chromium } = require("playwright-core");

// Starts the server and waits for the address that it prints.
export function serve(extra = ["--port", "0"]) {
  const child = spawn(program, ["studio", "--json", ...extra], { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((done, fail) => {
    let text = "";
    child.once("error", fail);
    child.once("exit", (code) => fail(new Error(`the server ended with status ${code}`)));
    child.stdout.on("data", (bytes) => {
      text += bytes;
      const line = text.indexOf("\n");
      if (line < 0) return;
      const { url, port } = JSON.parse(text.slice(0, line));
      done({ child, url, port });
    });
  });
}

export function stop(server) {
  return new Promise((done) => {
    server.child.removeAllListeners("exit");
    server.child.once("exit", done);
    server.child.kill("SIGTERM");
  });
}

export async function launch(args = ["--disable-gpu"]) {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  if (executablePath === undefined) {
    console.error("no Chromium is installed");
    process.exit(1);
  }
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage", ...args] });
}

export const until = async (page, what, want, ms = 40000) => {
  const begun = Date.now();
  for (;;) {
    const got = await what();
    if (want(got)) return got;
    if (Date.now() - begun > ms) throw new Error(`still ${JSON.stringify(got)} after ${ms} ms`);
    await page.waitForTimeout(40);
  }
};

export const tickOf = async (page) => Number(await page.locator("#tick").innerText());

// Opens a simulation and lets it play that many ticks, then pauses.
export async function openPaused(page, server, simulation, ticks) {
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(String(error)));
  await page.goto("about:blank");
  await page.goto(`${server.url}&simulation=${simulation}&rate=10`);
  await until(page, () => tickOf(page).catch(() => 0), (tick) => tick > 1, 30000);
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  if ((await tickOf(page)) < ticks) {
    await page.getByLabel("Speed", { exact: true }).selectOption("16");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await until(page, () => tickOf(page), (tick) => tick >= ticks, 60000);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  }
  await page.waitForTimeout(300);
}

// Runs tests over a list, several at a time, each worker with a server of its own; prints and counts.
export async function overEach(list, workers, run) {
  const browser = await launch();
  const left = [...list];
  let failed = 0;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      const server = await serve();
      const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
      page.setDefaultTimeout(90000); // two of these programs share the processors with compilers
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        try {
          const note = await run(page, server, one);
          console.log(`ok   ${one}${note ? `: ${note}` : ""}`);
        } catch (error) {
          failed++;
          console.log(`FAIL ${one}\n     ${error.stack ?? error}`);
        }
        page.removeAllListeners("pageerror");
      }
      await page.close();
      await stop(server);
    }),
  );
  await browser.close();
  console.log(`${list.length - failed} passed, ${failed} failed`);
  return failed;
}
