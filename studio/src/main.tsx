import { render } from "preact";
import { App } from "./app";
import { SocketBackend } from "./socket";
import { listenerOf, Store } from "./store";

const hash = new URLSearchParams(location.hash.slice(1));
const number = (text: string | null) => (text !== null && /^\d+$/.test(text) ? Number(text) : null);
const backend = new SocketBackend(`ws://${location.host}/socket`, hash.get("token"));
const store = new Store(backend, {
  session: number(hash.get("session")),
  simulation: hash.get("simulation"),
  seed: hash.get("seed"),
});
const root = document.getElementById("app")!;
root.textContent = "";
render(<App store={store} />, root);
backend.start(listenerOf(store));
