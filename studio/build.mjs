// Bundles the page into dist/: three files that the inspector's server hands out from memory.
import { build } from "esbuild";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
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
});
// What shows space is a file of its own, loaded only where there are heights.
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
for (const file of ["index.html", "style.css", "icon.svg"]) copyFileSync(join(here, "src", file), join(dist, file));
