// What each simulation shows, read from docs/techniques.md and the sources at build time: its category, its source file
// and the techniques whose row names it, with the page of the guide that explains each.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

// Categories in the order of the gallery, with the modules that they show.
const CATEGORIES = [
  ["Games", []],
  ["Movement", ["move"]],
  ["Paths", ["path", "search"]],
  ["Decisions", ["decide"]],
  ["World and time", ["world", "exec"]],
  ["Tactics", ["tactics"]],
  ["Learning", ["learn"]],
  ["Generation", ["generate"]],
  ["Board games", ["board"]],
  ["Scripting", ["script"]],
  ["Geometry", ["geom"]],
];
// Modules that nearly every simulation uses: they decide only where nothing else does.
const COMMON = new Set(["base", "geom", "exec", "data", "search"]);

// The rows of the index, each with the files of labs and games that it names: [{ ids, name, guide, headers, files }].
function readRows(root) {
  const rows = [];
  for (const line of readFileSync(join(root, "docs/techniques.md"), "utf8").split("\n")) {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    if (!line.startsWith("| ") || cells.length < 8 || cells[1] === "IDs") continue;
    const [, ids, name, header, , shown, guide] = cells;
    const page = /docs\/guide\/[\w-]+\.md(?:#[\w-]+)?/.exec(guide)?.[0] ?? "";
    const files = [...shown.matchAll(/(?:labs|games)\/[\w/.-]+\.c/g)].map(([file]) => file);
    rows.push({ ids, name: name.replace(/`/g, ""), guide: page, headers: [...header.matchAll(/ploy\/\w+\/\w+\.h/g)].map(([one]) => one), files });
  }
  return rows;
}

// Simulations by name, each with the file that defines its type.
function findSimulations(root) {
  const found = new Map();
  for (const file of readdirSync(join(root, "labs"))) {
    if (!file.endsWith(".c")) continue;
    for (const [, name] of readFileSync(join(root, "labs", file), "utf8").matchAll(/\bploy_lab_(\w+)\s*=\s*\{/g)) found.set(name, { source: `labs/${file}`, folder: null });
  }
  for (const name of readFileSync(join(root, "labs/labs.c"), "utf8").matchAll(/\blab\((\w+)\)\s*\\/g)) {
    if (!found.has(name[1]) && existsSync(join(root, `labs/${name[1]}.c`))) found.set(name[1], { source: `labs/${name[1]}.c`, folder: null });
  }
  for (const name of readdirSync(join(root, "games"))) {
    if (statSync(join(root, "games", name)).isDirectory()) found.set(name, { source: `games/${name}/${name}.c`, folder: `games/${name}/` });
  }
  return found;
}

const includesOf = (root, source) => [...readFileSync(join(root, source), "utf8").matchAll(/#include "(ploy\/\w+\/\w+\.h)"/g)].map(([, header]) => header);

function categoryOf(root, source, rows) {
  if (source.startsWith("games/")) return "Games";
  const votes = new Map();
  const vote = (module, weight) => votes.set(module, (votes.get(module) ?? 0) + (COMMON.has(module) ? weight / 100 : weight));
  for (const header of includesOf(root, source)) vote(header.split("/")[1], 1);
  for (const row of rows) vote(row.headers[0]?.split("/")[1] ?? "", 1);
  let best = "Geometry";
  let most = 0;
  for (const [title, modules] of CATEGORIES) {
    const sum = modules.reduce((total, module) => total + (votes.get(module) ?? 0), 0);
    if (sum > most) [best, most] = [title, sum];
  }
  return best;
}

// { categories, simulations: { name: [category, source, [[ids, technique, guide], ...]] } }
export function makeCatalog(root) {
  const rows = readRows(root);
  const simulations = {};
  for (const [name, { source, folder }] of findSimulations(root)) {
    // What the index says that it shows; a simulation that no row names shows what its headers are for.
    let own = rows.filter(({ files }) => files.some((file) => file === source || (folder !== null && file.startsWith(folder))));
    if (own.length === 0) {
      const includes = includesOf(root, source).filter((header) => !header.startsWith("ploy/base/"));
      own = rows.filter(({ headers }) => headers.some((header) => includes.includes(header)));
    }
    simulations[name] = [CATEGORIES.findIndex(([title]) => title === categoryOf(root, source, own)), source, own.map(({ ids, name: technique, guide }) => [ids, technique, guide])];
  }
  return { categories: CATEGORIES.map(([title]) => title), simulations };
}

// The texts behind the links, compressed in one file that is fetched when the first link is followed: every page of the
// guide, and the source of each simulation.
export function packTexts(root, catalog) {
  const texts = {};
  for (const file of readdirSync(join(root, "docs/guide"))) texts[`docs/guide/${file}`] = readFileSync(join(root, "docs/guide", file), "utf8");
  for (const [, source] of Object.values(catalog.simulations)) texts[source] = readFileSync(join(root, source), "utf8");
  return gzipSync(JSON.stringify(texts), { level: 9 });
}
