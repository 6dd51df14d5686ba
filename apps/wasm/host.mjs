// What the core's WebAssembly module gets from its host: nine functions of wasi_snapshot_preview1 at most, and no
// more. Written for Node and browsers alike; node:wasi is not used, because it loses its view of the memory when
// the memory grows.

const ERRNO_BADF = 8;
const ERRNO_NOTCAPABLE = 76;

export class Exit extends Error {
  constructor(status) {
    super(`the module called exit(${status})`);
    this.status = status;
  }
}

/**
 * Makes the imports. `memory()` returns the instance's memory at the time of the call, since growing replaces its
 * buffer. `write(fd, text)` gets what the module prints; `random(bytes)` fills an array (Node 18 has no global for
 * that, browsers have crypto.getRandomValues).
 */
export function imports(memory, { write, random }) {
  const view = () => new DataView(memory().buffer);
  const bytes = (at, size) => new Uint8Array(memory().buffer, at, size);
  return {
    clock_time_get(clock, precision, out) {
      view().setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    random_get(at, size) {
      for (let done = 0; done < size; done += 65536) {
        random(bytes(at + done, Math.min(65536, size - done)));
      }
      return 0;
    },
    fd_write(fd, vectors, count, written) {
      if (fd !== 1 && fd !== 2) return ERRNO_BADF;
      let total = 0;
      for (let i = 0; i < count; i++) {
        const at = view().getUint32(vectors + 8 * i, true);
        const size = view().getUint32(vectors + 8 * i + 4, true);
        write(fd, new TextDecoder().decode(bytes(at, size).slice()));
        total += size;
      }
      view().setUint32(written, total, true);
      return 0;
    },
    // Standard output and error exist, but nothing can be sought, closed or asked about them.
    fd_close: () => 0,
    fd_seek: () => ERRNO_NOTCAPABLE,
    fd_fdstat_get(fd, out) {
      if (fd > 2) return ERRNO_BADF;
      bytes(out, 24).fill(0);
      view().setUint8(out, 2); // a character device
      return 0;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    proc_exit(status) {
      throw new Exit(status);
    },
  };
}

/** Compiles, checks the imports against the list above, instantiates and initialises. */
export async function instantiate(code, host) {
  const module = await WebAssembly.compile(code);
  let instance = null;
  const provided = imports(() => instance.exports.memory, host);
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    if (from !== 'wasi_snapshot_preview1' || !(name in provided)) {
      throw new Error(`the module imports ${from}.${name}, which is not one of the few that a host has to provide`);
    }
  }
  instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: provided });
  instance.exports._initialize();
  return instance;
}
