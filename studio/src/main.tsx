import { render } from "preact";
import { App } from "./app";
import { Values } from "./backend";
import { SocketBackend } from "./socket";
import { listenerOf, Store } from "./store";

const hash = new URLSearchParams(location.hash.slice(1));
const number = (text: string | null) => (text !== null && /^\d+$/.test(text) ? Number(text) : null);
const backend = new SocketBackend(`ws://${location.host}/socket`, hash.get("token"));
// "set=count=1000" gives a parameter to the simulation that is opened; numbers and words both.
const params: Values = {};
for (const one of hash.getAll("set")) {
  const [path, text] = [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)];
  if (path !== "") params[path] = text === "true" || text === "false" ? text === "true" : text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}
const store = new Store(backend, {
  session: number(hash.get("session")),
  simulation: hash.get("simulation"),
  seed: hash.get("seed"),
  rate: number(hash.get("rate")),
  params,
});
const root = document.getElementById("app")!;
root.textContent = "";
render(<App store={store} />, root);
backend.start(listenerOf(store));
