// Advises what to write so that a box shows all of its content. A remedy is tried in the document before it is named, which takes a layout.
import { boxOf, setStyle } from "../dom.ts";

type Remedy = { styles: Record<string, string>; advice: string; helps?: (element: Element) => boolean };

const heightRemedy: Remedy = {
  styles: { height: "auto", "max-height": "none" },
  advice: "Give it more space, or `min-height` instead of a height.",
};

const widthRemedies: Remedy[] = [
  {
    styles: { "max-width": "100%" },
    advice: "Give it `max-width: 100%`.",
    helps: (element) => element.matches(images),
  },
  { styles: { "box-sizing": "border-box" }, advice: "Write `box-sizing: border-box`." },
  { styles: { "overflow-wrap": "anywhere" }, advice: "Let its long words wrap with `overflow-wrap: anywhere`." },
  {
    styles: { "white-space": "pre-wrap" },
    advice: "Let its lines wrap with `white-space: pre-wrap`.",
    helps: isPreformatted,
  },
  { styles: { "white-space": "normal" }, advice: "Let its text wrap with `white-space: normal`." },
];

const controlRemedy: Remedy = { styles: { "field-sizing": "content" }, advice: "Write `field-sizing: content`." };

const images = "img,svg,video";

function isPreformatted(element: Element): boolean {
  return getComputedStyle(element).whiteSpace === "pre";
}

/** Returns a space and the first advice with which the element fits, or an empty string. */
function firstWorking(element: Element, remedies: readonly Remedy[], fits: () => boolean): string {
  for (const { styles, advice, helps = () => true } of remedies) {
    if (!helps(element)) continue;
    const restore = setStyle(element, styles);
    const isFitting = fits();
    restore();
    if (isFitting) return ` ${advice}`;
  }
  return "";
}

export function adviceForWidth(element: Element, fits: () => boolean): string {
  return firstWorking(element, widthRemedies, fits);
}

/** Advice for a box that hides content at one of its edges. */
export function adviceForBox(element: Element, edge: string): string {
  if (edge === "bottom")
    return firstWorking(element, [heightRemedy], () => element.scrollHeight <= element.clientHeight + 1);
  return edge === "top" ? "" : adviceForWidth(element, () => element.scrollWidth <= element.clientWidth + 1);
}

/** Advice for a form control that hides this much of its text. */
export function adviceForControl(control: Element, hiddenPx: number): string {
  const grown = () => boxOf(control).width + boxOf(control).height;
  const before = grown();
  // A control that grows in one direction may shrink in the other one, in which its content then fits.
  const isShown = () =>
    control.scrollHeight <= control.clientHeight + 1 && control.scrollWidth <= control.clientWidth + 1;
  const fits = () => (control instanceof HTMLSelectElement ? grown() - before >= hiddenPx - 5 : isShown());
  return firstWorking(control, [controlRemedy], fits);
}
