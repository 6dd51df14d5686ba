// ploy from JavaScript: paths over a map of tiles, and a flock. The same code runs in browsers and in Node.
//
//     const ploy = await load(bytes, host);
//     const level = ploy.level(40, 24);
//     level.set(10, 5, true);
//     level.path([1, 1], [30, 20]); // [[1, 1], [2, 2], ...], or null
import { instantiate } from './host.mjs';

/** Compiles the module. `host` gives `write(fd, text)` and `random(bytes)`, see host.mjs. */
export async function load(code, host) {
  const { exports } = await instantiate(code, host);
  const text = (at) => {
    const bytes = new Uint8Array(exports.memory.buffer, at);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  };
  const check = (result) => {
    if (result < 0) throw new Error(text(exports.ploy_wasm_text(result)));
    return result;
  };
  return {
    version: text(exports.ploy_wasm_version()),
    level: (width, height) => new Level(exports, check, width, height),
    flock: (count, width, height, seed) => new Flock(exports, check, count, width, height, seed),
  };
}

/** A floor of square tiles, one metre each. Call `destroy` when it is no longer needed. */
export class Level {
  #exports;
  #check;
  #at;

  constructor(exports, check, width, height) {
    this.#exports = exports;
    this.#check = check;
    this.#at = exports.ploy_wasm_level_create(width, height);
    if (this.#at === 0) throw new RangeError(`cannot create a level of ${width} x ${height} tiles`);
    this.width = width;
    this.height = height;
  }

  /** Makes a tile a wall or open floor. */
  set(x, y, wall) {
    this.#check(this.#exports.ploy_wasm_level_set(this.#at, x, y, wall ? 1 : 0));
  }

  /** The shortest path as a list of tiles [x, y], from the first to the last; null if there is none. */
  path([x0, y0], [x1, y1]) {
    const count = this.#check(this.#exports.ploy_wasm_level_path(this.#at, x0, y0, x1, y1));
    if (count === 0) return null;
    // Only now: the call may have grown the memory, which makes older views useless.
    const cells = new Int32Array(this.#exports.memory.buffer, this.#exports.ploy_wasm_level_cells(this.#at), count);
    return Array.from(cells, (cell) => [cell % this.width, Math.floor(cell / this.width)]);
  }

  destroy() {
    this.#exports.ploy_wasm_level_destroy(this.#at);
    this.#at = 0;
  }
}

/** Agents with separation, alignment, cohesion and wander, on a floor whose edges join. */
export class Flock {
  #exports;
  #check;
  #at;

  constructor(exports, check, count, width, height, seed) {
    this.#exports = exports;
    this.#check = check;
    this.#at = exports.ploy_wasm_flock_create(count, width, height, seed);
    if (this.#at === 0) throw new RangeError(`cannot create a flock of ${count} agents on ${width} x ${height} m`);
    this.count = count;
  }

  /** Advances by dt seconds. Agents within `range` metres of `threat` run from it. */
  step(dt, threat = null, range = 6) {
    const [x, y] = threat ?? [0, 0];
    this.#check(this.#exports.ploy_wasm_flock_step(this.#at, dt, x, y, threat === null ? 0 : range));
  }

  /** x, y and orientation (radians) of each agent: a view of the module's memory, valid until the next call. */
  numbers() {
    return new Float32Array(this.#exports.memory.buffer, this.#exports.ploy_wasm_flock_numbers(this.#at), 3 * this.count);
  }

  destroy() {
    this.#exports.ploy_wasm_flock_destroy(this.#at);
    this.#at = 0;
  }
}
