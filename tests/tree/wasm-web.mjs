// node tests/tree/wasm-web.mjs FOLDER: the page that drives ploy from JavaScript (apps/wasm/web), as it was built into a
// folder. Its scene runs here first, and then in a browser.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, shots, until } from '../studio/harness.mjs';

const folder = resolve(process.argv[2]);
const { load } = await import(pathToFileURL(join(folder, 'ploy.mjs')));
const { HEIGHT, makeScene, WIDTH } = await import(pathToFileURL(join(folder, 'scene.mjs')));
const code = readFileSync(join(folder, 'ploy.wasm'));
const fresh = () => load(code, { write: (fd, text) => process.stderr.write(text), random: randomFillSync });
const test = async (name, run) => {
  await run();
  console.log(`ok: ${name}`);
};

/** Steps of a shortest path by a plain search: 1 straight, sqrt(2) diagonal, no cut corners; Infinity for none. */
function plainLength(walls, from, to) {
  const open = (x, y) => x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT && !walls.has(y * WIDTH + x);
  const best = new Map([[from[1] * WIDTH + from[0], 0]]);
  for (let changed = true; changed; ) {
    changed = false;
    for (const [cell, cost] of [...best]) {
      const [x, y] = [cell % WIDTH, Math.floor(cell / WIDTH)];
      for (let dy = -1; dy <= 1; dy++) {
        for (let dx = -1; dx <= 1; dx++) {
          if ((dx === 0 && dy === 0) || !open(x + dx, y + dy) || !open(x + dx, y) || !open(x, y + dy)) continue;
          const next = (y + dy) * WIDTH + x + dx;
          const sum = cost + Math.hypot(dx, dy);
          if (sum < (best.get(next) ?? Infinity) - 1e-9) {
            best.set(next, sum);
            changed = true;
          }
        }
      }
    }
  }
  return best.get(to[1] * WIDTH + to[0]) ?? Infinity;
}
const lengthOf = (path) => path.slice(1).reduce((sum, [x, y], i) => sum + Math.hypot(x - path[i][0], y - path[i][1]), 0);

/** Length of the mean heading: near 0 for agents that fly anywhere, 1 if all have one direction. */
function order(numbers) {
  let [x, y] = [0, 0];
  for (let i = 2; i < numbers.length; i += 3) {
    x += Math.cos(numbers[i]);
    y += Math.sin(numbers[i]);
  }
  return Math.hypot(x, y) / (numbers.length / 3);
}

await test('paths are shortest, follow edited walls, and end where there is none', async () => {
  const scene = makeScene(await fresh());
  for (const to of [[38.5, 1.5], [20.5, 12.5], [30.5, 17.5], [1.5, 1.5]]) {
    scene.point(to);
    const want = plainLength(scene.walls, scene.from, to.map(Math.floor));
    assert.ok(Math.abs(lengthOf(scene.path) - want) < 1e-6, `${lengthOf(scene.path)} to ${to}, ${want} expected`);
    for (const [x, y] of scene.path) assert.ok(!scene.walls.has(y * WIDTH + x), `a wall at ${x}, ${y}`);
  }
  scene.point([38.5, 1.5]);
  const before = lengthOf(scene.path);
  scene.toggle([8.5, 1.5]); // a door in the first wall
  assert.ok(lengthOf(scene.path) < before);
  scene.toggle([8.5, 1.5]);
  for (let y = 16; y < HEIGHT; y++) scene.toggle([8.5, y + 0.5]); // no gap is left
  assert.equal(scene.path, null);
  scene.destroy();
});

await test('a flock finds one direction, leaves the pointer, and repeats to the bit', async () => {
  const run = async (ticks, threat) => {
    const scene = makeScene(await fresh(), { agents: 200, seed: 3 });
    scene.point(threat);
    const first = order(scene.flock.numbers());
    for (let i = 0; i < ticks; i++) scene.step();
    const numbers = Float32Array.from(scene.flock.numbers());
    scene.destroy();
    return { first, numbers };
  };
  const free = await run(1200, null);
  assert.ok(order(free.numbers) > free.first + 0.3, `${free.first} at first, ${order(free.numbers)} at last`);
  assert.ok(free.numbers.every((one, i) => i % 3 === 2 || (one >= 0 && one < (i % 3 === 0 ? WIDTH : HEIGHT))), 'on the floor');
  assert.deepEqual((await run(1200, null)).numbers, free.numbers);
  const near = ({ numbers }) => numbers.reduce((count, x, i) => count + (i % 3 === 0 && Math.hypot(x - 20, numbers[i + 1] - 12) < 2 ? 1 : 0), 0);
  assert.ok(near(await run(0, null)) > 0, 'some begin near the middle');
  assert.equal(near(await run(300, [20, 12])), 0);
});

await test('bad arguments are errors with a reason', async () => {
  const ploy = await fresh();
  assert.throws(() => ploy.level(0, 5), /cannot create a level of 0 x 5 tiles/);
  assert.throws(() => ploy.flock(0, 10, 10, 1), /cannot create a flock of 0 agents/);
  assert.throws(() => ploy.flock(10, NaN, 10, 1), RangeError);
  const level = ploy.level(4, 4);
  assert.throws(() => level.set(4, 0, true), /an argument is out of its range/);
  assert.throws(() => level.path([0, 0], [0, 9]), /an argument is out of its range/);
  const flock = ploy.flock(2, 10, 10, 1);
  assert.throws(() => flock.step(NaN), /an argument is out of its range/);
});

const types = { '.html': 'text/html', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
const server = createServer((request, response) => {
  const name = request.url === '/' ? 'index.html' : request.url.slice(1);
  try {
    const bytes = readFileSync(join(folder, name.replaceAll('/', '')));
    response.writeHead(200, { 'content-type': types[extname(name)] ?? 'application/octet-stream' }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const browser = await launch();
await test('the page runs the scene; the path follows the pointer, and a click makes a wall', async () => {
  const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const status = page.getByRole('status');
  await until(page, () => status.textContent(), (text) => /200 agents, tick [1-9]\d*, no path/.test(text));
  const box = await page.locator('canvas').boundingBox();
  const at = (x, y) => [box.x + (x / WIDTH) * box.width, box.y + (y / HEIGHT) * box.height];
  await page.mouse.move(...at(38.5, 1.5));
  const text = await until(page, () => status.textContent(), (text) => /path of \d+ tiles/.test(text));
  const tiles = Number(/path of (\d+)/.exec(text)[1]);
  assert.ok(tiles > 38, text);
  await page.mouse.click(...at(38.5, 1.5)); // a wall there has no path to it
  await until(page, () => status.textContent(), (text) => text.endsWith('no path'));
  await page.mouse.click(...at(38.5, 1.5));
  await until(page, () => status.textContent(), (text) => text.endsWith(`path of ${tiles} tiles`));
  await page.screenshot({ path: join(shots, 'wasm-web.png') });
  assert.deepEqual(page.errors ?? [], []);
});
await browser.close();
server.close();
