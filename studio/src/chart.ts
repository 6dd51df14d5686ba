// A canvas that is as wide as its box and so many pixels high, sharp on every screen.
export function fitCanvas(element: HTMLCanvasElement, height: number): { context: CanvasRenderingContext2D; width: number } {
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
