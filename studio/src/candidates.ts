// The candidates of a query: the options of a decision that name a place, by score, and the answer to "why not there?".
import { Decision, Told, TraceChild } from "./backend";
import { flatten } from "./decided";
import { Point } from "./overlay";
import { show } from "./state";

type Option = Extract<TraceChild, { option: string }>;

export interface Candidate {
  name: string;
  at: Point;
  outcome: Option["outcome"];
  score: number | null;
  reason: string;
}
export interface Query {
  agent: string | null;
  topic: string;
  candidates: Candidate[]; // best first, rejected ones last
}

const RANKS: Record<Option["outcome"], number> = { won: 0, lost: 1, skipped: 2, rejected: 3 };
const PLACE = /\((-?[\d.]+), (-?[\d.]+)\)$/;

// Decisions among places; an option is one if its name ends in its coordinates.
export function queriesIn(told: Told | null): Query[] {
  if (told === null) return [];
  return flatten(told.decisions).map(queryOf).filter((one) => one.candidates.length > 1);
}

function queryOf(decision: Decision): Query {
  const candidates = decision.children.flatMap((one): Candidate[] => {
    const place = "option" in one ? PLACE.exec(one.option) : null;
    return place === null || !("option" in one) ? [] : [{ name: one.option, at: [Number(place[1]), Number(place[2])], outcome: one.outcome, score: one.score, reason: one.reason }];
  });
  candidates.sort((a, b) => RANKS[a.outcome] - RANKS[b.outcome] || (b.score ?? -Infinity) - (a.score ?? -Infinity));
  return { agent: decision.agent, topic: decision.topic, candidates };
}

export function nearest(candidates: Candidate[], at: Point, reach = Infinity): Candidate | null {
  let best: Candidate | null = null;
  let least = reach;
  for (const one of candidates) {
    const away = Math.hypot(one.at[0] - at[0], one.at[1] - at[1]);
    if (away <= least) [least, best] = [away, one];
  }
  return best;
}

const sentence = (text: string): string => (text === "" ? "" : ` ${text[0].toUpperCase()}${text.slice(1)}.`);
const rounded = (value: number): string => show(Number(value.toPrecision(3)));

// Why a candidate is not where the agent goes.
export function whyNot(candidate: Candidate, query: Query): string {
  const winner = query.candidates.find((one) => one.outcome === "won");
  if (candidate.outcome === "won") return `${candidate.name} was chosen.${sentence(candidate.reason)}`;
  if (candidate.outcome === "rejected") return `${candidate.name} was rejected.${sentence(candidate.reason)}`;
  const behind = winner !== undefined && winner.score !== null && candidate.score !== null ? ` It has ${rounded(candidate.score)}, ${winner.name} has ${rounded(winner.score)}.` : "";
  return `${candidate.name} ${candidate.outcome === "skipped" ? "was not tested to the end" : "lost"}.${behind}${sentence(candidate.reason)}`;
}

// The same for any place: of the candidate there, or that there is none.
export function whyNotAt(at: Point, query: Query, reach: number): { text: string; candidate: Candidate | null } {
  const hit = nearest(query.candidates, at, reach);
  if (hit !== null) return { text: whyNot(hit, query), candidate: hit };
  const near = nearest(query.candidates, at);
  const place = `(${at.map((one) => show(Number(one.toFixed(1)))).join(", ")})`;
  const away = near === null ? "" : ` The nearest one is ${rounded(Math.hypot(near.at[0] - at[0], near.at[1] - at[1]))} m away: ${whyNot(near, query)}`;
  return { text: `${place} was not among the ${query.candidates.length} candidates.${away}`, candidate: null };
}
