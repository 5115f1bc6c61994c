// Measures how much of their text form controls cut off. The browser keeps this text in inaccessible trees, so only its size is
// known.
import { attributeOf, boxOf, createElement, findNamed, setAttribute } from "../dom.ts";
import { isShown, type Hidden } from "./hidden-content.ts";

export type CutControl = { control: Element; hidden: Hidden };

/** Smaller differences are only the space between lines. */
const minPx = 5;

export function findCutControls(): CutControl[] {
  const controls = findNamed("textarea", "select", "input")
    .map((control) => ({ control, text: textIn(control) }))
    .filter(({ control, text }) => text !== "" && isShown(control));
  // All controls are prepared before the first one is measured, because the browser lays out the document again after each
  // change.
  const measurable = controls.map(({ control }) => makeMeasurable(control));
  const cutControls = controls.flatMap(({ control, text }, index): CutControl[] => {
    const { scrollWidth, scrollHeight } = measurable[index]?.measured ?? control;
    const [right, bottom] = [scrollWidth - control.clientWidth, scrollHeight - control.clientHeight];
    const end = getComputedStyle(control).direction === "rtl" ? "left" : "right";
    const hidden: Hidden = bottom > right ? { px: bottom, edge: "bottom", text } : { px: right, edge: end, text };
    return hidden.px < minPx ? [] : [{ control, hidden }];
  });
  for (const { restore } of measurable) restore();
  return cutControls;
}

function textIn(control: Element): string {
  if (control instanceof HTMLSelectElement) {
    const { bottom } = boxOf(control);
    const option = [...control.options].find((each) => boxOf(each).bottom > bottom) ?? control.selectedOptions[0];
    return option?.label ?? "";
  }
  const isText =
    control instanceof HTMLTextAreaElement || (control instanceof HTMLInputElement && control.type !== "password");
  return isText ? (control.value || control.placeholder).trim().replace(/\s+/g, " ") : "";
}

function makeMeasurable(control: Element): { measured: Element; restore: () => void } {
  if (control instanceof HTMLSelectElement && !control.multiple && control.size <= 1) return copyOf(control);
  if (!(control instanceof HTMLTextAreaElement)) return { measured: control, restore() {} };
  const { value } = control;
  // Empty lines at the end do not count.
  if (/\s$/.test(value)) control.value = value.trimEnd();
  return { measured: control, restore: () => void (control.value === value || (control.value = value)) };
}

/** Returns a copy that is as wide as the selected option, because a drop-down list is as wide as its widest option. */
function copyOf(list: HTMLSelectElement): { measured: Element; restore: () => void } {
  const copy = Node.prototype.cloneNode.call(list, false) as HTMLSelectElement;
  const option = createElement("option");
  option.label = list.selectedOptions[0]?.label ?? "";
  Element.prototype.append.call(copy, option);
  const size = "width:max-content!important;min-width:0!important;max-width:none!important;height:0!important";
  setAttribute(copy, "style", `${attributeOf(list, "style") ?? ""};position:absolute!important;${size}`);
  Element.prototype.after.call(list, copy);
  return { measured: copy, restore: () => Element.prototype.remove.call(copy) };
}
