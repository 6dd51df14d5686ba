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

// Of one action of the browser, which only a page that is broken takes so long for: other programs may have the processors,
// or stop this one, for a minute.
export const PATIENCE = 240000; // ms

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

const ended = (server) => server.child.exitCode !== null || server.child.signalCode !== null;

export function stop(server) {
  if (ended(server)) return Promise.resolve();
  return new Promise((done) => {
    server.child.removeAllListeners("exit");
    server.child.once("exit", done);
    server.child.kill("SIGTERM");
  });
}

// For what is shown in space: WebGL without a graphics card.
export const WEBGL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

export async function launch(args = ["--disable-gpu"]) {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  if (executablePath === undefined) {
    console.error("no Chromium is installed");
    process.exit(1);
  }
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage", ...args] });
}

// The server, or another one if a test that failed left none.
export const stillThere = async (server) => (ended(server) ? serve() : server);

// Waits until what is read is as wanted. Time in which this program itself was stopped does not count.
export const until = async (page, what, want, ms = 60000) => {
  for (let waited = 0, last = Date.now(); ; ) {
    const got = await what();
    if (want(got)) return got;
    if (waited > ms) throw new Error(`still ${JSON.stringify(got)} after ${ms} ms`);
    await page.waitForTimeout(40);
    const now = Date.now();
    waited += Math.min(now - last, 5000);
    last = now;
  }
};

export const tickOf = async (page) => Number(await page.locator("#tick").innerText());

// Waits until a number is large enough, however slow the machine is, as long as it changes now and then.
export async function untilGrown(page, what, enough, ms = 60000) {
  let last = -1;
  for (let waited = 0, since = Date.now(); ; ) {
    const now = await what();
    if (now >= enough) return;
    if (now !== last) waited = 0;
    last = now;
    if (waited > ms) throw new Error(`still ${now} after ${ms} ms`);
    await page.waitForTimeout(40);
    waited += Math.min(Date.now() - since, 5000);
    since = Date.now();
  }
}

// Counts tests. One that failed is run once more, on a fresh page; if it passes then, the last line names it.
export class Tally {
  passed = 0;
  failed = 0;
  repeated = [];

  // @param run    the test; what it returns is printed behind its name
  // @param again  called before it is repeated, with what it failed with
  async count(name, run, again) {
    const begun = Date.now();
    for (let time = 1; ; time++) {
      try {
        const note = await run();
        this.passed++;
        if (time > 1) this.repeated.push(name);
        console.log(`${time > 1 ? "ok at the second try" : "ok  "} ${name}${note ? `: ${note}` : ""} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
        return;
      } catch (error) {
        console.log(`${time > 1 ? "FAIL" : "AGAIN"} ${name}\n     ${error.stack ?? error}`);
        if (time > 1) this.failed++;
        await again(error);
        if (time > 1) return;
      }
    }
  }
  // The last line. @return the status of the program
  end() {
    const again = this.repeated.length === 0 ? "" : `; ${this.repeated.length} passed only when repeated: ${this.repeated.join("; ")}`;
    console.log(`${this.passed} passed, ${this.failed} failed${again}`);
    return this.failed === 0 && this.passed > 0 ? 0 : 1;
  }
}

// Runs tests over a list, several at a time, each worker with a separate server; prints and counts.
// @return the status of the program
export async function overEach(list, workers, run, args = undefined) {
  const browser = await launch(args);
  const left = [...list];
  const tally = new Tally();
  await Promise.all(
    Array.from({ length: workers }, async () => {
      let server = await serve();
      const open = async () => {
        const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
        page.setDefaultTimeout(PATIENCE);
        return page;
      };
      let page = await open();
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        const again = async () => {
          await page.close().catch(() => undefined);
          page = await open();
          server = await stillThere(server);
        };
        await tally.count(one, () => run(page, server, one), again);
        page.removeAllListeners("pageerror");
      }
      await page.close();
      await stop(server);
    }),
  );
  await browser.close();
  return tally.end();
}
