// The panel of tactics: maps of values, candidates of queries with the reasons of their rejection, orders and reports,
// squad scripts over time. It shows what the picture, the trace and the description have, and knows no simulation by name.
import { useEffect, useRef, useState } from "preact/hooks";
import { TreeNode } from "./backend";
import { Candidate, nearest, queriesIn, Query, whyNot, whyNotAt } from "./candidates";
import { Lanes, scriptsIn } from "./lanes";
import { Scale } from "./map_legend";
import { Cell, cellAt, GridMap, listMaps, mapColors, middleOf, showMaps, shownMaps, valueAt, valueText } from "./maps";
import { addOverlay, Point, redrawOverlays } from "./overlay";
import { Pane } from "./pane";
import { show } from "./state";
import { Store } from "./store";
import { themeColor } from "./theme";
import { commandsIn, Tiers } from "./tiers";

const DESCRIBE_EVERY = 300; // ms
const ROWS_MAX = 40;
const REACH = 1; // m around a candidate that counts as the candidate

// The whole description of a run, as often as its tick changes; the subscription may be to one agent only.
function useTree(store: Store, pane: Pane): TreeNode[] {
  const [tree, setTree] = useState<TreeNode[]>([]);
  const asked = useRef(0);
  const session = pane.session.session;
  useEffect(() => {
    let gone = false;
    const timer = window.setTimeout(async () => {
      asked.current = performance.now();
      const answer = await store.backend.request("describe", { session }).catch(() => null);
      if (!gone && answer !== null) setTree(answer.tree);
    }, Math.max(0, asked.current + DESCRIBE_EVERY - performance.now()));
    return () => {
      gone = true;
      window.clearTimeout(timer);
    };
  }, [session, Math.floor(pane.tick / (pane.session.playing ? 6 : 1)), pane.session.playing, pane.session.playing ? "" : pane.session.hash]); // a seek shows ticks on its way: the hash comes on arrival
  return tree;
}

export function Tactics({ store }: { store: Store }) {
  const pane = store.pane;
  if (pane === null) return <p class="empty">Nothing is open.</p>;
  return <TacticsOf key={pane.session.session} store={store} pane={pane} />;
}

function TacticsOf({ store, pane }: { store: Store; pane: Pane }) {
  const tree = useTree(store, pane);
  const maps = listMaps(pane.picture);
  const queries = queriesIn(pane.decided);
  const commands = commandsIn(tree);
  const scripts = scriptsIn(tree);
  const nothing = maps.length + queries.length + commands.length + scripts.length === 0;
  return (
    <div class="tactics">
      {maps.length > 0 && <Maps store={store} pane={pane} maps={maps} query={queries[0] ?? null} />}
      {queries.length > 0 && <Candidates store={store} pane={pane} queries={queries} tick={pane.decided!.tick} />}
      {scripts.map((one, i) => (
        <Lanes key={i} store={store} pane={pane} script={one} />
      ))}
      {commands.map((one, i) => (
        <Tiers key={i} store={store} command={one} />
      ))}
      {nothing && <p class="empty">No map, query, order or script so far.</p>}
    </div>
  );
}

// --- maps ---

// Which maps are over the picture, and the values of one cell beside those of the place that was chosen.
function Maps({ store, pane, maps, query }: { store: Store; pane: Pane; maps: GridMap[]; query: Query | null }) {
  const session = pane.session.session;
  const shown = shownMaps(session, maps);
  const [cell, setCell] = useState<Cell | null>(null);
  const colors = mapColors(store.hello);
  const toggle = (name: string, on: boolean) => {
    showMaps(session, maps.filter((one) => (one.name === name ? on : shown.includes(one))).map((one) => one.name));
    store.refresh();
  };
  const map = maps[0];
  // A place that a person points at is a cell, too.
  const asked = store.asked?.point;
  useEffect(() => {
    if (asked !== undefined) setCell(cellAt(map, asked[0], asked[1]));
  }, [asked]);
  useEffect(
    () =>
      addOverlay({
        session,
        draw: (context, sight) => {
          if (cell === null) return;
          const [x, y] = middleOf(map, cell);
          const side = map.size * sight.scale;
          context.globalAlpha = 1;
          context.lineWidth = 2;
          context.strokeStyle = themeColor("ink");
          context.strokeRect(sight.x(x) - side / 2, sight.y(y) - side / 2, side, side);
        },
      }),
    [session, cell],
  );
  const won = query?.candidates.find((one) => one.outcome === "won");
  const best = won === undefined ? null : cellAt(map, won.at[0], won.at[1]);
  return (
    <section class="maps">
      <h4>maps</h4>
      <ul>
        {maps.map((one) => (
          <li key={one.name}>
            <label>
              <input type="checkbox" checked={shown.includes(one)} onChange={(event) => toggle(one.name, event.currentTarget.checked)} /> {one.name}
            </label>
            <Scale map={one} colors={colors} />
          </li>
        ))}
      </ul>
      <button aria-pressed={store.pointing} onClick={() => store.togglePointing()} title="Then click a place in the picture">
        Pick a cell
      </button>
      {cell !== null && (
        <table class="cell-values">
          <caption>{`cell ${cell.column}, ${cell.row}`}</caption>
          <thead>
            <tr>
              <th>map</th>
              <th>here</th>
              {best !== null && <th>chosen</th>}
            </tr>
          </thead>
          <tbody>
            {maps.map((one) => (
              <tr key={one.name}>
                <td>{one.name}</td>
                <td class="value">{valueText(one, valueAt(one, cell))}</td>
                {best !== null && <td class="value">{valueText(one, valueAt(one, best))}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

// --- candidates ---

function Candidates({ store, pane, queries, tick }: { store: Store; pane: Pane; queries: Query[]; tick: number }) {
  const [which, setWhich] = useState(0);
  const [lit, setLit] = useState<string | null>(null);
  const [all, setAll] = useState(false);
  const query = queries[Math.min(which, queries.length - 1)];
  const session = pane.session.session;
  const asked = store.asked;
  // By its name after a click on it, by its place otherwise.
  const named = asked?.name !== undefined ? (query.candidates.find((one) => one.name === asked.name) ?? null) : null;
  const answer = named !== null ? { text: whyNot(named, query), candidate: named } : asked?.point !== undefined ? whyNotAt(asked.point, query, REACH) : null;
  const marked = answer?.candidate?.name ?? lit;
  const now = useRef({ query, marked });
  now.current = { query, marked };
  useEffect(redrawOverlays, [query, marked]);
  useEffect(
    () =>
      addOverlay({
        session,
        draw: (context, sight) => drawCandidates(context, sight, now.current.query, now.current.marked),
        click: (at: Point, slack: number) => {
          const hit = nearest(now.current.query.candidates, at, slack);
          if (hit !== null) store.askWhyNot({ name: hit.name });
          return hit !== null;
        },
        hover: (at, slack) => setLit(at === null ? null : (nearest(now.current.query.candidates, at, slack)?.name ?? null)),
      }),
    [session],
  );
  const rows = all ? query.candidates : query.candidates.slice(0, ROWS_MAX);
  const best = Math.max(1e-9, ...query.candidates.map((one) => one.score ?? 0));
  const rejected = query.candidates.filter((one) => one.outcome === "rejected").length;
  return (
    <section class="candidates">
      <h4>
        {query.topic} <small>{`${query.candidates.length} candidates, ${rejected} rejected, tick ${tick}`}</small>
      </h4>
      <div class="toolbar">
        {queries.length > 1 && (
          <select aria-label="Query" value={which} onChange={(event) => setWhich(Number(event.currentTarget.value))}>
            {queries.map((one, i) => (
              <option key={i} value={i}>{`${one.agent ?? "nobody"}: ${one.topic}`}</option>
            ))}
          </select>
        )}
        <button aria-pressed={store.pointing} onClick={() => store.togglePointing()} title="Then click a candidate or a place in the picture">
          Why not there?
        </button>
      </div>
      <p class="answer-why-not" role="status">
        {answer === null ? "Click a candidate, or ask about any place." : answer.text}
      </p>
      <ul class="candidate-list" aria-label="Candidates">
        {rows.map((one: Candidate) => (
          <li key={one.name} class={`${one.outcome}${one.name === marked ? " marked" : ""}`} data-outcome={one.outcome}>
            <button onClick={() => store.askWhyNot({ name: one.name })} onPointerEnter={() => setLit(one.name)} onPointerLeave={() => setLit(null)} title={one.reason} style={{ "--share": one.score === null ? 0 : Math.max(0, one.score / best) }}>
              <span class="name">{one.name}</span>
              <span class="score">{one.score === null ? "–" : show(Number(one.score.toPrecision(3)))}</span>
              <span class="reason">{one.reason}</span>
            </button>
          </li>
        ))}
      </ul>
      {rows.length < query.candidates.length && <button class="link" onClick={() => setAll(true)}>{`${query.candidates.length - rows.length} more`}</button>}
    </section>
  );
}

// Candidates over the picture: the better the fuller; rejected ones are crosses.
function drawCandidates(context: CanvasRenderingContext2D, sight: { x(v: number): number; y(v: number): number }, query: Query, marked: string | null): void {
  const best = Math.max(1e-9, ...query.candidates.map((one) => one.score ?? 0));
  context.lineWidth = 1.5;
  for (const one of query.candidates) {
    const [x, y] = [sight.x(one.at[0]), sight.y(one.at[1])];
    const color = themeColor(one.outcome === "rejected" ? "bad" : one.outcome === "won" ? "good" : "accent");
    context.globalAlpha = 1;
    context.strokeStyle = context.fillStyle = color;
    context.beginPath();
    if (one.outcome === "rejected") {
      context.moveTo(x - 4, y - 4);
      context.lineTo(x + 4, y + 4);
      context.moveTo(x + 4, y - 4);
      context.lineTo(x - 4, y + 4);
      context.stroke();
    } else {
      context.arc(x, y, 6, 0, 2 * Math.PI);
      context.stroke();
      context.globalAlpha = Math.max(0, Math.min(1, (one.score ?? 0) / best));
      context.fill();
    }
    if (one.name !== marked && one.outcome !== "won") continue;
    context.globalAlpha = 1;
    context.strokeStyle = themeColor("ink");
    context.lineWidth = one.name === marked ? 2.5 : 1.5;
    context.beginPath();
    context.arc(x, y, 10, 0, 2 * Math.PI);
    context.stroke();
    context.lineWidth = 1.5;
  }
}
