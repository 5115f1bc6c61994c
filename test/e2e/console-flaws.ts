// Finds text that is not completely visible. The function runs in the page, and is a string because the tests have no types of a
// page.

/**
 * Returns the flaws of the layout: a page that is wider than its window, words outside the window or their block, text that is
 * clipped by its block, and short words that are broken into two lines. Text in a block that scrolls may be anywhere in it.
 */
export const flawsOfPage = `() => {
  const found = new Set();
  const report = (what, element, text) => {
    const name = [element.tagName.toLowerCase(), ...element.classList].join(".");
    found.add(what + ": " + name + " " + JSON.stringify(text.trim().slice(0, 60)));
  };
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflow);
  /** On a narrow screen, the head of a table is moved out of the window, because each value has its label. */
  const isHidden = (element) =>
    !element.checkVisibility({ visibilityProperty: true }) ||
    (element.closest("thead, .skip")?.getBoundingClientRect().right ?? 1) <= 0;
  const nearest = (element, test) => {
    while (element && !test(element)) element = element.parentElement;
    return element;
  };
  const width = document.documentElement.clientWidth;
  const pageWidth = document.documentElement.scrollWidth;
  if (pageWidth > width) found.add("the page is " + pageWidth + " px wide");

  for (const element of document.querySelectorAll("body *:not(input)")) {
    if (isHidden(element)) continue;
    const { display, overflowX, overflowY } = getComputedStyle(element);
    const isWide = element.scrollWidth > element.clientWidth + 1;
    const isHigh = element.scrollHeight > element.clientHeight + 1;
    const cuts = (overflow) => /hidden|clip/.test(overflow) && display !== "inline";
    if ((isWide && cuts(overflowX)) || (isHigh && cuts(overflowY) && !element.matches(".clamped")))
      report("cut", element, element.textContent);
    if (isWide && element.matches("button, select, .button")) report("cut", element, element.textContent);
  }

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (parent.closest("script, style, noscript, option, textarea, svg") || isHidden(parent)) continue;
    const block = nearest(parent, (element) => getComputedStyle(element).display !== "inline");
    const box = block.getBoundingClientRect();
    const isScrolled = nearest(parent, scrolls) !== null;
    const range = document.createRange();
    for (const { index, 0: word } of [...text.data.matchAll(/\\S+/g)].slice(0, 50)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const rects = [...range.getClientRects()];
      const ends = (left, right) => rects.some((rect) => rect.left < left - 1 || rect.right > right + 1);
      if (!isScrolled && ends(0, width)) report("outside of the window", parent, word);
      else if (!isScrolled && ends(box.left, box.right)) report("outside of its block", parent, word);
      const isShort = /^[\\p{L}\\p{N}]{2,14}[.,:]?$/u.test(word);
      if (isShort && rects.some(({ top }) => top > rects[0].bottom - 2)) report("broken word", parent, word);
    }
  }
  return [...found];
}`;
