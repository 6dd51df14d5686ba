// Controls that keyboards and screen readers know: dialogs, tabs, popups and trees, each with the keys of its ARIA pattern.
import { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

// A modal dialog: it takes the focus, keeps it inside, and gives it back to where it was.
export function Dialog({ label, close, children, class: name = "" }: { label: string; close: () => void; children: ComponentChildren; class?: string }) {
  const box = useRef<HTMLDialogElement>(null);
  const latest = useRef(close);
  latest.current = close;
  useLayoutEffect(() => {
    const element = box.current!;
    const before = document.activeElement as HTMLElement | null;
    const closed = () => latest.current(); // the browser closes it without asking if Esc is pressed twice
    element.showModal();
    if (element.scrollHeight > element.clientHeight + 1) {
      // A long one begins at its top, not at its first button.
      element.focus();
      element.scrollTop = 0;
    }
    element.addEventListener("close", closed);
    return () => {
      element.removeEventListener("close", closed);
      element.close();
      if (before?.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={box}
      class={`dialog ${name}`}
      tabIndex={-1}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        // A click beside the box: the dialog itself is hit only where its contents are not.
        if (event.target !== box.current) return;
        const rect = box.current!.getBoundingClientRect();
        if (event.clientX < rect.left || event.clientX > rect.right || event.clientY < rect.top || event.clientY > rect.bottom) close();
      }}
    >
      {children}
    </dialog>
  );
}

// Tabs: one stop of the Tab key, arrows move between them and choose.
export function Tabs<T extends string>({ label, tabs, value, choose, controls, class: name }: { label: string; tabs: readonly (readonly [T, ComponentChildren])[]; value: T; choose: (tab: T) => void; controls: string; class?: string }) {
  const box = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(([one]) => one === value);
    const to = event.key === "ArrowRight" ? at + 1 : event.key === "ArrowLeft" ? at - 1 : event.key === "Home" ? 0 : event.key === "End" ? tabs.length - 1 : null;
    if (to === null) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    choose(tabs[next][0]);
    box.current!.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <div ref={box} class={name} role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(([one, title]) => (
        <button key={one} id={`${controls}-${one}`} role="tab" aria-selected={one === value} aria-controls={controls} tabIndex={one === value ? 0 : -1} onClick={() => choose(one)}>
          {title}
        </button>
      ))}
    </div>
  );
}

// Calls back when a popup should close: Esc, a click elsewhere, the focus gone elsewhere. Esc gives the focus back to the
// button that opened it.
export function usePopup(open: boolean, close: () => void): { box: { current: HTMLDivElement | null }; button: { current: HTMLButtonElement | null } } {
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (!open) return;
    const outside = (target: EventTarget | null) => !(target instanceof Node && (box.current?.contains(target) || button.current?.contains(target)));
    const key = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      close();
      button.current?.focus();
    };
    const point = (event: Event) => outside(event.target) && close();
    window.addEventListener("keydown", key, true);
    window.addEventListener("pointerdown", point, true);
    window.addEventListener("focusin", point, true);
    return () => {
      window.removeEventListener("keydown", key, true);
      window.removeEventListener("pointerdown", point, true);
      window.removeEventListener("focusin", point, true);
    };
  }, [open]);
  return { box, button };
}

// The keys of a tree: arrows move between the visible items, open and close them; Enter does what the item is for.
// Items are elements with the role "treeitem" in the element that listens; one of them is a stop of the Tab key.
export function treeKeys(event: KeyboardEvent): void {
  const item = (event.target as HTMLElement).closest<HTMLElement>('[role="treeitem"]');
  const tree = event.currentTarget as HTMLElement;
  if (item === null || event.target !== item || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const visible = [...tree.querySelectorAll<HTMLElement>('[role="treeitem"]')].filter((one) => one.parentElement!.closest('[aria-expanded="false"]') === null);
  const at = visible.indexOf(item);
  const expanded = item.getAttribute("aria-expanded");
  const go = (to: HTMLElement | null | undefined) => {
    if (to == null) return;
    focusItem(tree, to);
    to.scrollIntoView({ block: "nearest" });
  };
  const actions: Record<string, () => void> = {
    ArrowDown: () => go(visible[at + 1]),
    ArrowUp: () => go(visible[at - 1]),
    Home: () => go(visible[0]),
    End: () => go(visible[visible.length - 1]),
    ArrowRight: () => (expanded === "false" ? item.querySelector<HTMLElement>("[data-toggle]")?.click() : expanded === "true" && go(visible[at + 1])),
    ArrowLeft: () => (expanded === "true" ? item.querySelector<HTMLElement>("[data-toggle]")?.click() : go(item.parentElement!.closest<HTMLElement>('[role="treeitem"]'))),
    Enter: () => (item.querySelector<HTMLElement>(":scope > [data-enter], :scope > * > [data-enter]") ?? item.querySelector<HTMLElement>("[data-toggle]"))?.click(),
  };
  const action = actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}

function focusItem(tree: HTMLElement, item: HTMLElement): void {
  for (const one of tree.querySelectorAll<HTMLElement>('[role="treeitem"][tabindex="0"]')) one.tabIndex = -1;
  item.tabIndex = 0;
  item.focus();
}

// Keeps exactly one item of a tree a stop of the Tab key, whatever was rendered.
export function useTreeStop(): { current: HTMLUListElement | null } {
  const tree = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const items = [...(tree.current?.querySelectorAll<HTMLElement>('[role="treeitem"]') ?? [])];
    const stops = items.filter((one) => one.tabIndex === 0);
    for (const one of stops.slice(1)) one.tabIndex = -1;
    if (stops.length === 0 && items.length > 0) items[0].tabIndex = 0;
  });
  return tree;
}
