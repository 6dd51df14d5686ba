// Bundles the page into dist/: a few files that the inspector's server hands out from memory.
import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeCatalog, packTexts } from "./catalog.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const catalog = makeCatalog(join(here, ".."));
await build({
  entryPoints: [join(here, "src/main.tsx")],
  outfile: join(dist, "app.js"),
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2021",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
  plugins: [
    {
      // import catalog from "catalog": what each simulation shows, as data.
      name: "catalog",
      setup(on) {
        on.onResolve({ filter: /^catalog$/ }, () => ({ path: "catalog", namespace: "made" }));
        on.onLoad({ filter: /.*/, namespace: "made" }, () => ({ contents: JSON.stringify(catalog), loader: "json" }));
      },
    },
  ],
});
// The code that shows space is a separate file, loaded only where there are heights.
await build({
  entryPoints: [join(here, "src/space.ts")],
  outfile: join(dist, "space.js"),
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2021",
  legalComments: "none",
  logLevel: "warning",
});
writeFileSync(join(dist, "texts.gz"), packTexts(join(here, ".."), catalog));
const styles = ["style.css", "home.css", "graph.css", "tactics.css", "debug.css"].map((file) => readFileSync(join(here, "src", file), "utf8"));
writeFileSync(join(dist, "style.css"), styles.join(""));
for (const file of ["index.html", "icon.svg"]) copyFileSync(join(here, "src", file), join(dist, file));
