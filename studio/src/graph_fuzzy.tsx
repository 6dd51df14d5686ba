// The fuzzy sets of a system in FLL, to be edited by dragging their corners. Every drag is an edit of numbers in the text.
import { useRef, useState } from "preact/hooks";
import { GraphProps } from "./graph_tree";
import { shapeColor } from "./theme";

const WIDE = 440;
const HIGH = 104;
const LEFT = 26;
const TOP = 22;
const BOTTOM = 16;
const COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#555555"];

interface Term {
  name: string;
  shape: string;
  values: { value: number; start: number; end: number }[]; // the numbers in the text
}
interface Variable {
  name: string;
  kind: string;
  low: number;
  high: number;
  terms: Term[];
}

// How high each corner of a shape is; shapes that are not made of straight lines have no corners to drag.
const CORNERS: Record<string, number[]> = { Triangle: [0, 1, 0], Trapezoid: [0, 1, 1, 0], Rectangle: [1, 1], Ramp: [0, 1] };

const numberOf = (text: string): number => (/^\+?inf$/i.test(text) ? Infinity : /^-inf$/i.test(text) ? -Infinity : Number(text));

// The variables of a text with their ranges and terms, in order.
export function variablesOf(text: string): Variable[] {
  const found: Variable[] = [];
  let current: Variable | null = null;
  let at = 0;
  for (const line of text.split("\n")) {
    const head = /^\s*(InputVariable|OutputVariable|RuleBlock|Engine):\s*(.*?)\s*(#.*)?$/.exec(line);
    const range = /^\s*range:\s*(\S+)\s+(\S+)/.exec(line);
    const term = /^(\s*term:\s*(\S+)\s+(\w+))((?:\s+[-+\w.]+)*)/.exec(line);
    if (head !== null) {
      current = head[1].endsWith("Variable") ? { name: head[2], kind: head[1] === "InputVariable" ? "input" : "output", low: 0, high: 1, terms: [] } : null;
      if (current !== null) found.push(current);
    } else if (current !== null && range !== null) [current.low, current.high] = [numberOf(range[1]), numberOf(range[2])];
    else if (current !== null && term !== null) {
      const values: Term["values"] = [];
      for (const one of term[4].matchAll(/\S+/g)) {
        const start = at + term[1].length + one.index!;
        values.push({ value: numberOf(one[0]), start, end: start + one[0].length });
      }
      if (values.every((one) => !Number.isNaN(one.value))) current.terms.push({ name: term[2], shape: term[3], values });
    }
    at += line.length + 1;
  }
  return found.filter((one) => Number.isFinite(one.low) && Number.isFinite(one.high) && one.high > one.low);
}

export function FuzzyGraph({ text, off, edit, undo, redo, reveal }: GraphProps) {
  const variables = variablesOf(text);
  // A corner that is being dragged: the text as it was, and the number as it is now.
  const [drag, setDrag] = useState<{ variable: number; term: number; corner: number; value: number } | null>(null);
  const boxes = useRef<(SVGSVGElement | null)[]>([]);
  if (variables.length === 0) return null;

  const valueOf = (variable: number, term: number, corner: number): number =>
    drag !== null && drag.variable === variable && drag.term === term && drag.corner === corner ? drag.value : variables[variable].terms[term].values[corner].value;
  const x = (one: Variable, value: number): number => LEFT + ((Math.max(one.low, Math.min(one.high, value)) - one.low) / (one.high - one.low)) * (WIDE - 2 * LEFT);
  const y = (height: number): number => TOP + (1 - height) * (HIGH - TOP - BOTTOM);
  // Steps of a hundredth of the range, and never past the corners beside it.
  const bounded = (variable: number, term: number, corner: number, value: number): number => {
    const { low, high, terms } = variables[variable];
    const values = terms[term].values;
    const step = Math.pow(10, Math.floor(Math.log10(high - low)) - 2);
    const least = Math.max(low, values[corner - 1]?.value ?? low);
    const most = Math.min(high, values[corner + 1]?.value ?? high);
    return Number(Math.max(least, Math.min(most, Math.round(value / step) * step)).toPrecision(6));
  };
  const commit = (variable: number, term: number, corner: number, value: number) => {
    const place = variables[variable].terms[term].values[corner];
    if (value !== place.value) edit(text.slice(0, place.start) + String(value) + text.slice(place.end));
  };
  return (
    <div class="graph fuzzy-graph">
      <div class="toolbar">
        <button disabled={off || undo === null} onClick={() => undo?.()} title="Ctrl Z on a corner">Undo edit</button>
        <button disabled={off || redo === null} onClick={() => redo?.()} title="Ctrl Shift Z on a corner">Redo edit</button>
      </div>
      <div class="graph-box">
        {variables.map((one, v) => (
          <figure key={`${v} ${one.name}`}>
            <figcaption>
              {one.name} <small>{one.kind}, {one.low} to {one.high}</small>
            </figcaption>
            <svg ref={(element) => void (boxes.current[v] = element)} viewBox={`0 0 ${WIDE} ${HIGH}`} role="group" aria-label={`Sets of ${one.name}`}>
              <line class="edge" x1={LEFT} x2={WIDE - LEFT} y1={y(0)} y2={y(0)} />
              {one.terms.map((term, i) => {
                const heights = CORNERS[term.shape];
                if (heights === undefined || heights.length !== term.values.length) return null;
                const color = shapeColor(COLORS[i % COLORS.length]);
                const corners = heights.map((height, k) => ({ x: x(one, valueOf(v, i, k)), y: y(height), value: valueOf(v, i, k), k }));
                const line = term.shape === "Rectangle" ? [{ x: corners[0].x, y: y(0) }, ...corners, { x: corners[1].x, y: y(0) }] : corners;
                const top = corners.filter((corner) => corner.y === y(1));
                return (
                  <g key={term.name}>
                    <polyline points={line.map((corner) => `${corner.x.toFixed(1)},${corner.y}`).join(" ")} style={{ stroke: color }} />
                    <text x={top.reduce((sum, corner) => sum + corner.x, 0) / Math.max(1, top.length)} y={TOP - 9} text-anchor="middle">{term.name}</text>
                    {corners.filter((corner) => Number.isFinite(corner.value)).map((corner) => (
                      <circle
                        key={corner.k}
                        class="corner"
                        r="5"
                        cx={corner.x}
                        cy={corner.y}
                        style={{ stroke: color }}
                        tabindex={off ? -1 : 0}
                        role="slider"
                        aria-label={`${one.name} ${term.name}, corner ${corner.k + 1}`}
                        aria-valuemin={one.low}
                        aria-valuemax={one.high}
                        aria-valuenow={corner.value}
                        data-corner={`${one.name} ${term.name} ${corner.k}`}
                        onFocus={() => reveal(term.values[corner.k].start, term.values[corner.k].end)}
                        onPointerDown={(event) => {
                          if (off) return;
                          event.currentTarget.setPointerCapture(event.pointerId);
                          setDrag({ variable: v, term: i, corner: corner.k, value: corner.value });
                        }}
                        onPointerMove={(event) => {
                          if (drag === null || drag.variable !== v || drag.term !== i || drag.corner !== corner.k) return;
                          const rect = boxes.current[v]!.getBoundingClientRect();
                          const at = ((event.clientX - rect.left) / rect.width) * WIDE;
                          const value = one.low + ((at - LEFT) / (WIDE - 2 * LEFT)) * (one.high - one.low);
                          setDrag({ ...drag, value: bounded(v, i, corner.k, value) });
                        }}
                        onPointerUp={() => {
                          if (drag === null) return;
                          setDrag(null);
                          commit(v, i, corner.k, drag.value);
                        }}
                        onPointerCancel={() => setDrag(null)}
                        onKeyDown={(event) => {
                          if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
                            event.preventDefault();
                            return event.shiftKey ? redo?.() : undo?.();
                          }
                          const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10 }[event.key];
                          if (by === undefined || off) return;
                          event.preventDefault();
                          const step = Math.pow(10, Math.floor(Math.log10(one.high - one.low)) - 2);
                          commit(v, i, corner.k, bounded(v, i, corner.k, corner.value + by * step));
                        }}
                      >
                        <title>{`${term.name}: ${corner.value}`}</title>
                      </circle>
                    ))}
                  </g>
                );
              })}
              <text x={LEFT} y={HIGH - 3} text-anchor="middle">{one.low}</text>
              <text x={WIDE - LEFT} y={HIGH - 3} text-anchor="middle">{one.high}</text>
              {drag !== null && drag.variable === v && <text class="value-of" x={x(one, drag.value)} y={HIGH - 3} text-anchor="middle">{drag.value}</text>}
            </svg>
          </figure>
        ))}
      </div>
    </div>
  );
}
