// What a person does with the page: for the browser tests and for tools/screenshots.mjs.
import { readFileSync } from "node:fs";
import { tickOf, until, untilGrown } from "./harness.mjs";

export const text = (page, selector) => page.locator(selector).innerText();
export const pause = async (page) => {
  const button = page.getByRole("button", { name: "Pause", exact: true });
  if (await button.count()) await button.click();
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  // A tick that was on its way when the button changed may still arrive: the page draws every 100 ms.
  let last = -1;
  let since = 0;
  await until(page, () => tickOf(page), (tick) => {
    if (tick !== last) since = Date.now();
    last = tick;
    return Date.now() - since > 250;
  });
};
const HASH = /^[0-9a-f]{16}$/;
// The tick that the page has gone to, once `want` accepts it. On its way a seek shows other ticks, without their hashes.
export const arrived = async (page, want) => {
  const shown = () => page.evaluate(() => [Number(document.getElementById("tick").innerText), document.getElementById("hash").innerText]);
  return (await until(page, shown, ([tick, hash]) => want(tick) && HASH.test(hash)))[0];
};
// Waits until what was done to the page is on screen, as far as the page needs no answer for it.
export const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
// The hash that belongs to a tick, once the page shows that very tick.
export const hashAt = async (page, tick) => {
  await arrived(page, (now) => now === tick);
  return text(page, "#hash");
};

export const LARGE = { width: 1280, height: 800 }; // for pictures of the guide
export const SMALL = { width: 1000, height: 600 }; // less to draw
export const SOCCER = "&simulation=soccer&seed=3";

// Opens a simulation and waits until it plays. Errors of the page's script are collected in page.errors.
export const open = async (t, size = SMALL, address = "&simulation=seek") => {
  const page = await t.newPage({ viewport: size });
  listen(page);
  await page.goto(`${t.server.url}${address}&rate=10`); // drawing is not what is tested
  await until(page, () => tickOf(page).catch(() => 0), (tick) => tick > 2);
  return page;
};
export const listen = (page) => {
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/WebSocket|ERR_CONNECTION/.test(message.text())) page.errors.push(message.text());
  });
};
// Opens the gallery and waits until it lists the simulations.
export const openHome = async (t, size = LARGE) => {
  const page = await t.newPage({ viewport: size });
  listen(page);
  await page.goto(t.server.url);
  await page.locator(".card").first().waitFor();
  return page;
};
const STEP = 60; // ticks of Shift and an arrow key
// Pauses and steps until at least that many ticks are recorded: on a busy machine a run that plays fast is far beyond
// them before it can be paused.
export const record = async (page, ticks) => {
  await pause(page);
  await page.evaluate(() => document.activeElement?.blur()); // lists, tabs and sliders take arrows for themselves
  const end = () => text(page, "#end").then(Number);
  // Each step is waited for to its end: one that is still under way would go on while the caller looks at an earlier tick.
  for (let now = await end(); now < ticks; now += STEP) {
    await page.keyboard.press("Shift+ArrowRight");
    await untilGrown(page, end, now + STEP);
  }
};
// Selects the next agent by its key. @return its id, once the page shows it
export const selectNext = async (page) => {
  const shown = () => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("agent"));
  const before = await shown();
  await page.keyboard.press("n");
  return until(page, shown, (now) => now !== null && now !== before);
};
export const scrubTo = (page, tick) =>
  page.locator("input.scrub").evaluate((element, value) => {
    element.value = String(value);
    element.dispatchEvent(new Event("input", { bubbles: true }));
  }, tick);
// Opens a simulation, lets it play, and pauses at exactly that tick: the same picture and the same decisions every time.
export async function openPaused(page, server, simulation, ticks) {
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(String(error)));
  await page.goto("about:blank");
  await page.goto(`${server.url}&simulation=${simulation}&rate=10`);
  await untilGrown(page, () => tickOf(page).catch(() => 0), 2);
  await record(page, ticks);
  const tick = await arrived(page, () => true);
  if (tick !== ticks) await scrubTo(page, ticks);
  await arrived(page, (now) => now === ticks);
  // The picture may come later than the page.
  await until(page, () => page.locator(".view canvas").first().getAttribute("data-tick"), (drawn) => drawn === String(ticks));
}
export const marksOf = (page) => page.locator(".timeline canvas").first().getAttribute("data-marks").then(Number);
// Drops a file on the page, as from a folder.
export const drop = async (page, name, bytes) => {
  const transfer = await page.evaluateHandle(
    ([name, bytes]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], name));
      return transfer;
    },
    [name, [...bytes]],
  );
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
};
export const download = async (page, button) => {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button, exact: true }).click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
};

export const editor = (page) => page.locator(".code textarea");
export const verdict = (page) => page.locator(".verdict");
// Changes the text as a person who types would, at one place.
export const edit = async (page, from, to) => {
  await until(page, () => editor(page).inputValue(), (value) => value.includes(from));
  const value = await editor(page).inputValue();
  await editor(page).fill(value.replace(from, to));
};
export const choose = async (page, simulation, title) => {
  await page.getByLabel("Simulation", { exact: true }).selectOption(`open:${simulation}`);
  await page.waitForFunction((title) => document.title.startsWith(title), title);
  await drawn(page); // until then the tick is that of the simulation before
  await until(page, () => tickOf(page).catch(() => 0), (tick) => tick > 1);
};

// The lab of board games.
// A value of the panel State; "" if it is not there.
export const boardValue = (page, name) =>
  page.evaluate((name) => {
    for (const leaf of document.querySelectorAll(".leaf")) {
      const text = leaf.querySelector(".value")?.textContent;
      if (text !== undefined && leaf.textContent.trim().startsWith(name + text)) return text;
    }
    return "";
  }, name);
export const plies = (page) => boardValue(page, "plies").then((text) => (text === "" ? -1 : Number(text)));
// Clicks a place of the picture. The view of the lab is fitted: its middle is the middle of the canvas.
const BOARD = [-1, -1.5, 17, 10];
export const boardClick = async (page, x, y) => {
  const box = await page.locator(".view canvas").first().boundingBox();
  const scale = Math.min(box.width / (BOARD[2] - BOARD[0]), box.height / (BOARD[3] - BOARD[1])) * 0.96;
  await page.mouse.click(box.x + box.width / 2 + (x - (BOARD[0] + BOARD[2]) / 2) * scale, box.y + box.height / 2 - (y - (BOARD[1] + BOARD[3]) / 2) * scale);
};
// Plays a column and waits until so many discs are on the board.
export const boardMove = async (page, column, discs) => {
  await until(page, () => plies(page), (count) => count === 0);
  await boardClick(page, column + 0.5, 3);
  await until(page, () => plies(page), (count) => count === discs);
};

// The debugger.
export const breakAt = async (page, line, condition) => {
  const button = page.getByRole("button", { name: `Breakpoint at line ${line}`, exact: true });
  await button.click();
  await until(page, () => button.getAttribute("aria-pressed"), (pressed) => pressed === "true");
  if (condition === undefined) return;
  const field = page.getByLabel(`Condition of the breakpoint at line ${line}`, { exact: true });
  await field.fill(condition);
  await field.press("Enter");
  await until(page, () => button.getAttribute("title"), (title) => title === `if ${condition}`);
};
export const watch = async (page, expression) => {
  await page.getByLabel("New watch", { exact: true }).fill(expression);
  await page.getByLabel("New watch", { exact: true }).press("Enter");
  await page.locator(".watches li", { hasText: expression }).waitFor();
};
