// The sections, one for each page file. Invisible nodes at their ends are removed. If the height is "auto", a section is as high as
// its page's content: nothing is outside the sections, and they contain their floats and first margins.
import { pageBoxes } from "../boxes/page-boxes.ts";
import { boxOf } from "../dom.ts";

/** Moves the nodes after a section to its end. They are there if a page file closes the section's element. */
export function takeInStrayNodes(): void {
  for (const section of sectionsOfPageFiles()) {
    for (let next = section.nextSibling; next && !isSection(next); next = section.nextSibling) section.append(next);
  }
}

/** Returns the displayed sections, one for each page. The fonts must be loaded. */
export function tidyPageFiles(): HTMLElement[] {
  const shownSections = sectionsOfPageFiles().filter((section) => getComputedStyle(section).display !== "none");
  for (const section of shownSections) {
    if (/^(block|contents|inline|inline-block)$/.test(getComputedStyle(section).display)) {
      section.style.setProperty("display", "flow-root", "important");
    }
    if (getComputedStyle(section).display === "flow-root") dropLastMargins(section);
    growToOverflow(section);
  }
  return shownSections;
}

/** Increases a section's height to include content below its end, for example a positioned box. */
function growToOverflow(section: HTMLElement): void {
  const { overflowY, paddingBottom } = getComputedStyle(section);
  if (overflowY !== "visible" || section.scrollHeight <= Math.ceil(section.clientHeight)) return;
  section.style.setProperty("box-sizing", "border-box", "important");
  section.style.setProperty("min-height", `${section.scrollHeight + parseFloat(paddingBottom)}px`, "important");
}

function sectionsOfPageFiles(): HTMLElement[] {
  return pageBoxes().filter((section) => section instanceof HTMLElement);
}

function isSection(node: Node): boolean {
  return node instanceof Element && node.matches(".page");
}

/**
 * Removes the bottom margin of the last block, and of each ancestor that ends where it ends. The browser also drops this
 * margin at the end of a page.
 */
function dropLastMargins(section: HTMLElement): void {
  for (let block = lastBlock(section); block; block = lastBlock(block)) {
    const style = getComputedStyle(block);
    if (parseFloat(style.marginBottom) > 0) block.style.setProperty("margin-bottom", "0", "important");
    const endsWithItsContent =
      /^(block|list-item)$/.test(style.display) &&
      style.overflowY === "visible" &&
      parseFloat(style.paddingBottom) === 0 &&
      parseFloat(style.borderBottomWidth) === 0;
    if (!endsWithItsContent) return;
  }
}

/** Returns the last child in the flow if it is a block with a height; otherwise null. */
function lastBlock(parent: HTMLElement): HTMLElement | null {
  for (let node = parent.lastChild; node; node = node.previousSibling) {
    if (node instanceof Text && node.data.trim() !== "") return null;
    if (!(node instanceof HTMLElement)) {
      if (node instanceof Element) return null;
      continue;
    }
    const { display, position, float } = getComputedStyle(node);
    const isInFlow = display !== "none" && !/^(absolute|fixed)$/.test(position) && float === "none";
    if (!isInFlow) continue;
    if (!/^(block|list-item|table|flex|grid|flow-root)$/.test(display)) return null;
    if (node.getBoundingClientRect().height > 0) return node;
    // The margins of an empty block collapse with the margins around it.
    node.style.setProperty("margin-bottom", "0", "important");
  }
  return null;
}

/** If the content fills the page exactly, invisible nodes at its end would flow onto an additional blank page. */
export function trimPageEnds(): void {
  for (const box of pageBoxes()) {
    for (let last = box.lastChild; last && isInvisible(last); last = box.lastChild) last.remove();
  }
}

function isInvisible(node: Node): boolean {
  return node instanceof Element
    ? /^(br|p)$/i.test(node.tagName) &&
        !node.hasChildNodes() &&
        (/^br$/i.test(node.tagName) || boxOf(node).height === 0)
    : node instanceof Comment || !node.nodeValue?.trim();
}
