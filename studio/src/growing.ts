import { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

// A box that grows with its contents and never shrinks: what is below keeps its place while the run goes on.
export function useGrowing<T extends HTMLElement>(): RefObject<T> {
  const box = useRef<T>(null);
  const height = useRef(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || element.offsetHeight <= height.current) return;
    height.current = element.offsetHeight;
    element.style.minHeight = `${height.current}px`;
  });
  return box;
}
