// What is open, as the part of the page's address after "#": a link or a reload leads to the same place, and Back to the
// one before. The token and the options that a person typed (rate) stay in it.
export type Panel = "parameters" | "state" | "why" | "tactics" | "plots" | "edit" | "debug";
export const PANELS: Panel[] = ["parameters", "state", "why", "tactics", "plots", "edit", "debug"];

export interface Place {
  session: number | null;
  simulation: string | null; // none: the gallery
  seed: string | null;
  set: string[]; // "path=value": parameters other than their default at the start
  tick: number | null;
  agent: string | null;
  panel: Panel;
  read: string | null; // a page of the guide or a source that is shown in front
  find: string; // what is searched in the gallery
}

const number = (text: string | null): number | null => (text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null);

export function readPlace(): Place {
  const hash = new URLSearchParams(location.hash.slice(1));
  const panel = hash.get("panel") as Panel;
  const agent = hash.get("agent");
  return {
    session: number(hash.get("session")),
    simulation: hash.get("simulation"),
    seed: hash.get("seed"),
    set: hash.getAll("set"),
    tick: number(hash.get("tick")),
    agent: agent !== null && /^\d+:\d+$/.test(agent) ? agent : null,
    panel: PANELS.includes(panel) ? panel : "parameters",
    read: hash.get("read"),
    find: hash.get("find") ?? "",
  };
}

export function placeHash(place: Partial<Place>): string {
  const old = new URLSearchParams(location.hash.slice(1));
  const hash = new URLSearchParams();
  for (const key of ["token", "rate"]) if (old.get(key) !== null) hash.set(key, old.get(key)!);
  const put = (key: string, value: string | number | null | undefined) => value != null && value !== "" && hash.set(key, String(value));
  put("simulation", place.simulation);
  put("seed", place.seed);
  for (const one of place.set ?? []) hash.append("set", one);
  put("session", place.session);
  put("tick", place.tick);
  put("agent", place.agent);
  if (place.panel !== undefined && place.panel !== "parameters") put("panel", place.panel);
  put("read", place.read);
  put("find", place.find);
  // Colons and slashes need no escape after "#", and people read addresses.
  return "#" + hash.toString().replace(/%3A/g, ":").replace(/%2F/g, "/");
}

// Another place gets a separate entry in the browser's history; the same place at another tick does not.
export function writePlace(place: Place, push: boolean): void {
  const hash = placeHash(place);
  if (hash === location.hash) return;
  if (push) history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
}
