import { SPEEDS, Store } from "./store";

export function Transport({ store }: { store: Store }) {
  const session = store.session;
  const tick = session?.tick ?? 0;
  const end = session?.end ?? 0;
  const off = !store.writable || session === null;
  const past = tick < end;
  return (
    <div class="transport">
      <div class="buttons">
        <button class="wide" disabled={off} onClick={() => store.togglePlay()} title="Play or pause (space)" aria-label={session?.playing ? "Pause" : "Play"}>
          {session?.playing ? "❚❚" : "▶"}
        </button>
        <button disabled={off || tick === 0} onClick={() => store.step(-1)} title="One tick back (←)" aria-label="Step back">−1</button>
        <button disabled={off} onClick={() => store.step(1)} title="One tick on (→)" aria-label="Step">+1</button>
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
      <output class="clock" title="tick of the last recorded tick; seconds">
        <span id="tick">{tick}</span> / <span id="end">{end}</span>
        <small>{(session?.time ?? 0).toFixed(2)} s</small>
      </output>
      <div class="buttons more">
        <button disabled={off} onClick={() => store.fork()} title="A second simulation with the same past">Fork</button>
        <button disabled={session === null} onClick={() => store.saveRecording()} title="Save the recording; drop a file on the page to open one">Save</button>
        <code id="hash" title="Hash of the state at this tick">{session?.hash ?? ""}</code>
      </div>
    </div>
  );
}
