#!/usr/bin/env node
// node tools/picture.mjs [PROGRAM] [OUT.webp]
//
// Makes the moving picture of the README: the studio plays a match, goes back in time and forward again, with one player
// selected. Needs what the browser test needs: playwright-core (npm, in studio/) and Debian's package chromium. Chromium
// also encodes each frame; the animated WebP around them is written here, so that no other package is needed.
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const program = resolve(process.argv[2] ?? join(root, 'build/ploy'));
const target = resolve(process.argv[3] ?? join(root, 'docs/images/studio.webp'));
const size = { width: 1120, height: 680 };
const recorded = 900; // ticks
// The ticks to show and for how many milliseconds: forward, back to the start in larger steps, forward again.
const span = (from, to, step) => Array.from({ length: Math.floor(Math.abs(to - from) / step) + 1 }, (_, i) => from + Math.sign(to - from) * i * step);
const frames = [
  ...span(660, 810, 6).map((tick) => ({ tick, ms: 100 })),
  { tick: 810, ms: 700 },
  ...span(800, 660, 20).map((tick) => ({ tick, ms: 70 })),
  { tick: 660, ms: 700 },
];
const limit = 2e6; // bytes

const { chromium } = createRequire(join(root, 'studio/package.json'))('playwright-core');
const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (browserPath === undefined) {
  console.error('picture.mjs: missing browser (install the package chromium)');
  process.exit(2);
}

/** A chunk of a RIFF file; odd sizes are padded. */
function chunk(name, ...parts) {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.write(name, 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}
const uint24 = (value) => Buffer.from([value & 255, (value >> 8) & 255, (value >> 16) & 255]);

/** The image chunks (ALPH, VP8, VP8L) of a still WebP file. */
function imageOf(file) {
  const found = [];
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString('latin1', at, at + 4);
    const end = at + 8 + file.readUInt32LE(at + 4);
    if (/^(ALPH|VP8 |VP8L)$/.test(name)) found.push(file.subarray(at, end + ((end - at) % 2)));
    at = end + ((end - at) % 2);
  }
  return Buffer.concat(found);
}

/** An animated WebP that repeats for ever, from stills of one size. */
function animation(stills) {
  const canvas = Buffer.concat([Buffer.from([2, 0, 0, 0]), uint24(size.width - 1), uint24(size.height - 1)]);
  const each = stills.map(({ file, ms }) =>
    chunk('ANMF', uint24(0), uint24(0), uint24(size.width - 1), uint24(size.height - 1), uint24(ms), Buffer.from([2]), imageOf(file)));
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), chunk('VP8X', canvas), chunk('ANIM', Buffer.from([255, 255, 255, 255, 0, 0])), ...each]);
  return chunk('RIFF', body);
}

const server = spawn(program, ['studio', '--json', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
const address = await new Promise((done, fail) => {
  let text = '';
  server.once('error', fail);
  server.stdout.on('data', (bytes) => {
    text += bytes;
    if (text.includes('\n')) done(JSON.parse(text.slice(0, text.indexOf('\n'))).url);
  });
});
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
try {
  const page = await browser.newPage({ viewport: size });
  await page.goto(`${address}&simulation=soccer&seed=3&rate=10`);
  const number = async (selector) => Number(await page.locator(selector).innerText().catch(() => '0'));
  const until = async (test) => {
    for (let i = 0; !(await test()); i += 1) {
      if (i > 2000) throw new Error('the studio does not answer');
      await page.waitForTimeout(30);
    }
  };
  await until(async () => (await number('#tick')) > 2);
  await page.getByLabel('Speed', { exact: true }).selectOption('16');
  await until(async () => (await number('#end')) >= recorded);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.keyboard.press('n');
  await page.keyboard.press('n');
  const encoder = await browser.newPage();
  const stills = [];
  for (const { tick, ms } of frames) {
    await page.locator('input.scrub').evaluate((element, value) => {
      element.value = String(value);
      element.dispatchEvent(new Event('input', { bubbles: true }));
    }, tick);
    await until(async () => (await number('#tick')) === tick);
    await page.waitForTimeout(150); // the canvas follows at ten pictures a second
    const png = (await page.screenshot()).toString('base64');
    const webp = await encoder.evaluate(async ([data, width, height]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width, height });
      canvas.getContext('2d', { alpha: false }).drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', 0.5).split(',')[1];
    }, [png, size.width, size.height]);
    stills.push({ file: Buffer.from(webp, 'base64'), ms });
  }
  const bytes = animation(stills);
  if (bytes.length > limit) throw new Error(`the picture has ${bytes.length} bytes; expected at most ${limit}`);
  writeFileSync(target, bytes);
  console.log(`${target}: ${stills.length} frames, ${bytes.length} bytes`);
} finally {
  await browser.close();
  server.kill('SIGTERM');
}
