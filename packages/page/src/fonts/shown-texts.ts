// Finds the text that the browser draws, with its styles: text nodes, and the text of form controls, which comes from
// attributes and options.
import { attributeOf, checkVisibility, descendantsOf, findAll, parentOf, textOf, hasBoxes } from "../dom.ts";

/** Text with the style of `element` or of its pseudo-element. */
type ControlText = { text: string; element: Element; pseudoElement?: string };

/** Returns whether any text matches the pattern, visible or not. Much cheaper than `shownTexts`. */
export function containsText(roots: readonly Element[], pattern: RegExp): boolean {
  return roots.some((root) => {
    if (pattern.test(textOf(root))) return true;
    for (const { text } of controlTexts(root)) if (pattern.test(text)) return true;
    return false;
  });
}

/** Returns the visible text that matches the pattern. */
export function* shownTexts(
  roots: readonly Element[],
  pattern: RegExp,
): Generator<{ text: string; style: CSSStyleDeclaration }> {
  for (const root of roots) {
    for (const node of descendantsOf(root, NodeFilter.SHOW_TEXT) as Generator<Text>) {
      const element = pattern.test(node.data) && hasBoxes(node) ? parentOf(node) : null;
      if (element && isVisible(element) && !hidesContent(element))
        yield { text: node.data, style: getComputedStyle(element) };
    }
    for (const { text, element, pseudoElement } of controlTexts(root)) {
      if (pattern.test(text) && isVisible(element)) yield { text, style: getComputedStyle(element, pseudoElement) };
    }
  }
}

/** Returns whether the element is displayed without the text in it. */
function hidesContent(element: Element): boolean {
  const isClosed = element instanceof HTMLDetailsElement && !element.open;
  return isClosed || getComputedStyle(element).contentVisibility === "hidden";
}

function isVisible(element: Element): boolean {
  if (getComputedStyle(element).visibility !== "visible") return false;
  // An element with `display: contents` has no box, but its content is displayed.
  let box: Element | null = element;
  while (box && getComputedStyle(box).display === "contents") box = parentOf(box);
  return box !== null && checkVisibility(box);
}

function* controlTexts(root: Element): Generator<ControlText> {
  for (const element of findAll(root, "input, textarea, select")) {
    if (element instanceof HTMLInputElement) yield* inputTexts(element);
    else if (element instanceof HTMLTextAreaElement) yield* fieldTexts(element, element.value);
    else if (element instanceof HTMLSelectElement) yield* optionTexts(element);
  }
}

function inputTexts(input: HTMLInputElement): ControlText[] {
  if (/^(button|submit|reset)$/.test(input.type)) return [{ text: input.value, element: input }];
  if (!/^(text|search|url|tel|email|number|password)$/.test(input.type)) return [];
  // A password is drawn as dots.
  if (input.type === "password" && input.value !== "") return [];
  return fieldTexts(input, input.value);
}

function fieldTexts(element: HTMLInputElement | HTMLTextAreaElement, value: string): ControlText[] {
  if (value !== "") return [{ text: value, element }];
  return [{ text: attributeOf(element, "placeholder") ?? "", element, pseudoElement: "::placeholder" }];
}

/** A drop-down list shows only the selected option; other lists show all options and the labels of their groups. */
function* optionTexts(select: HTMLSelectElement): Generator<ControlText> {
  if (!select.multiple && select.size <= 1) {
    for (const option of select.selectedOptions) yield { text: option.label, element: select };
    return;
  }
  for (const option of select.options) yield { text: option.label, element: option };
  for (const group of findAll(select, "optgroup[label]")) {
    yield { text: attributeOf(group, "label") ?? "", element: group };
  }
}
