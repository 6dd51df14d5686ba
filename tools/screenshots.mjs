#!/usr/bin/env node
// node tools/screenshots.mjs [PROGRAM] [FOLDER] [VIEW ...]
//
// Takes a picture of every view of the studio in both themes and at three widths into build/screenshots (or FOLDER), and copies those
// that the guide shows to docs/images. With names of views only those are taken. Needs what the browser test needs:
// playwright-core (npm, in studio/) and Debian's package chromium.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawn, edit, hashAt, record, scrubTo, text } from '../tests/studio/driver.mjs';
import { launch, root, serve, shots, stop, tickOf, until } from '../tests/studio/harness.mjs';

const wanted = process.argv.slice(4);
const SIZES = [{ width: 1440, height: 900 }, { width: 1024, height: 700 }, { width: 400, height: 800 }];
const THEMES = ['light', 'dark'];
const SOCCER = '&simulation=soccer&seed=3';
// What the guide shows: view, theme, width.
const KEPT = [
  ['home', 'light', 1440], ['home', 'dark', 1440], ['game', 'light', 1440], ['compare', 'light', 1440], ['tree', 'light', 1440],
  ['goals', 'light', 1440], ['plots', 'light', 1440], ['edit', 'light', 1440], ['tree-graph', 'light', 1440], ['recipe', 'light', 1440],
  ['candidates', 'light', 1440], ['lanes', 'light', 1440], ['level', 'light', 1440], ['space', 'light', 1440],
];

const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};
const at = async (page, tick) => {
  await scrubTo(page, tick);
  await hashAt(page, tick);
};
/** Views by name: the address, and what a person does until the view is there. */
const VIEWS = {
  home: ['', async (page) => {
    const left = () => page.locator('.thumbnail[data-drawn="no"]').evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().top < innerHeight).length);
    await until(page, left, (count) => count === 0, 180000);
  }],
  search: ['', async (page) => {
    await page.locator('#find').fill('flock');
    await until(page, () => page.locator('.thumbnail[data-drawn="no"]').count(), (count) => count === 0, 180000);
    await page.locator('.shows summary').first().click();
  }],
  guide: ['&read=docs/guide/move-behaviors.md', (page) => page.locator('.reader-text h2').first().waitFor()],
  game: [SOCCER, async (page) => {
    await record(page, 900);
    await press(page, 'n', 'n');
    await page.locator('.chip.now').waitFor();
    await at(page, 860);
  }],
  parameters: [SOCCER, (page) => record(page, 200)],
  about: [SOCCER, async (page) => {
    await record(page, 200);
    await page.getByRole('button', { name: 'About', exact: true }).click();
  }],
  help: [SOCCER, async (page) => {
    await record(page, 200);
    await press(page, '?');
  }],
  state: [SOCCER, async (page) => {
    await record(page, 300);
    await press(page, '2');
    await page.locator('.tree .leaf').first().waitFor();
  }],
  compare: [SOCCER, async (page) => {
    await record(page, 400);
    await at(page, 200);
    await press(page, 'f');
    await page.locator('.views.two').waitFor();
    await press(page, '1');
    const row = page.locator('.row', { hasText: 'max speed m/s' }).locator('input.number');
    await row.fill('4');
    await row.press('Enter');
    await until(page, () => text(page, '#end').then(Number), (end) => end === 200);
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.locator('.found').waitFor({ timeout: 60000 });
    await until(page, () => page.locator('.answer .decision').count(), (count) => count > 1);
  }],
  tree: ['&simulation=tree&seed=5', async (page) => {
    await record(page, 300);
    await press(page, 'n');
    await page.locator('.bt li').first().waitFor();
  }],
  goals: ['&simulation=goals', async (page) => {
    await record(page, 300);
    await press(page, 'n');
    await page.locator('.goals').first().waitFor();
  }],
  plots: [SOCCER, async (page) => {
    await record(page, 600);
    await press(page, '2');
    await page.getByRole('button', { name: 'Plot speed', exact: true }).first().click();
    await press(page, 'n');
    await page.getByRole('button', { name: 'Plot distance to the ball' }).first().click();
    await press(page, 'n');
    await page.getByRole('button', { name: 'Plot distance to the ball' }).first().click();
    await press(page, '4');
    await until(page, () => page.locator('.plots canvas').last().getAttribute('data-points').then(Number), (count) => count > 300, 60000);
  }],
  edit: ['&simulation=tree&seed=5', async (page) => {
    await record(page, 200);
    await press(page, '5');
    await edit(page, 'seconds="1.0"', 'secs="1.0"');
    await page.locator('.faults li').first().waitFor();
  }],
  'tree-graph': ['&simulation=tree&seed=5&panel=edit', async (page) => {
    await record(page, 200);
    await page.locator('.graph .node[data-title="attack"]').click();
  }],
  chart: ['&simulation=statechart&panel=edit', async (page) => {
    await record(page, 100);
    await page.locator('.graph .node[data-title="game"]').click({ position: { x: 40, y: 12 } });
  }],
  fuzzy: ['&simulation=fuzzy&panel=edit', (page) => record(page, 60)],
  board: ['&simulation=blackboard&panel=state', async (page) => {
    await record(page, 120);
    await press(page, 'n');
    await page.locator('.board').first().waitFor();
  }],
  recipe: ['&simulation=recipe&seed=2', async (page) => {
    await record(page, 20);
    await press(page, '5');
    await page.getByRole('button', { name: 'Every stage' }).click();
    await page.getByRole('button', { name: 'Settings of stage 1' }).click();
  }],
  maps: ['&simulation=influence&panel=tactics', async (page) => {
    await record(page, 90);
    await page.locator('.map-legend .map-scale').waitFor();
  }],
  candidates: ['&simulation=cover&panel=tactics', async (page) => {
    await record(page, 130);
    await press(page, 'n', '6');
    await page.locator('.candidate-list li').nth(5).waitFor();
  }],
  orders: ['&simulation=strategy&panel=tactics', async (page) => {
    await record(page, 200);
    await page.locator('.command-log .order').first().waitFor();
  }],
  lanes: ['&simulation=scripts&set=pause=30&panel=tactics', async (page) => {
    await record(page, 120);
    await until(page, () => page.locator('.lanes .lane-signal').count(), (count) => count > 0);
  }],
  level: ['&simulation=level&panel=edit', async (page) => {
    await until(page, () => page.locator('.code textarea').inputValue(), (value) => value.includes('wall 7 7 12 7'));
    await edit(page, 'wall 7 7 12 7', 'wall 7 7 11 9');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await until(page, () => page.locator('.verdict').innerText(), (now) => now === 'taken over');
  }],
  space: ['&simulation=storeys', async (page) => {
    await record(page, 200);
    await press(page, 'n', 'n', 'n');
    await page.locator('.space-canvas').waitFor();
    await page.locator('.decided .option').first().waitFor();
  }],
  layers: ['&simulation=navmesh', async (page) => {
    await record(page, 60);
    await page.getByRole('button', { name: 'Layers' }).click();
  }],
};

for (const name of wanted) {
  if (VIEWS[name] === undefined) {
    console.error(`screenshots.mjs: no view '${name}'; expected one of ${Object.keys(VIEWS).join(', ')}`);
    process.exit(2);
  }
}
const server = await serve();
const browser = await launch(['--use-angle=swiftshader', '--enable-unsafe-swiftshader']); // WebGL for what is shown in space
try {
  for (const [name, [address, go]] of Object.entries(VIEWS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const page = await browser.newPage({ viewport: SIZES[0] });
    await page.goto(`${server.url}${address}&rate=10`);
    if (address.includes('simulation')) await until(page, () => tickOf(page).catch(() => 0), (tick) => tick > 2);
    else await page.locator('.card').first().waitFor();
    await go(page);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        await drawn(page);
        await page.waitForTimeout(500);
        await drawn(page);
        const file = join(shots, `${name}-${colorScheme}-${size.width}.png`);
        await page.screenshot({ path: file });
        if (KEPT.some(([view, theme, width]) => view === name && theme === colorScheme && width === size.width)) {
          copyFileSync(file, join(root, 'docs/images', `studio-${name}${colorScheme === 'dark' ? '-dark' : ''}.png`));
        }
      }
    }
    await page.close({ runBeforeUnload: false });
    console.log(`${name}: ${SIZES.length * THEMES.length} pictures`);
  }
} finally {
  await browser.close();
  await stop(server);
}
