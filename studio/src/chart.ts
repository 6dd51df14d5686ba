import { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

// Draws a canvas with every rendering, and when its width changes: a page that is paused is not rendered then.
export function useDrawing(canvas: RefObject<HTMLCanvasElement>, height: number, draw: (context: CanvasRenderingContext2D, width: number) => void): void {
  const last = useRef(() => {});
  last.current = () => {
    const { context, width } = fitCanvas(canvas.current!, height);
    draw(context, width);
  };
  useLayoutEffect(() => last.current());
  useEffect(() => {
    const resize = new ResizeObserver(() => last.current());
    resize.observe(canvas.current!);
    return () => resize.disconnect();
  }, []);
}

// A canvas that is as wide as its box and has the given height in pixels, sharp on every screen.
function fitCanvas(element: HTMLCanvasElement, height: number): { context: CanvasRenderingContext2D; width: number } {
  const ratio = window.devicePixelRatio || 1;
  const width = element.clientWidth;
  if (element.width !== Math.round(width * ratio)) {
    element.width = Math.round(width * ratio);
    element.height = Math.round(height * ratio);
  }
  const context = element.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { context, width };
}
