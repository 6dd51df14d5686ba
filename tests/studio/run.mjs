// The studio in a real browser: what a person would do, through the page's own controls.
// usage: node tests/studio/run.mjs [PROGRAM] [SCREENSHOT-FOLDER] [PART-OF-A-NAME]
import { SMALL } from "./driver.mjs";
import { launch, PATIENCE, serve, stillThere, stop, Tally } from "./harness.mjs";

const FILES = ["edits", "reasons", "time", "page", "home", "focus", "plots", "graphs", "tactics", "level", "narrow", "debug", "board", "raven", "attach"];
const WORKERS = 3;

// Tests run several at a time, each worker with a server of its own, the long ones first; those that measure run alone.
const tests = [];
for (const file of FILES) (await import(`./test_${file}.mjs`)).default((name, run, kind = "") => tests.push({ name, run, kind }));

const wanted = process.argv[4] ?? "";
const chosen = tests.filter(({ name }) => name.includes(wanted));
const browser = await launch();
const tally = new Tally();
// Takes tests off the list until it is empty. What a test opened is closed after it, whatever became of it.
async function work(list) {
  const t = { server: await serve(), pages: [] };
  // The first page of a test is the worker's own, emptied before: a new one costs a process.
  let own = null;
  t.newPage = async (options = { viewport: SMALL }) => {
    const first = !t.taken && own !== null;
    t.taken = true;
    const page = first ? own : await browser.newPage(options);
    if (!first) page.on("dialog", (dialog) => dialog.accept()); // leaving a page with a draft asks
    page.setDefaultTimeout(PATIENCE);
    await page.emulateMedia({ colorScheme: "light" });
    if (first) await page.setViewportSize(options.viewport);
    t.pages.push(page);
    return page;
  };
  // After a failure: what the pages showed, and fresh ones for the next try.
  const again = async () => {
    for (const page of t.pages.splice(0)) {
      const notices = await page.locator(".notice").allInnerTexts().catch(() => []);
      console.log(`     at ${page.url().replace(/token=\w+/, "token=...")}: ${[...notices, ...(page.errors ?? [])].join("; ")}`);
      await page.close().catch(() => undefined);
    }
    own = null;
    t.taken = false;
    t.server = await stillThere(t.server);
  };
  for (let one = list.shift(); one !== undefined; one = list.shift()) {
    await tally.count(one.name, () => one.run(t), again);
    t.taken = false;
    for (const page of t.pages.splice(0)) {
      own ??= page;
      if (page.isClosed() && page === own) own = null;
      page.removeAllListeners("pageerror");
      page.removeAllListeners("console");
      if (page === own) await page.goto("about:blank").catch(() => (own = null));
      else await page.close().catch(() => undefined);
    }
  }
  await stop(t.server);
}
const together = [...chosen.filter(({ kind }) => kind === "long"), ...chosen.filter(({ kind }) => kind === "")];
await Promise.all(Array.from({ length: WORKERS }, () => work(together)));
await work(chosen.filter(({ kind }) => kind === "alone"));
await browser.close();
process.exit(tally.end());
