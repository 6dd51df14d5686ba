// The scene of the page, without anything of a page: a level with a path that follows the pointer, and a flock that runs
// from it. Node runs it too.
export const WIDTH = 40; // metres, and tiles
export const HEIGHT = 24;
export const DT = 1 / 60; // s
const WALLS = [
  [8, 0, 8, 15],
  [16, 8, 16, 23],
  [24, 0, 24, 15],
  [25, 15, 33, 15],
];

/** `ploy` comes from load() of ploy.mjs. */
export function makeScene(ploy, { agents = 200, seed = 1 } = {}) {
  const level = ploy.level(WIDTH, HEIGHT);
  const walls = new Set();
  const set = (x, y, wall) => {
    level.set(x, y, wall);
    if (wall) walls.add(y * WIDTH + x);
    else walls.delete(y * WIDTH + x);
  };
  for (const [x0, y0, x1, y1] of WALLS) {
    for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) set(x, y, true);
  }
  const flock = ploy.flock(agents, WIDTH, HEIGHT, seed);
  const from = [1, 1];
  let threat = null;
  const scene = {
    from,
    walls,
    flock,
    tick: 0,
    path: null,
    /** Where the pointer is, in metres, or null: the path leads there, and the flock runs from there. */
    point(at) {
      threat = at;
      scene.path = at === null ? null : level.path(from, tileOf(at));
    },
    /** Makes a wall where there is none, and the other way round. */
    toggle(at) {
      const [x, y] = tileOf(at);
      if (x === from[0] && y === from[1]) return;
      set(x, y, !walls.has(y * WIDTH + x));
      scene.point(threat);
    },
    step() {
      flock.step(DT, threat);
      scene.tick += 1;
    },
    destroy() {
      flock.destroy();
      level.destroy();
    },
  };
  return scene;
}

/** The tile that contains a point; the nearest one for points outside. */
export function tileOf([x, y]) {
  return [Math.min(WIDTH - 1, Math.max(0, Math.floor(x))), Math.min(HEIGHT - 1, Math.max(0, Math.floor(y)))];
}
