// Numbers over time: their names, units and plots, and the table that is exported.
import { Field, Value } from "./backend";
import { Pane, Path, pathKey, Series } from "./pane";

const COMPONENTS = ["x", "y", "z", "w"];

// The series of one described value: one for each component of a vector, one for a number.
export function seriesOf(path: Path, value: Value | undefined): Path[] {
  return Array.isArray(value) ? value.slice(0, 4).map((_, i) => [...path, COMPONENTS[i]]) : [path];
}

export const ownerOf = (path: Path): string | null => (path[0].startsWith("@") ? path[0].slice(1) : null);
// What a series shows, for any agent: x and y of a vector, and the same number of several agents, are one plot.
export function plotKey(path: Path): string {
  const names = ownerOf(path) === null ? [...path] : path.slice(1);
  if (names.length > 1 && COMPONENTS.includes(names[names.length - 1])) names.pop();
  return (ownerOf(path) === null ? "" : "@") + pathKey(names);
}
export interface Plot {
  key: string;
  title: string;
  unit: string;
  paths: Path[];
}

const readable = (names: string[]): string => names.join(" › ").replace(/_/g, " ");

export function plotsOf(pins: Path[], fields: Field[]): Plot[] {
  const plots: Plot[] = [];
  for (const path of pins) {
    const key = plotKey(path);
    let plot = plots.find((one) => one.key === key);
    if (plot === undefined) plots.push((plot = { key, title: readable(key.replace("@", "").split("\u001f")), unit: unitOf(path, fields), paths: [] }));
    plot.paths.push(path);
  }
  return plots;
}

// A series in the legend: whose it is, and which component.
export function seriesName(path: Path, nameOf: (owner: string) => string): string {
  const owner = ownerOf(path);
  const last = path[path.length - 1];
  const component = path.length > (owner === null ? 1 : 2) && COMPONENTS.includes(last) ? last : "";
  const whose = owner === null ? "" : nameOf(owner);
  return [whose, component].filter((one) => one !== "").join(" ") || readable(path.slice(-1));
}

// Descriptions carry no units. A parameter of the same name has one; everything else is in the units of
// docs/conventions.md, which are the same for every quantity of that name.
const UNITS: [RegExp, string][] = [
  [/rotation|angular|turn_rate/i, "rad/s"],
  [/orientation|heading|bearing|angle/i, "rad"],
  [/accel|linear|force|steering/i, "m/s²"],
  [/speed|velocity/i, "m/s"],
  [/position|distance|radius|length|height|width|target|where|^to$|^at$|along/i, "m"],
  [/time|seconds|duration|elapsed/i, "s"],
  [/tick|since|until/i, "ticks"],
];
export function unitOf(path: Path, fields: Field[]): string {
  const names = [...path];
  if (names.length > 1 && COMPONENTS.includes(names[names.length - 1])) names.pop();
  const last = names[names.length - 1].replace(/ /g, "_");
  const field = fields.find((one) => one.name === last && one.unit !== "");
  return field?.unit ?? UNITS.find(([words]) => words.test(last))?.[1] ?? "";
}

export function valueAt(series: Series, tick: number): number | null {
  let low = 0;
  let high = series.ticks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (series.ticks[middle] <= tick) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? null : series.values[low - 1];
}

// Steps of 1, 2 or 5 times a power of ten, so that at most `count` fit between two numbers.
export function niceTicks(low: number, high: number, count: number): number[] {
  const raw = (high - low) / Math.max(1, count);
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = power * (raw / power <= 1 ? 1 : raw / power <= 2 ? 2 : raw / power <= 5 ? 5 : 10);
  const found: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) found.push(Number((i * step).toPrecision(12)));
  return found;
}

// All series as a table: a row for each tick that one of them has, a column for each series with its unit.
export function toCsv(panes: Pane[], plots: Plot[], nameOf: (owner: string) => string): string {
  const columns: { title: string; series: Series }[] = [];
  panes.forEach((pane, i) => {
    for (const plot of plots) {
      for (const path of plot.paths) {
        const series = pane.series.get(pathKey(path));
        const name = seriesName(path, nameOf);
        const title = `${panes.length > 1 ? `${"AB"[i]} ` : ""}${plot.title}${plot.title.endsWith(name) ? "" : ` ${name}`}${plot.unit === "" ? "" : ` (${plot.unit})`}`;
        if (series !== undefined) columns.push({ title, series });
      }
    }
  });
  const dt = panes[0]?.session.dt ?? 1 / 60;
  const ticks = [...new Set(columns.flatMap((one) => one.series.ticks))].sort((a, b) => a - b);
  const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const at = columns.map(() => 0);
  const rows = ticks.map((tick) => {
    const cells = columns.map(({ series }, i) => {
      while (at[i] < series.ticks.length && series.ticks[at[i]] < tick) at[i]++;
      const value = series.ticks[at[i]] === tick ? series.values[at[i]] : null;
      return value === null ? "" : String(value);
    });
    return [tick, Number((tick * dt).toPrecision(9)), ...cells].join(",");
  });
  return [["tick", "time (s)", ...columns.map((one) => quote(one.title))].join(","), ...rows].join("\n") + "\n";
}
