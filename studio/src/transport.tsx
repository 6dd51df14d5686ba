import { SPEEDS, Store } from "./store";
import { Timeline } from "./timeline";

const WIDE = "\u2007"; // a blank as wide as a digit: numbers that grow move nothing

export function Transport({ store }: { store: Store }) {
  const session = store.session;
  const tick = session?.tick ?? 0;
  const end = session?.end ?? 0;
  const off = !store.writable || session === null;
  const past = tick < end;
  const two = store.panes.length > 1;
  return (
    <div class="transport">
      <div class="row-of-buttons">
        <div class="buttons">
          <button class="wide" disabled={off} onClick={() => store.togglePlay()} title="Play or pause (space)" aria-label={session?.playing ? "Pause" : "Play"}>
            <svg viewBox="0 0 14 14" aria-hidden="true">
              <path d={session?.playing ? "M2 1h4v12H2zM8 1h4v12H8z" : "M2 1l11 6-11 6z"} />
            </svg>
          </button>
          <button disabled={off || tick === 0} onClick={() => store.step(-1)} title="One tick back (←)" aria-label="Step back" data-sign="−1" />
          <button disabled={off} onClick={() => store.step(1)} title="One tick on (→)" aria-label="Step" data-sign="+1" />
          <button disabled={off} onClick={() => store.seekDecision(-1)} title="The decision before, of the selected agent or of any agent (,)" aria-label="Why: decision before" data-sign="‹ why" />
          <button disabled={off} onClick={() => store.seekDecision(1)} title="The next decision (.)" aria-label="Why: next decision" data-sign="why ›" />
          <select
            aria-label="Speed"
            title="Speed ([ and ])"
            disabled={off}
            value={String(session?.speed ?? 1)}
            onChange={(event) => store.setSpeed(Number(event.currentTarget.value))}
          >
            {SPEEDS.map((speed) => (
              <option value={String(speed)}>{speed}×</option>
            ))}
          </select>
        </div>
        <output class="clock" title="tick of the last recorded tick; seconds">
          <span id="tick">{String(tick).padStart(6, WIDE)}</span> / <span id="end">{String(end).padEnd(6, WIDE)}</span>
          <small>{`${(session?.time ?? 0).toFixed(2)} s`}</small>
        </output>
        <div class="buttons more">
          <button disabled={off} onClick={() => store.fork()} title="A second simulation with the same past, beside this one (f)">Fork</button>
          {two ? (
            <>
              <button disabled={off || store.comparing} onClick={() => store.compare()} title="To the first decision that differs (c)">
                {store.comparing ? "Comparing…" : "Compare"}
              </button>
              <label title="Drive both at once">
                <input type="checkbox" checked={store.linked} onChange={() => store.toggleLinked()} /> both
              </label>
            </>
          ) : (
            <button disabled={off} onClick={() => store.beside()} title="The same with another seed, beside this one (b)">Beside</button>
          )}
          <button disabled={session === null} onClick={() => store.saveRecording()} title="Save the recording; drop a file on the page to open one">Save</button>
          <code id="hash" title="Hash of the state at this tick">{session?.hash ?? (session === null ? "" : "·".repeat(16))}</code>
        </div>
      </div>
      <input
        class={past ? "scrub past" : "scrub"}
        type="range"
        aria-label="Tick"
        min={0}
        max={Math.max(end, 1)}
        value={session?.seeking ?? tick}
        disabled={off || end === 0}
        onInput={(event) => store.seek(Number(event.currentTarget.value))}
      />
      {store.panes.length === 0 && (
        <div class="timeline">
          <canvas />
        </div>
      )}
      {store.panes.map((pane) => (
        <Timeline key={pane.session.session} store={store} pane={pane} />
      ))}
    </div>
  );
}
