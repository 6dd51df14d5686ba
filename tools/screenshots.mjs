#!/usr/bin/env node
// node tools/screenshots.mjs [PROGRAM] [FOLDER] [VIEW ...]
//
// Takes a picture of every view of the studio in both themes and at three widths into build/screenshots (or FOLDER), and copies those
// that the guide shows to docs/images. With names of views only those are taken. Needs what the browser test needs:
// playwright-core (npm, in studio/) and Debian's package chromium.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawn } from '../tests/studio/driver.mjs';
import { launch, root, serve, shots, stop, WEBGL } from '../tests/studio/harness.mjs';
import { openView, SIZES, THEMES, VIEWS } from '../tests/studio/views.mjs';

const wanted = process.argv.slice(4);
// What the guide shows: view, theme, width.
const KEPT = [
  ['home', 'light', 1440], ['home', 'dark', 1440], ['game', 'light', 1440], ['compare', 'light', 1440], ['tree', 'light', 1440],
  ['goals', 'light', 1440], ['plots', 'light', 1440], ['edit', 'light', 1440], ['tree-graph', 'light', 1440], ['recipe', 'light', 1440],
  ['candidates', 'light', 1440], ['lanes', 'light', 1440], ['level', 'light', 1440], ['space', 'light', 1440], ['board', 'light', 1440],
  ['debug', 'light', 1440],
];

for (const name of wanted) {
  if (VIEWS[name] === undefined) {
    console.error(`screenshots.mjs: no view '${name}'; expected one of ${Object.keys(VIEWS).join(', ')}`);
    process.exit(2);
  }
}
const server = await serve();
const browser = await launch(WEBGL);
try {
  for (const name of Object.keys(VIEWS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const page = await browser.newPage({ viewport: SIZES[0] });
    page.setDefaultTimeout(180000); // however loaded the machine is
    await openView(page, server, name);
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
