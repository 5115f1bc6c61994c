// The zoom of the document: fitted to the width of the view, or a fixed scale.
import { byId, element } from "../dom.ts";

/** `auto` fits two pages side by side if there is room for them, `page` and `pages` fit one or two. */
type Zoom = "auto" | "page" | "pages" | number;

const steps = [0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.25, 1.5, 2, 3];
const names: [Zoom, string][] = [
  ["auto", "Fit"],
  ["page", "Fit 1 page"],
  ["pages", "Fit 2 pages"],
];
/** The padding on both sides, the gap between pages, and the scroll bar. */
const paddingPx = 32;
const gapPx = 16;
const scrollBarPx = 16;
const minWidthForTwoPx = 700;

export type ZoomControl = {
  /** Returns the number of pixels of the screen for one CSS pixel of the document. */
  scale(view: { width: number; widestPage: number; pageCount: number }): number;
};

export function zoomControl(onChange: () => void): ZoomControl {
  const select = byId("zoom", HTMLSelectElement);
  const options: [Zoom, string][] = [...names, ...steps.map((step): [Zoom, string] => [step, `${step * 100} %`])];
  select.append(...options.map(([zoom, text]) => element("option", { value: String(zoom), textContent: text })));
  let shown = 1;
  const zoomOf = (): Zoom => options.find(([zoom]) => String(zoom) === select.value)?.[0] ?? "auto";
  const move = (isIn: boolean) => {
    const next = isIn ? steps.find((step) => step > shown + 0.01) : steps.findLast((step) => step < shown - 0.01);
    if (next === undefined) return;
    select.value = String(next);
    onChange();
  };
  select.addEventListener("change", onChange);
  byId("zoom-in", HTMLButtonElement).addEventListener("click", () => move(true));
  byId("zoom-out", HTMLButtonElement).addEventListener("click", () => move(false));
  return {
    scale(view) {
      shown = scaleOf(zoomOf(), view);
      return shown;
    },
  };
}

function scaleOf(zoom: Zoom, { width, widestPage, pageCount }: Parameters<ZoomControl["scale"]>[0]): number {
  if (typeof zoom === "number") return zoom;
  const areTwo = zoom === "pages" || (zoom === "auto" && pageCount > 1 && width >= minWidthForTwoPx);
  const room = width - paddingPx - scrollBarPx - (areTwo ? gapPx : 0);
  const fitted = room / (widestPage * (areTwo ? 2 : 1));
  return Math.max(0.05, zoom === "auto" ? Math.min(fitted, 1.5) : fitted);
}
