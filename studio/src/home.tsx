// The gallery: every simulation with a picture of it, what it is about, and the techniques that it shows.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import catalog from "catalog";
import { placeHash } from "./address";
import { SimulationOffer } from "./backend";
import { drawThumbnail, Thumbnails } from "./thumbnails";
import { Store } from "./store";

export interface Entry {
  category: string;
  source: string | null;
  techniques: { ids: string; name: string; guide: string }[];
}
const NONE: Entry = { category: "Your own", source: null, techniques: [] };

export function entryOf(name: string): Entry {
  const found = catalog.simulations[name];
  if (found === undefined) return NONE;
  return { category: catalog.categories[found[0]], source: found[1], techniques: found[2].map(([ids, technique, guide]) => ({ ids, name: technique, guide })) };
}

// Simulations by category, in the order of the catalog; categories without any are left out.
export function byCategory(offers: SimulationOffer[]): [string, SimulationOffer[]][] {
  return [NONE.category, ...catalog.categories].map((category): [string, SimulationOffer[]] => [category, offers.filter((one) => entryOf(one.name).category === category)]).filter(([, all]) => all.length > 0);
}

// Every word must be in the title, the help, the category or a technique's name or ID.
function matches(offer: SimulationOffer, words: string[]): boolean {
  const entry = entryOf(offer.name);
  const all = [offer.name, offer.title, offer.help, entry.category, ...entry.techniques.map((one) => `${one.ids} ${one.name}`)].join(" ").toLowerCase();
  return words.every((word) => all.includes(word));
}

export function Home({ store }: { store: Store }) {
  const words = store.find.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const groups = byCategory(store.simulations.filter((one) => matches(one, words)));
  const count = groups.reduce((sum, [, all]) => sum + all.length, 0);
  const [chosen, setChosen] = useState<string | null>(null);
  const titles = byCategory(store.simulations).map(([title]) => title);
  const shown = groups.filter(([title]) => chosen === null || title === chosen);
  const running = store.running;
  return (
    <main class="home" id="home">
      <div class="home-top">
        <h1>Labs and games</h1>
        <input id="find" type="search" aria-label="Search" placeholder="Search: titles, texts, techniques ( / )" value={store.find} onInput={(event) => store.search(event.currentTarget.value)} />
        <output class="count" aria-live="polite">{words.length > 0 ? `${count} of ${store.simulations.length}` : `${store.simulations.length} simulations`}</output>
      </div>
      <div class="categories" role="group" aria-label="Categories">
        <button aria-pressed={chosen === null} onClick={() => setChosen(null)}>All</button>
        {titles.map((title) => (
          <button key={title} aria-pressed={chosen === title} onClick={() => setChosen(chosen === title ? null : title)}>{title}</button>
        ))}
      </div>
      {store.connection === "open" && shown.length === 0 && <p class="empty">{store.simulations.length === 0 ? "This server offers no simulations." : "Nothing matches. Fewer words find more."}</p>}
      {shown.map(([title, all]) => (
        <section key={title} aria-label={title}>
          <h2>
            {title} <small>{all.length}</small>
          </h2>
          <ul class="cards">
            {all.map((one) => (
              <Card key={one.name} store={store} offer={one} />
            ))}
          </ul>
        </section>
      ))}
      {running.length > 0 && (
        <section aria-label="Running">
          <h2>Running</h2>
          <ul class="running">
            {running.map((one) => (
              <li key={one.session}>
                <a href={placeHash({ simulation: one.name, session: one.session })}>{one.title}</a> <small>{one.kind === "live" ? "live" : `tick ${one.tick ?? 0}`}</small>
              </li>
            ))}
          </ul>
        </section>
      )}
    </main>
  );
}

function Card({ store, offer }: { store: Store; offer: SimulationOffer }) {
  const entry = entryOf(offer.name);
  const draft = store.draftsOf(offer.name).length > 0;
  return (
    <li class="card">
      <Thumbnail store={store} thumbnails={store.thumbnails} offer={offer} />
      <h3>
        <a href={placeHash({ simulation: offer.name })}>{offer.title}</a>
        {draft && <span class="badge lit" title="An edited text that the simulation does not have yet">draft</span>}
      </h3>
      <p>{offer.help}</p>
      <Techniques entry={entry} />
    </li>
  );
}

// The techniques of a simulation with their pages of the guide, and its source. Closed at first: few need all of them.
export function Techniques({ entry, open: first = false }: { entry: Entry; open?: boolean }) {
  const [open, setOpen] = useState(first);
  if (entry.source === null) return null;
  const link = (file: string) => placeHash({ ...currentPlace(), read: file });
  return (
    <div class="shows">
      {entry.techniques.length > 0 && (
        <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{entry.techniques.length === 1 ? "1 technique" : `${entry.techniques.length} techniques`}</summary>
          {open && (
            <ul>
              {entry.techniques.map((one) => (
                <li key={one.ids}>
                  {one.guide !== "" ? <a href={link(one.guide)}>{one.name}</a> : one.name} <small>{one.ids}</small>
                </li>
              ))}
            </ul>
          )}
        </details>
      )}
      <a class="source" href={link(entry.source)} aria-label={`Source: ${entry.source}`}>
        {entry.source}
      </a>
    </div>
  );
}

// Links keep what is open behind the page that they show.
function currentPlace() {
  const hash = new URLSearchParams(location.hash.slice(1));
  const text = (key: string) => hash.get(key);
  return { simulation: text("simulation"), seed: text("seed"), set: hash.getAll("set"), session: text("session") === null ? null : Number(text("session")), tick: text("tick") === null ? null : Number(text("tick")), agent: text("agent"), panel: (text("panel") ?? "parameters") as never, find: text("find") ?? "" };
}

// A picture of the simulation as it is after a while, made by the engine when the card comes into view; with the pointer
// or the focus on its card it runs.
function Thumbnail({ store, thumbnails, offer }: { store: Store; thumbnails: Thumbnails; offer: SimulationOffer }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [, redraw] = useState(0);
  useEffect(() => {
    const element = canvas.current!;
    const seen = new IntersectionObserver((entries) => thumbnails.want(offer.name, entries[entries.length - 1].isIntersecting), { rootMargin: "120px" });
    seen.observe(element);
    const stop = thumbnails.listen(offer.name, () => redraw((n) => n + 1));
    const card = element.closest("li")!;
    const on = () => thumbnails.run(offer.name);
    const off = () => thumbnails.rest(offer.name);
    card.addEventListener("pointerenter", on);
    card.addEventListener("focusin", on);
    card.addEventListener("pointerleave", off);
    card.addEventListener("focusout", off);
    return () => {
      seen.disconnect();
      stop();
      off();
      thumbnails.want(offer.name, false);
      for (const [event, what] of [["pointerenter", on], ["focusin", on], ["pointerleave", off], ["focusout", off]] as const) card.removeEventListener(event, what);
    };
  }, [offer.name]);
  const picture = thumbnails.picture(offer.name);
  useLayoutEffect(() => {
    if (canvas.current !== null) drawThumbnail(canvas.current, picture, offer.view, store.hello?.styles ?? []);
  }, [picture, store.themes, store.hello]);
  return <canvas class="thumbnail" ref={canvas} aria-hidden="true" data-drawn={picture === null ? "no" : "yes"} data-simulation={offer.name} onClick={() => (location.hash = placeHash({ simulation: offer.name }).slice(1))} />;
}
