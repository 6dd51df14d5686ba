import { render } from "preact";
import { readPlace } from "./address";
import { App } from "./app";
import { SocketBackend } from "./socket";
import { listenerOf, Store } from "./store";

const hash = new URLSearchParams(location.hash.slice(1));
const rate = hash.get("rate");
const backend = new SocketBackend(`ws://${location.host}/socket`, hash.get("token"));
const navigation = performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming | undefined;
const store = new Store(backend, readPlace(), rate !== null && /^\d+$/.test(rate) ? Number(rate) : null, navigation?.type === "reload");
const root = document.getElementById("app")!;
root.textContent = "";
render(<App store={store} />, root);
backend.start(listenerOf(store));
window.addEventListener("popstate", () => void store.restore(readPlace()));
