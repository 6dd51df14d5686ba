// What overlaps on the page: labels of the picture, tables and controls.
export const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 400, height: 800 },
];

// What the page shows: labels in the picture and controls, each with a name and a box in page pixels.
export const boxesOf = (page) =>
  page.evaluate(() => {
    const canvas = document.querySelector(".view canvas");
    const rect = canvas.getBoundingClientRect();
    const labels = (canvas.labelBoxes ?? []).map((box, i) => ({ name: `label ${i}`, x0: rect.left + box.x0, y0: rect.top + box.y0, x1: rect.left + box.x1, y1: rect.top + box.y1 }));
    const seen = [...document.querySelectorAll("button, select, input, .hidden-labels, .view-hint, .caption span, header strong")].filter((one) => {
      const box = one.getBoundingClientRect();
      if (box.width === 0 || box.height === 0 || getComputedStyle(one).visibility === "hidden" || one.closest(".visually-hidden, .panel, .timeline")) return false;
      return box.bottom > 0 && box.top < innerHeight;
    });
    const controls = seen.map((one) => {
      const box = one.getBoundingClientRect();
      return { name: `${one.tagName} ${one.className} ${(one.getAttribute("aria-label") ?? one.textContent ?? "").trim().slice(0, 30)}`, x0: box.left, y0: box.top, x1: box.right, y1: box.bottom };
    });
    const scale = canvas.scaleBox;
    if (scale != null) controls.push({ name: "the scale", x0: rect.left + scale.x0, y0: rect.top + scale.y0, x1: rect.left + scale.x1, y1: rect.top + scale.y1 });
    const note = document.querySelector(".hidden-labels")?.textContent ?? "";
    return { view: { x0: rect.left, y0: rect.top, x1: rect.right, y1: rect.bottom }, labels, controls, note, wide: document.documentElement.scrollWidth, hidden: note === "" ? 0 : Number.parseInt(note) };
  });

const overlap = (a, b) => Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0) > 1 && Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0) > 1;

// What is wrong at this size, and what to note: labels and controls over each other, labels cut off, a page too wide.
export async function look(page, width) {
  const { view, labels, controls, note, wide, hidden } = await boxesOf(page);
  const all = [...labels, ...controls];
  const faults = [];
  for (let i = 0; i < all.length; i++) {
    for (let k = i + 1; k < all.length; k++) if (overlap(all[i], all[k])) faults.push(`${all[i].name} and ${all[k].name} overlap`);
  }
  if (labels.some((one) => one.x0 < view.x0 - 2 || one.x1 > view.x1 + 2)) faults.push("a label is cut off");
  if (wide > width) faults.push(`the page is ${wide} wide`);
  if (note !== "" && !/^\d+ labels? hidden: zoom in$/.test(note)) faults.push(`"${note}" is no count of labels`);
  return { faults: faults.slice(0, 5), note: `${labels.length}${hidden > 0 ? ` (${hidden} hidden)` : ""}` };
}

// The same within panels, dialogs and the gallery, as far as it is in sight: controls and words over each other, words
// that leave their box, a control that is wider than what it is in.
export const lookInside = (page) =>
  page.evaluate(() => {
    const dialog = document.querySelector("dialog[open]");
    const boxOf = (one) => {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      const box = { x0: left, y0: top, x1: right, y1: bottom };
      // What scrolls shows a part.
      for (let parent = one.parentElement; parent !== null; parent = parent.parentElement) {
        const style = getComputedStyle(parent);
        if (style.overflowX === "visible" && style.overflowY === "visible") continue;
        const limit = parent.getBoundingClientRect();
        Object.assign(box, { x0: Math.max(box.x0, limit.left), y0: Math.max(box.y0, limit.top), x1: Math.min(box.x1, limit.right), y1: Math.min(box.y1, limit.bottom) });
      }
      return box;
    };
    const nameOf = (one) => `${one.tagName} ${one.className} '${(one.getAttribute("aria-label") ?? one.value ?? one.textContent ?? "").trim().slice(0, 30)}'`;
    const shown = (one) => getComputedStyle(one).visibility !== "hidden" && one.closest(".visually-hidden, svg, .picture") === null && (dialog === null || dialog.contains(one));
    // Controls, and what has words itself.
    const words = (one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "");
    const all = [...document.querySelectorAll("button, select, input, textarea, summary, a, h1, h2, h3, h4, h5, p, li, span, strong, small, code, td, th, dt, dd, label, canvas:not(.view canvas)")].filter((one) => shown(one) && (words(one) || one.matches("button, select, input, textarea, canvas")));
    // Lines of text in the middle of others have a box for each line.
    const boxes = all.filter((one) => getComputedStyle(one).display !== "inline").map((one) => ({ one, ...boxOf(one) })).filter((box) => box.x1 - box.x0 > 1 && box.y1 - box.y0 > 1 && box.y0 < innerHeight && box.y1 > 0);
    boxes.sort((a, b) => a.y0 - b.y0);
    const faults = [];
    // What is meant to be over others: a dialog's own last line, popups, the number of a line in its margin.
    const over = (one) => one.closest(".close, .layers, .map-legend, .view-tools, .tip, .notices, .pane-name, .view-hint, .hidden-labels") ?? one.closest(".code, .thumbnail, .timeline");
    for (let i = 0; i < boxes.length; i++) {
      const a = boxes[i];
      for (let k = i + 1; k < boxes.length && boxes[k].y0 < a.y1 - 1; k++) {
        const b = boxes[k];
        if (a.one.contains(b.one) || b.one.contains(a.one) || over(a.one) !== over(b.one) || (over(a.one)?.matches(".code") ?? false)) continue;
        if (Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0) > 1 && Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0) > 1) faults.push(`${nameOf(a.one)} and ${nameOf(b.one)} overlap`);
      }
    }
    for (const { one } of boxes) {
      const style = getComputedStyle(one);
      if (words(one) && style.overflowX === "visible" && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0) faults.push(`${nameOf(one)} is ${one.scrollWidth} wide in ${one.clientWidth}`);
      if (one.matches("button, select") && style.overflowX !== "visible" && one.matches("button") && one.scrollWidth > one.clientWidth + 1) faults.push(`${nameOf(one)} is cut off`);
    }
    return { faults: faults.slice(0, 8), controls: boxes.length };
  });
