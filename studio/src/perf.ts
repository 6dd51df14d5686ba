// How long the page's own script takes in each frame: what arrives, what is drawn, what is rendered. The median over the
// last frames is in the page's root element, for people who look and for the test that asserts it.
const KEPT = 240;
const frames: number[] = [];
let current = 0;
let asked = false;

function flush(): void {
  asked = false;
  frames.push(current);
  current = 0;
  if (frames.length > KEPT) frames.shift();
  if (frames.length % 30 === 0) {
    const sorted = [...frames].sort((a, b) => a - b);
    document.documentElement.dataset.scriptMs = sorted[sorted.length >> 1].toFixed(3);
    document.documentElement.dataset.frames = String(Number(document.documentElement.dataset.frames ?? 0) + 30);
  }
}

export function timed<T>(work: () => T): T {
  const began = performance.now();
  try {
    return work();
  } finally {
    current += performance.now() - began;
    if (!asked) {
      asked = true;
      // After this frame's callbacks, so that everything of one frame is one sum.
      requestAnimationFrame(() => setTimeout(flush, 0));
    }
  }
}
