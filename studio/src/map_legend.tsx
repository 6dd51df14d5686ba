// The legend of the maps over a picture: which map is shown, what its colours mean, and the value under the pointer.
import { useEffect, useState } from "preact/hooks";
import { cellAt, GridMap, listMaps, mapColors, MapColors, showMaps, shownMaps, valueAt, valueText } from "./maps";
import { addOverlay, Point } from "./overlay";
import { Pane } from "./pane";
import { Store } from "./store";

const number = (value: number): string => String(Number(value.toPrecision(3)));

export function Scale({ map, colors }: { map: GridMap; colors: MapColors }) {
  if (map.categories.length > 0) {
    return (
      <ul class="map-categories">
        {map.categories.map((name, i) => (
          <li key={name}>
            <i style={{ background: colors.categories[i % colors.categories.length] }} /> {name}
          </li>
        ))}
      </ul>
    );
  }
  const both = map.least < 0 && map.most > 0;
  const faint = (color: string) => `color-mix(in srgb, ${color} 8%, transparent)`;
  const bar = both ? `${colors.negative}, ${faint(colors.negative)} 50%, ${faint(colors.positive)} 50%, ${colors.positive}` : map.least < 0 ? `${colors.negative}, ${faint(colors.negative)}` : `${faint(colors.positive)}, ${colors.positive}`;
  const reach = Math.max(Math.abs(map.least), Math.abs(map.most));
  return (
    <div class="map-scale">
      <span>{number(both ? -reach : map.least < 0 ? -reach : 0)}</span>
      <i style={{ background: `linear-gradient(90deg, ${bar})` }} />
      <span>{`${number(map.least < 0 && !both ? 0 : reach)}${map.unit === "" ? "" : ` ${map.unit}`}`}</span>
    </div>
  );
}

export function MapLegend({ store, pane }: { store: Store; pane: Pane }) {
  const [at, setAt] = useState<Point | null>(null);
  const session = pane.session.session;
  useEffect(() => addOverlay({ session, hover: (point) => setAt(point) }), [session]);
  const maps = listMaps(pane.picture);
  if (maps.length === 0) return null;
  const shown = shownMaps(session, maps);
  const colors = mapColors(store.hello);
  const cell = at === null ? null : cellAt(maps[0], at[0], at[1]);
  const choose = (name: string) => {
    showMaps(session, name === "" ? [] : [name]);
    store.refresh();
  };
  return (
    <div class="map-legend" role="group" aria-label="Map">
      <select aria-label="Map" value={shown.length === 1 ? shown[0].name : shown.length === 0 ? "" : "several"} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">no map</option>
        {shown.length > 1 && <option value="several">{shown.length} maps</option>}
        {maps.map((one) => (
          <option key={one.name} value={one.name}>
            {one.name}
          </option>
        ))}
      </select>
      {shown.map((one) => (
        <Scale key={one.name} map={one} colors={colors} />
      ))}
      <output class="map-value" aria-live="off">
        {cell === null ? "Point at a cell" : `cell ${cell.column}, ${cell.row}: ${(shown.length === 0 ? maps.slice(0, 1) : shown).map((one) => `${one.name} ${valueText(one, valueAt(one, cell))}`).join(" · ")}`}
      </output>
    </div>
  );
}
