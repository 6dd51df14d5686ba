// Nets that we write as ONNX give the same outputs in onnxruntime-web, within 1e-5: every layer and activation that
// the format has. Needs the packages of this folder (npm ci); otherwise it is skipped.
//
//     node tests/soak/onnx.mjs ONNX_PEER
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const dist = join(dirname(fileURLToPath(import.meta.url)), "node_modules/onnxruntime-web/dist");
if (!existsSync(dist)) {
  console.log("skipped: needs, in tests/soak, npm ci");
  process.exit(0);
}
// The plain WebAssembly build, as a page would load it; one thread, so that sums have one order.
const ort = await import(pathToFileURL(join(dist, "ort.wasm.min.mjs")).href);
ort.env.wasm.wasmPaths = pathToFileURL(dist).href + "/";
ort.env.wasm.numThreads = 1;

const folder = mkdtempSync(join(tmpdir(), "ploy-onnx-"));
let worst = 0;
let count = 0;
try {
  const made = spawnSync(process.argv[2], [folder], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(`${process.argv[2]}: ${made.stderr}`);
  for (let net = 0; net < Number(made.stdout); net++) {
    const session = await ort.InferenceSession.create(readFileSync(join(folder, `${net}.onnx`)));
    const { size, rows } = JSON.parse(readFileSync(join(folder, `${net}.json`), "utf8"));
    for (const row of rows) {
      const input = new ort.Tensor("float32", Float32Array.from(row.in), size);
      const results = await session.run({ [session.inputNames[0]]: input });
      const out = results[session.outputNames[0]].data;
      if (out.length !== row.out.length) throw new Error(`net ${net}: ${out.length} outputs, expected ${row.out.length}`);
      // Not Math.max, which a NaN would leave.
      row.out.forEach((value, i) => {
        const off = Math.abs(out[i] - value);
        if (!(off <= 1e-5)) throw new Error(`net ${net}: output ${i} is ${out[i]}, ours ${value}`);
        if (off > worst) worst = off;
        count++;
      });
    }
  }
  if (count === 0) throw new Error("no output was compared");
  console.log(`ok: ${count} outputs of ${made.stdout.trim()} nets, at most ${worst.toExponential(1)} apart`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
