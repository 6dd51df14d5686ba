// What panels draw over the flat picture and what they do with the pointer there: candidates, values of a map, handles
// of an editor. A panel adds an overlay while it is open; the canvas asks all of them.
export interface Sight {
  x(world: number): number; // pixels
  y(world: number): number;
  scale: number; // pixels a metre
  width: number;
  height: number;
}

export type Point = [number, number];

export interface Overlay {
  session: number;
  draw?(context: CanvasRenderingContext2D, sight: Sight): void;
  // The pointer moved over the picture, without a button; null: it left.
  hover?(at: Point | null, slack: number): void;
  // A click; true if it was meant for this overlay.
  click?(at: Point, slack: number): boolean;
  // A drag: true in `down` takes it, so that the picture does not move.
  down?(at: Point, slack: number): boolean;
  drag?(at: Point): void;
  up?(at: Point): void;
}

const overlays = new Set<Overlay>();
let redraw: (() => void)[] = [];

export function addOverlay(overlay: Overlay): () => void {
  overlays.add(overlay);
  redrawOverlays();
  return () => {
    overlays.delete(overlay);
    redrawOverlays();
  };
}

export const overlaysOf = (session: number | undefined): Overlay[] => [...overlays].filter((one) => one.session === session);

// Has every picture drawn again, because an overlay changed.
export const redrawOverlays = (): void => redraw.forEach((one) => one());
export function onRedraw(listener: () => void): () => void {
  redraw.push(listener);
  return () => {
    redraw = redraw.filter((one) => one !== listener);
  };
}
