// Generated from `src/page` by `npm run page:build`. Edit the sources, not this file.

/** A JavaScript expression. Inside a page, its value is `pageScript` of `src/page/page-script.ts`. */
export const pageScript = `(() => {
"use strict";
// src/core/rendering/prepared-page.ts
var sheetsMark = "colophon-sheets";
function pageMarks(index) {
  return { start: \`colophon-page-\${index + 1}-start\`, end: \`colophon-page-\${index + 1}-end\` };
}
var rulerMarks = { start: "colophon-ruler-start", end: "colophon-ruler-end" };

// src/core/rendering/page-geometry.ts
var paperSizes = {
  A3: ["297mm", "420mm"],
  A4: ["210mm", "297mm"],
  A5: ["148mm", "210mm"],
  A6: ["105mm", "148mm"],
  Letter: ["8.5in", "11in"],
  Legal: ["8.5in", "14in"],
  Tabloid: ["11in", "17in"],
  Ledger: ["17in", "11in"]
};
var pageSizeNames = Object.keys(paperSizes);
var maxAutoHeightPx = 19200;
var pxPerUnit = { px: 1, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, pt: 96 / 72 };
function lengthPx(length) {
  const match = /^(\\d+(?:\\.\\d+)?)(px|mm|cm|in|pt)$/.exec(length);
  const perUnit = match?.[2] ? pxPerUnit[match[2]] : void 0;
  return match?.[1] && perUnit ? Number(match[1]) * perUnit : null;
}
var pxPerPoint = 96 / 72;
var minAdjustablePx = 1;
function autoPageHeight(contentPx, margin) {
  const wantedPoints = (margin.top + contentPx + margin.bottom) / pxPerPoint;
  const points = margin.bottom < minAdjustablePx ? Math.ceil(wantedPoints - 0.25) : Math.round(wantedPoints);
  for (let height = points; ; height++) {
    const heightPx = (height + 0.45) * pxPerPoint;
    const bottomMarginPx = Math.ceil(heightPx) - margin.top - Math.ceil(contentPx - 1 / 64);
    if (bottomMarginPx >= 0) return { heightPx, bottomMarginPx };
  }
}

// packages/base/src/percent-decoded.ts
function percentDecoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// src/page/dom.ts
var rootElement = () => documentMember("documentElement");
var headElement = () => documentMember("head");
var bodyElement = () => documentMember("body");
var documentFonts = () => documentMember("fonts");
var documentStyleSheets = () => documentMember("styleSheets");
function documentMember(name) {
  return member(Document.prototype, name, document);
}
function member(prototype, name, holder) {
  return Object.getOwnPropertyDescriptor(prototype, name)?.get?.call(holder);
}
function createElement(tag) {
  return Document.prototype.createElement.call(document, tag);
}
function createRange() {
  return Document.prototype.createRange.call(document);
}
function textNodes(root) {
  return nodesInside(root, NodeFilter.SHOW_TEXT);
}
function descendantsOf(root) {
  return nodesInside(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
}
function* nodesInside(root, kinds2) {
  const walker = Document.prototype.createTreeWalker.call(document, root, kinds2);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) yield node;
}
function findInDocument(selector) {
  return findAll(document, selector);
}
function countElements(root) {
  return prototypeOf(root).querySelectorAll.call(root, "*").length;
}
function elementById(fragment) {
  const find = (id) => Document.prototype.getElementById.call(document, id);
  return find(fragment) ?? find(percentDecoded(fragment));
}
function findInTrees(trees, selector) {
  return trees.flatMap((tree) => findAll(tree, selector));
}
function findAll(root, selector) {
  return [...prototypeOf(root).querySelectorAll.call(root, selector)];
}
function prototypeOf(root) {
  return root instanceof Element ? Element.prototype : Document.prototype;
}
function attributeOf(element, name) {
  return Element.prototype.getAttribute.call(element, name);
}
function setAttribute(element, name, value) {
  Element.prototype.setAttribute.call(element, name, value);
}
function removeAttribute(element, name) {
  Element.prototype.removeAttribute.call(element, name);
}
function inlineStyleOf(element) {
  const kind = [HTMLElement, SVGElement, MathMLElement].find((candidate) => element instanceof candidate);
  return kind ? member(kind.prototype, "style", element) : null;
}
function textOf(node) {
  return String(member(Node.prototype, "textContent", node) ?? "");
}
function parentOf(node) {
  return member(Node.prototype, "parentElement", node);
}
function childrenOf(element) {
  const children = member(Element.prototype, "children", element);
  return children instanceof HTMLCollection ? [...children] : [];
}
function insertInside(parent, child, place) {
  if (place === "start") Element.prototype.prepend.call(parent, child);
  else Element.prototype.append.call(parent, child);
}
function displayOf(element) {
  return getComputedStyle(element).display;
}
function boxOf(element) {
  return Element.prototype.getBoundingClientRect.call(element);
}
function heightOf(element) {
  return boxOf(element).height;
}
function checkVisibility(element) {
  return Element.prototype.checkVisibility.call(element);
}

// src/page/link-to.ts
function linkTo(fragment) {
  const link = createElement("a");
  link.setAttribute("href", \`#\${fragment}\`);
  headElement().append(link);
  return link;
}

// src/page/margins/current-margins.ts
var current = null;
function keepMargins(margins) {
  current = margins;
}
function currentMargins() {
  if (!current) throw new Error("no document is prepared");
  return current;
}

// src/page/cost/too-expensive.ts
var TooExpensiveError = class extends Error {
};

// src/page/margins/is-blank.ts
var pictures = "img, svg, canvas, video, object, embed, input, progress, meter, hr";
function isBlank(host) {
  if (host.textContent?.trim() || findAll(host, pictures).length > 0) return false;
  return ![host, ...findAll(host, "*")].some(isPainted);
}
function isPainted(element) {
  return paints(getComputedStyle(element)) || hasContent(element, "::before") || hasContent(element, "::after");
}
function paints(style) {
  const hasBorder = [style.borderTopWidth, style.borderRightWidth, style.borderBottomWidth, style.borderLeftWidth].some(
    (width) => parseFloat(width) > 0
  );
  const hasBackground = style.backgroundImage !== "none" || !/, 0\\)$|^transparent$/.test(style.backgroundColor);
  return hasBorder || hasBackground || style.boxShadow !== "none";
}
function hasContent(element, pseudo2) {
  return !["none", "normal"].includes(getComputedStyle(element, pseudo2).content);
}

// src/page/margins/page-variants.ts
var applies = {
  "first-page": ({ isFirst }) => isFirst,
  "later-pages": ({ isFirst }) => !isFirst,
  "odd-page": ({ isOdd }) => isOdd,
  "even-page": ({ isOdd }) => !isOdd,
  "last-page": ({ isLast }) => isLast
};
var variantClasses = Object.keys(applies);
var pageKinds = [true, false].flatMap((isLast) => [
  { isFirst: true, isOdd: true, isLast },
  { isFirst: false, isOdd: false, isLast },
  { isFirst: false, isOdd: true, isLast }
]);
function pageKind(index, pageCount) {
  return { isFirst: index === 0, isOdd: index % 2 === 0, isLast: index === pageCount - 1 };
}
function variantKeyOf(host) {
  const names = variantClasses.filter((name) => findAll(host, \`.\${name}\`).length > 0);
  return (kind) => names.map((name) => applies[name](kind) ? "1" : "0").join("");
}
function hiddenElements(host, kind) {
  return variantClasses.filter((name) => !applies[name](kind)).flatMap((name) => findAll(host, \`.\${name}\`));
}
function withVariant(host, kind, work) {
  const replaced = hiddenElements(host, kind).map((element) => {
    const mark = new Comment();
    element.replaceWith(mark);
    return { element, mark };
  });
  try {
    return work();
  } finally {
    for (const { element, mark } of replaced.toReversed()) mark.replaceWith(element);
  }
}

// src/page/margins/reserve-margins.ts
var pageGroups = ["first", "odd", "even"];
function measureHeights(hosts, edge) {
  const heights = { first: 0, odd: 0, even: 0 };
  for (const { host } of hosts.filter((margin) => margin.edge === edge)) {
    const keyOf = variantKeyOf(host);
    const known = /* @__PURE__ */ new Map();
    for (const kind of pageKinds) {
      const key = keyOf(kind);
      const height = known.get(key) ?? heightOn(host, kind);
      known.set(key, height);
      const group = groupOf(kind);
      heights[group] = Math.max(heights[group], height);
    }
  }
  return heights;
}
function heightOn(host, kind) {
  return withVariant(host, kind, () => isBlank(host) ? 0 : Math.ceil(host.getBoundingClientRect().height));
}
function groupOf({ isFirst, isOdd }) {
  if (isFirst) return "first";
  return isOdd ? "odd" : "even";
}
function reserveMargins({ margin, pageHeight }, { header, footer }) {
  for (const group of pageGroups) {
    const isHigher = header[group] > margin.top || footer[group] > margin.bottom;
    const total = Math.max(header[group], margin.top) + Math.max(footer[group], margin.bottom);
    if (isHigher && total >= pageHeight)
      throw new TooExpensiveError(noSpaceLeft(header[group], footer[group], pageHeight));
  }
  const reserveOf = (group) => [
    header[group] > margin.top ? \`margin-top:\${header[group]}px;\` : "",
    footer[group] > margin.bottom ? \`margin-bottom:\${footer[group]}px;\` : ""
  ].join("");
  const selectors = pageSelectors();
  const rules = pageGroups.map((group) => ({ selector: selectors[group], reserve: reserveOf(group) })).filter(({ reserve }) => reserve !== "");
  if (rules.length === 0) return;
  const style = createElement("style");
  style.textContent = rules.map(({ selector, reserve }) => \`@page \${selector}{\${reserve}}\`).join("");
  headElement().append(style);
}
function noSpaceLeft(header, footer, pageHeight) {
  const heights = \`header \${header} px, footer \${footer} px, page \${Math.round(pageHeight)} px\`;
  return \`The header and the footer leave no space for the content (heights: \${heights}). Make them lower.\`;
}
function pageSelectors() {
  const isRightToLeft2 = getComputedStyle(rootElement()).direction === "rtl";
  const [odd, even] = isRightToLeft2 ? [":left", ":right"] : [":right", ":left"];
  return { first: ":first", odd, even };
}

// src/page/auto-height/allow-one-page.ts
var forcedBreak = /^(page|left|right|recto|verso|always|all)$/;
function allowOnePage(sections) {
  for (const box of [rootElement(), bodyElement(), ...sections]) {
    box.style.setProperty("height", "auto", "important");
    if (!box.style.getPropertyPriority("min-height")) box.style.setProperty("min-height", "0", "important");
  }
  for (const element of sections.flatMap((section) => [section, ...findAll(section, "*")])) {
    if (!(element instanceof HTMLElement)) continue;
    const { breakBefore, breakAfter } = getComputedStyle(element);
    if (forcedBreak.test(breakBefore)) element.style.setProperty("break-before", "auto", "important");
    if (forcedBreak.test(breakAfter)) element.style.setProperty("break-after", "auto", "important");
    if (!sections.includes(element) && getComputedStyle(element).getPropertyValue("page") !== "auto") {
      element.style.setProperty("page", "auto", "important");
    }
  }
}

// src/page/auto-height/auto-pages.ts
var current2 = null;
function makeAutoPages(sections, rules, input) {
  for (const rule of rules) makeUnimportant(rule);
  for (const [index, section] of sections.entries()) markPage(section, index);
  const style = createElement("style");
  headElement().append(style);
  current2 = { sections, style, input };
  const contentWidth2 = input.pageWidth - input.margin.left - input.margin.right;
  return { contentWidth: contentWidth2, isTooWide: rootElement().scrollWidth > contentWidth2, pages: measured(sections) };
}
function setPageHeights({ contentsPx }) {
  if (!current2) throw new Error("no document with automatic height is prepared");
  const { sections, style, input } = current2;
  const { margin, pageWidth } = input;
  const highestContentPx = maxAutoHeightPx - margin.top - margin.bottom;
  const rulerTimes = Math.max(1, Math.floor(highestContentPx / (pageWidth - margin.left - margin.right)) - 1);
  removeRuler();
  if (!contentsPx) {
    allowOnePage(sections);
    addRuler(rulerTimes * 100);
  }
  const heightsPx = [];
  const rules = sections.map((_, index) => {
    const margins = grownMargin(margin, index);
    const contentPx = contentsPx?.[index] ?? maxAutoHeightPx - margins.top - margins.bottom;
    heightsPx.push(margins.top + contentPx + margins.bottom);
    const { heightPx, bottomMarginPx } = autoPageHeight(contentPx, margins);
    return pageRule(pageName(index), input, heightPx, { ...margins, bottom: bottomMarginPx });
  });
  style.textContent = [...rules, pageRule(rulerPage, input, maxAutoHeightPx, margin)].join("");
  return { status: "set", heightsPx, rulerTimes };
}
function grownMargin(margin, pageIndex) {
  const { header, footer } = currentMargins().reserved;
  const group = groupOf({ isFirst: pageIndex === 0, isOdd: pageIndex % 2 === 0 });
  return { ...margin, top: Math.max(margin.top, header[group]), bottom: Math.max(margin.bottom, footer[group]) };
}
function pageRule(name, { autoHeight }, heightPx, margin) {
  const { top, right, bottom, left } = margin;
  return \`@page \${name}{size:\${autoHeight} \${heightPx}px!important;margin:\${top}px \${right}px \${bottom}px \${left}px!important}\`;
}
function makeUnimportant(rule) {
  if (rule instanceof CSSPageRule) {
    const { style } = rule;
    for (const name of style) style.setProperty(name, style.getPropertyValue(name));
  } else if (rule instanceof CSSGroupingRule) {
    for (const inner of rule.cssRules) makeUnimportant(inner);
  }
}
var pageName = (index) => \`colophon-page-\${index + 1}\`;
var rulerPage = "colophon-ruler";
function markPage(section, index) {
  const marks = pageMarks(index);
  section.style.setProperty("page", pageName(index), "important");
  section.id = marks.start;
  section.after(endMark(marks.end, pageName(index)));
  for (const name of [marks.start, marks.end]) linkTo(name);
}
function endMark(id, page) {
  const mark = createElement("div");
  mark.id = id;
  mark.style.cssText = \`all:initial!important;display:block!important;height:1px!important;margin-top:-1px!important;page:\${page}!important\`;
  return mark;
}
function measured(sections) {
  const root = rootElement();
  const rects = sections.map((section) => section.getBoundingClientRect());
  const rootBottom = Math.max(root.getBoundingClientRect().bottom, overflowBottom(root));
  return rects.map((rect, index) => {
    const above = index === 0 ? rect.top : Math.max(0, parseFloat(getComputedStyle(sections[index]).marginTop));
    const below = index === sections.length - 1 ? Math.max(0, rootBottom - rect.bottom) : 0;
    return { contentPx: above + rect.height + below, outsidePx: above + below };
  });
}
function overflowBottom(root) {
  return root.scrollHeight > root.clientHeight ? root.scrollHeight : 0;
}
function addRuler(percent) {
  removeRuler();
  const ruler = createElement("div");
  ruler.id = rulerMarks.start;
  ruler.style.cssText = \`all:initial!important;display:block!important;padding-top:\${percent}%!important;page:\${rulerPage}!important\`;
  const end = endMark(rulerMarks.end, rulerPage);
  bodyElement().append(ruler, end);
  for (const name of [rulerMarks.start, rulerMarks.end]) linkTo(name);
}
function removeRuler() {
  for (const child of [...bodyElement().children]) {
    if (child.id === rulerMarks.start || child.id === rulerMarks.end) child.remove();
  }
}

// packages/base/src/encoding.ts
var decoder = Uint8Array;
function base64Bytes(text) {
  if (decoder.fromBase64) return decoder.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

// src/page/fonts/service-faces.ts
var faces = /* @__PURE__ */ new Map();
var used = [];
var received = "";
function addFaces({ text, files }) {
  received += text;
  for (const { family, range, chars, isDeferred, faces: sent } of files) {
    const base642 = received.slice(0, chars);
    received = received.slice(chars);
    for (const [index, { key, weight, style }] of sent.entries()) {
      const source = index > 0 || isDeferred ? \`url(data:font/woff;base64,\${base642})\` : base64Bytes(base642);
      faces.set(key, new FontFace(family, source, { weight, style, unicodeRange: range }));
    }
  }
}
function useFaces({ keys, dropped }) {
  const fonts = documentFonts();
  for (const key of dropped) faces.delete(key);
  const wanted = keys.flatMap((key) => faces.get(key) ?? []);
  const isSame = wanted.length === used.length && wanted.every((face, index) => face === used[index]);
  if (isSame) return;
  for (const face of used) fonts.delete(face);
  for (const face of wanted.toReversed()) fonts.add(face);
  used = wanted;
}

// src/page/content/received-files.ts
var parts = [];
var documentFiles = [];
function receiveFiles({ isFirst, text }) {
  if (isFirst) parts = [];
  parts.push(text);
}
function takeFiles(files) {
  const text = parts.join("");
  parts = [];
  if (text.length !== files.reduce((sum, { chars }) => sum + chars, 0)) throw new Error("the files are incomplete");
  let position = 0;
  return files.map(({ placeholder, chars }) => {
    const uri = text.slice(position, position + chars);
    position += chars;
    return { placeholder, uri };
  });
}
function keepDocumentFiles(files) {
  documentFiles = files;
}
function keptDocumentFiles() {
  return documentFiles;
}

// src/core/rendering/files/resolve-files.ts
var anyPlaceholder = /colophon-file-[\\da-f-]{36}:\\d+;/g;
function resolveFiles(markup, files) {
  const uris = new Map(files.map(({ placeholder, uri }) => [placeholder, uri]));
  return markup.replace(anyPlaceholder, (text) => uris.get(text) ?? text);
}

// packages/base/src/counted.ts
function counted(count, noun) {
  return \`\${count} \${noun}\${count === 1 ? "" : "s"}\`;
}

// src/core/rendering/fonts/missing-glyph-font.ts
var missingGlyphFamily = "colophon-missing";
var base64 = "AAEAAAAKAIAAAwAgT1MvMnQ7c3sAAACsAAAAYGNtYXAAUCdrAAABDAAAASRnbHlmB8EEXQAAAjAAAAA4aGVhZDST6pIAAAJoAAAANmhoZWEFegHPAAACoAAAACRobXR4BLAAPAAAAsQAAAAIbG9jYQAcAAAAAALMAAAABm1heHAABQAJAAAC1AAAACBuYW1lATIRFgAAAvQAAAA+cG9zdAADAAAAAAM0AAAAIAADAlgBkAAFAAAACAAIAAAAAAAIAAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABub25lAEAAIf//AyD/OAAAAyAAyAAAAAAAAAAAAAgACAAAACAAAAAAAAEAAwAKAAAADAANAAAAAAEYAAAAAAAAABYAAAAhAAAAfgAAAAEAAAChAAAArAAAAAEAAACuAAADTgAAAAEAAANQAAAGGwAAAAEAAAYdAAARXgAAAAEAABFhAAAWfwAAAAEAABaBAAAXswAAAAEAABe2AAAYCgAAAAEAABgQAAAf/wAAAAEAACAQAAAgJwAAAAEAACAwAAAgXgAAAAEAACBwAAAv/wAAAAEAADABAAAxYwAAAAEAADFlAADX/wAAAAEAAOAAAAD9/wAAAAEAAP4QAAD+/gAAAAEAAP8AAAD/nwAAAAEAAP+hAAD/7wAAAAEAAP/5AAG8nwAAAAEAAbykAAHRcgAAAAEAAdF7AA3//wAAAAEADhAAABD//wAAAAEAAgA8AAACHAK8AAMABwAAAQEBAQEBAQEAPAAAAeAAAP5SAXwAAP6EAAACvAAA/UQAMgAAAlgAAAABAAAAAQAA0yim8V8PPPUAAAPoAAAAAAAAAAAAAAAAAAAAAAA8AAACHAK8AAAACAACAAAAAAAAAAEAAAMg/zgAAAJYADwAPAIcAAEAAAAAAAAAAAAAAAAAAAACAlgAAAJYADwAAAAAABwAAAABAAAAAgAIAAIAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAABAA2AAMAAQQJAAEAAgAAAAMAAQQJAAIAAgACAAMAAQQJAAQAAgAEAAMAAQQJAAYAAgAGAG0AcgBtAG0AAAADAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
var missingGlyphFace = \`@font-face{font-family:\${missingGlyphFamily};src:url(data:font/ttf;base64,\${base64})}\`;

// src/page/fonts/glyph-probe.ts
var measuredPx = 4;
var boxFamilies = new RegExp(\`,\\\\s*"?\${missingGlyphFamily}"?\`, "g");
async function glyphProbe(fonts) {
  await fonts.load("4px colophon-every-character");
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  return {
    selectFonts(font) {
      context.font = \`\${font.replace(boxFamilies, "")},colophon-every-character\`;
    },
    isUnlisted: (text) => context.measureText(text).width > 4e3 * measuredPx
  };
}

// src/page/has-boxes.ts
function hasBoxes(node) {
  const range = createRange();
  range.selectNode(node);
  return range.getClientRects().length > 0;
}

// src/page/fonts/shown-texts.ts
function containsText(roots, pattern) {
  return roots.some((root) => {
    if (pattern.test(textOf(root))) return true;
    for (const { text } of controlTexts(root)) if (pattern.test(text)) return true;
    return false;
  });
}
function* shownTexts(roots, pattern) {
  for (const root of roots) {
    for (const node of textNodes(root)) {
      const element = pattern.test(node.data) && hasBoxes(node) ? parentOf(node) : null;
      if (element && isVisible(element) && !hidesContent(element))
        yield { text: node.data, style: getComputedStyle(element) };
    }
    for (const { text, element, pseudoElement } of controlTexts(root)) {
      if (pattern.test(text) && isVisible(element)) yield { text, style: getComputedStyle(element, pseudoElement) };
    }
  }
}
function hidesContent(element) {
  const isClosed = element instanceof HTMLDetailsElement && !element.open;
  return isClosed || getComputedStyle(element).contentVisibility === "hidden";
}
function isVisible(element) {
  if (getComputedStyle(element).visibility !== "visible") return false;
  let box = element;
  while (box && getComputedStyle(box).display === "contents") box = parentOf(box);
  return box !== null && checkVisibility(box);
}
function* controlTexts(root) {
  for (const element of findAll(root, "input, textarea, select")) {
    if (element instanceof HTMLInputElement) yield* inputTexts(element);
    else if (element instanceof HTMLTextAreaElement) yield* fieldTexts(element, element.value);
    else if (element instanceof HTMLSelectElement) yield* optionTexts(element);
  }
}
function inputTexts(input) {
  if (/^(button|submit|reset)$/.test(input.type)) return [{ text: input.value, element: input }];
  if (!/^(text|search|url|tel|email|number|password)$/.test(input.type)) return [];
  if (input.type === "password" && input.value !== "") return [];
  return fieldTexts(input, input.value);
}
function fieldTexts(element, value) {
  if (value !== "") return [{ text: value, element }];
  return [{ text: attributeOf(element, "placeholder") ?? "", element, pseudoElement: "::placeholder" }];
}
function* optionTexts(select) {
  if (!select.multiple && select.size <= 1) {
    for (const option of select.selectedOptions) yield { text: option.label, element: select };
    return;
  }
  for (const option of select.options) yield { text: option.label, element: option };
  for (const group of findAll(select, "optgroup[label]")) {
    yield { text: attributeOf(group, "label") ?? "", element: group };
  }
}

// src/page/fonts/find-missing-glyphs.ts
var common = "\\\\t-\\\\r\\\\x20-\\\\x7e\\\\xa0-\\\\u0131\\\\u2013\\\\u2014\\\\u2018-\\\\u201e\\\\u2020-\\\\u2022\\\\u2026\\\\u2030\\\\u2039\\\\u203a\\\\u20ac\\\\u2122\\\\u2212";
var uncommon = new RegExp(\`[^\${common}\\\\p{Default_Ignorable_Code_Point}\\\\p{White_Space}\\\\p{Cc}\\\\p{Cf}]\`, "u");
var units = /\\P{Grapheme_Extend}\\p{Grapheme_Extend}*/gu;
var maxSuspects = 1e3;
var maxNamed = 10;
async function findMissingGlyphs(roots, fonts) {
  if (!containsText(roots, uncommon)) return [];
  const probe = await glyphProbe(fonts);
  const missing = /* @__PURE__ */ new Set();
  let isTruncated = false;
  for (const [font, found] of unitsByFont(roots)) {
    const suspects = suspectsOf(probe, font, found);
    isTruncated ||= suspects.isTruncated;
    for (const part of suspects.parts) missing.add(part);
  }
  return warningsFor([...missing], isTruncated);
}
function unitsByFont(roots) {
  const unitsOf = /* @__PURE__ */ new Map();
  for (const { text, style } of shownTexts(roots, uncommon)) {
    const font = \`\${style.fontStyle} \${style.fontWeight} \${measuredPx}px \${style.fontFamily}\`;
    const known = unitsOf.get(font) ?? /* @__PURE__ */ new Set();
    unitsOf.set(font, known);
    for (const [unit] of text.matchAll(units)) known.add(unit);
  }
  return unitsOf;
}
function suspectsOf(probe, font, found) {
  const candidates = [...found].filter((unit) => uncommon.test(unit));
  probe.selectFonts(font);
  if (!probe.isUnlisted(candidates.join(" "))) return { parts: /* @__PURE__ */ new Set(), isTruncated: false };
  const unlisted = candidates.filter(probe.isUnlisted);
  const parts2 = unlisted.slice(0, maxSuspects).flatMap((unit) => {
    const characters = Array.from(unit).filter((character) => uncommon.test(character) && probe.isUnlisted(character));
    return characters.length > 0 ? characters : unit;
  });
  return { parts: new Set(parts2), isTruncated: unlisted.length > maxSuspects };
}
function warningsFor(missing, isTruncated) {
  const named2 = missing.slice(0, maxNamed).map((part) => \`No font has a glyph for "\${part}" (\${codePoints(part)}), so it is drawn as a box.\`);
  const more = missing.length - named2.length;
  if (more === 0) return named2;
  const others = \`\${isTruncated ? "at least " : ""}\${counted(more, "other character")}\`;
  return [...named2, \`No font has a glyph for \${others} either.\`];
}
function codePoints(text) {
  return Array.from(text, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return \`U+\${code.padStart(4, "0")}\`;
  }).join(" ");
}

// src/page/images/decode-images.ts
async function isDecodable(image) {
  return HTMLImageElement.prototype.decode.call(image).then(
    () => true,
    () => false
  );
}
async function decodeImages(images) {
  const decoded = await Promise.all(images.map(isDecodable));
  return images.filter((_, index) => !decoded[index]);
}

// src/page/images/empty-box.ts
var transparentPixel = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
function showEmptyBox(image) {
  if (image instanceof HTMLImageElement) removeOtherSources(image);
  const attribute = image instanceof SVGImageElement ? "href" : "src";
  image.setAttribute(attribute, transparentPixel);
  image.style.setProperty("contain", "size", "important");
}
function removeOtherSources(image) {
  for (const source of image.closest("picture")?.querySelectorAll("source") ?? []) source.remove();
  image.removeAttribute("srcset");
}

// src/page/images/other-images.ts
async function unusableImages(trees, isOversized) {
  const elements = findInTrees(trees, 'image, input[type="image" i]').filter(isOtherImage);
  const problems = /* @__PURE__ */ new Map();
  const examined = elements.map(async (element) => {
    const uri = sourceOf(element);
    const problem = problems.get(uri) ?? problemOf(uri, isOversized);
    problems.set(uri, problem);
    return { element, problem: await problem };
  });
  return (await Promise.all(examined)).flatMap(({ element, problem }) => problem ? { element, problem } : []);
}
function isOtherImage(element) {
  return element instanceof SVGImageElement || element instanceof HTMLInputElement;
}
function sourceOf(element) {
  if (element instanceof SVGImageElement) return element.href.baseVal.trim();
  return (attributeOf(element, "src") ?? "").trim();
}
async function problemOf(uri, isOversized) {
  if (!/^data:/i.test(uri)) return "missing";
  const image = new Image();
  image.src = uri;
  await Promise.resolve();
  if (isOversized(image)) return "oversized";
  return await isDecodable(image) ? null : "undecodable";
}

// src/page/references/print-width.ts
function printWidth(element, page, rules) {
  return contentWidth(pageNameOf(element), page, rules);
}
function widestPrint(page, rules) {
  const names = rules.flatMap((rule) => rule instanceof CSSPageRule ? [rule.selectorText] : []);
  return Math.max(...["", ...names].map((name) => contentWidth(name, page, rules)));
}
function contentWidth(pageName2, { pageWidth, margin }, rules) {
  const width = { page: pageWidth, left: margin.left, right: margin.right };
  const pageRules = rules.filter((rule) => rule instanceof CSSPageRule);
  for (const name of ["", pageName2]) {
    for (const { style } of pageRules.filter(({ selectorText }) => selectorText === name)) {
      width.page = lengthOf(style.getPropertyValue("size").split(/\\s+/)[0]) ?? width.page;
      width.left = lengthOf(style.getPropertyValue("margin-left")) ?? width.left;
      width.right = lengthOf(style.getPropertyValue("margin-right")) ?? width.right;
    }
  }
  const content = width.page - width.left - width.right;
  return content >= 1 ? content : pageWidth;
}
function pageNameOf(element) {
  for (let ancestor = element; ancestor; ancestor = parentOf(ancestor)) {
    const name = getComputedStyle(ancestor).getPropertyValue("page");
    if (name !== "" && name !== "auto") return name;
  }
  return "";
}
function lengthOf(value) {
  return value === "0" ? 0 : lengthPx(value ?? "");
}

// src/page/images/image-places.ts
var unknownBox = { width: Infinity, height: Infinity, isContained: false };
function imgPlaces(image) {
  const style = getComputedStyle(image);
  if (style.imageOrientation === "none") return [];
  const isWhole = ["none", ""].includes(style.getPropertyValue("object-view-box"));
  const isContained = /^(?:contain|scale-down)$/.test(style.objectFit);
  const box = isWhole && style.objectFit !== "none" ? { ...sizeOf(image), isContained } : unknownBox;
  return [
    {
      uri: image.currentSrc,
      boxes: [box],
      mayCrop: style.objectFit !== "fill" || !isWhole,
      takesDrawing: true,
      show({ uri, size, asDrawing }) {
        const natural = naturalSize(image);
        removeOtherSources(image);
        image.removeAttribute("src");
        if (asDrawing) image.src = drawingOf(uri, natural);
        else image.srcset = \`\${uri} \${size.width / natural.width}x\`;
      }
    }
  ];
}
function naturalSize({ naturalWidth: width, naturalHeight: height }) {
  return { width, height };
}
function sizeOf(element) {
  const { width, height } = boxOf(element);
  return { width, height };
}
var templates = "defs, symbol, pattern, mask, marker, clipPath";
function svgPlace(image) {
  return {
    uri: image.href.baseVal.trim(),
    boxes: [image.closest(templates) ? unknownBox : { ...sizeOf(image), isContained: false }],
    mayCrop: false,
    // It would not be sliced.
    takesDrawing: false,
    show({ uri }) {
      image.removeAttribute("xlink:href");
      setAttribute(image, "href", uri);
    }
  };
}
function drawingOf(uri, { width, height }) {
  const [, type = "", base642 = ""] = /^data:(image\\/[a-z]+)[^,]*,(.*)$/is.exec(uri) ?? [];
  const size = \`width='\${width}' height='\${height}'\`;
  const image = \`<image \${size} preserveAspectRatio='none' href='data:\${type};base64,\${base642}'/>\`;
  const svg = \`<svg xmlns='http://www.w3.org/2000/svg' \${size} viewBox='0 0 \${width} \${height}'>\${image}</svg>\`;
  return \`data:image/svg+xml,\${svg.replace(/[<>"#%\\s]/g, encodeURIComponent)}\`;
}

// src/page/images/background-places.ts
var rasterUrls = /url\\("(data:image\\/(?!svg)[^"]*)"\\)/gi;
var layers = /url\\("[^"]*"\\)|none|[a-z-]+\\((?:[^()"]|\\([^()]*\\)|"[^"]*")*\\)/gi;
function backgroundPlaces(trees, rules) {
  const inline = findInTrees(trees, '[style*="url("]').filter((element) => element instanceof HTMLElement);
  return [
    ...styleRules(rules).flatMap(({ style, selectorText }) => placesOf(style, () => elementsOf(trees, selectorText))),
    ...inline.flatMap((element) => placesOf(element.style, () => [element]))
  ];
}
function styleRules(rules) {
  return rules.flatMap((rule) => {
    const inner = "cssRules" in rule ? styleRules([...rule.cssRules]) : [];
    return rule instanceof CSSStyleRule ? [rule, ...inner] : inner;
  });
}
function elementsOf(trees, selectorText) {
  return /::|&/.test(selectorText) ? null : findInTrees(trees, selectorText);
}
function placesOf(style, findElements) {
  const uris = new Set(Array.from(style.backgroundImage.matchAll(rasterUrls), ([, uri = ""]) => uri));
  if (uris.size === 0) return [];
  const elements = findElements();
  return Array.from(uris, (uri) => {
    const backgrounds = elements?.flatMap((element) => shownOn(element, uri)) ?? [unknown(style)];
    const mayRepeat2 = backgrounds.some((background) => background.mayRepeat);
    return {
      uri,
      boxes: backgrounds.map(({ box }) => box),
      mayCrop: true,
      // Chromium prints the tiles of a drawing as pixels.
      takesDrawing: !mayRepeat2,
      show({ uri: shown, size, original, asDrawing }) {
        const css = asDrawing ? \`url("\${drawingOf(shown, original)}")\` : \`image-set(url("\${shown}") \${size.width / original.width}x)\`;
        const replaced = style.backgroundImage.replaceAll(\`url("\${uri}")\`, () => css);
        style.setProperty("background-image", replaced, style.getPropertyPriority("background-image"));
      }
    };
  });
}
function unknown({ backgroundRepeat }) {
  return { box: unknownBox, mayRepeat: backgroundRepeat !== "no-repeat" };
}
function shownOn(element, uri) {
  const style = getComputedStyle(element);
  const index = (style.backgroundImage.match(layers) ?? []).findIndex((layer) => layer.includes(uri));
  if (index < 0) return [];
  const sizes = style.backgroundSize.split(", ");
  const size = sizes[index % sizes.length] ?? "";
  const isOnPage = /^(?:html|body)$/i.test(element.tagName) || style.backgroundAttachment.includes("fixed");
  if (isOnPage || !/^(?:cover|contain|100%(?: 100%| auto)?)$/.test(size)) return [unknown(style)];
  const box = { ...sizeOf(element), isContained: size === "contain" };
  const isCovered = size === "cover" && style.borderWidth === "0px";
  return [{ box, mayRepeat: style.backgroundRepeat !== "no-repeat" && !isCovered }];
}

// packages/images/src/avif-size.ts
function isAvif(view) {
  return view.byteLength >= 12 && nameAt(view, 4) === "ftyp" && nameAt(view, 8) === "avif";
}
function avifSize(view) {
  return largestIn(view, { start: 0, end: view.byteLength, level: 0 });
}
var levels = [
  { name: "meta", headerBytes: 4 },
  { name: "iprp", headerBytes: 0 },
  { name: "ipco", headerBytes: 0 }
];
function largestIn(view, { start, end, level }) {
  const around = levels[level];
  let largest = null;
  for (let at = start; at + 8 <= end; ) {
    const [length, name] = [view.getUint32(at), nameAt(view, at + 4)];
    if (length < 8) break;
    if (name === (around?.name ?? "ispe")) {
      if (at + length > view.byteLength) throw new RangeError("the box is incomplete");
      const inner = { start: at + 8 + (around?.headerBytes ?? 0), end: Math.min(end, at + length), level: level + 1 };
      largest = larger(largest, around ? largestIn(view, inner) : sizeAt(view, at + 8));
    }
    at += length;
  }
  return largest;
}
function sizeAt(view, at) {
  return { width: view.getUint32(at + 4), height: view.getUint32(at + 8) };
}
function larger(one, other) {
  if (!one || !other) return one ?? other;
  return { width: Math.max(one.width, other.width), height: Math.max(one.height, other.height) };
}
function nameAt(view, at) {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
}

// packages/images/src/image-info.ts
function imageInfo(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = (signature, at = 0) => ascii(bytes, at, signature.length) === signature;
  try {
    if (starts("\\x89PNG\\r\\n\\n")) return pngInfo(view, bytes);
    if (starts("\\xFF\\xD8\\xFF")) return jpegInfo(view);
    if (starts("GIF87a") || starts("GIF89a")) return gifInfo(view);
    if (isAvif(view)) return avifInfo(view);
    if (starts("RIFF") && starts("WEBP", 8)) return webpInfo(view, ascii(bytes, 12, 4));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  return isSvg(bytes) ? { type: "svg" } : null;
}
function sized(type, width, height) {
  return width > 0 && height > 0 ? { type, width, height } : null;
}
function pngInfo(view, bytes) {
  return ascii(bytes, 12, 4) === "IHDR" ? sized("png", view.getUint32(16), view.getUint32(20)) : null;
}
function jpegInfo(view) {
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 255) return null;
    while (view.getUint8(at) === 255) at++;
    const marker2 = view.getUint8(at++);
    const hasNoBody = marker2 === 1 || marker2 >= 208 && marker2 <= 216;
    if (hasNoBody) continue;
    const isFrame = marker2 >= 192 && marker2 <= 207 && ![196, 200, 204].includes(marker2);
    if (isFrame) return sized("jpeg", view.getUint16(at + 5), view.getUint16(at + 3));
    if (marker2 === 217 || marker2 === 218) return null;
    at += view.getUint16(at);
  }
}
function gifInfo(view) {
  const skipTable = (at2, flags) => at2 + (flags & 128 ? 3 << (flags & 7) + 1 : 0);
  let at = skipTable(13, view.getUint8(10));
  while (view.getUint8(at) === 33) {
    at += 2;
    while (view.getUint8(at) > 0) at += view.getUint8(at) + 1;
    at++;
  }
  if (view.getUint8(at) !== 44) return null;
  const across = (offset, screen) => Math.max(view.getUint16(screen, true), view.getUint16(at + offset, true) + view.getUint16(at + offset + 4, true));
  return sized("gif", across(1, 6), across(3, 8));
}
function webpInfo(view, chunk) {
  const int24 = (at) => view.getUint16(at, true) | view.getUint8(at + 2) << 16;
  switch (chunk) {
    case "VP8 ":
      return sized("webp", view.getUint16(26, true) & 16383, view.getUint16(28, true) & 16383);
    case "VP8L": {
      const packed = view.getUint32(21, true);
      return sized("webp", (packed & 16383) + 1, (packed >>> 14 & 16383) + 1);
    }
    case "VP8X":
      return sized("webp", int24(24) + 1, int24(27) + 1);
    default:
      return null;
  }
}
function avifInfo(view) {
  const size = avifSize(view);
  return size && sized("avif", size.width, size.height);
}
var xmlPreamble = /^\\s*(?:<\\?[^]*?\\?>|<!--[^]*?-->|<!DOCTYPE[^[>]*(?:\\[[^\\]]*\\])?[^>]*>)/i;
function isSvg(bytes) {
  let head = new TextDecoder().decode(bytes.subarray(0, 4096));
  for (let piece = xmlPreamble.exec(head); piece; piece = xmlPreamble.exec(head)) head = head.slice(piece[0].length);
  return /^\\s*<(?:\\w+:)?svg[\\s>/]/i.test(head);
}
function ascii(bytes, from, length) {
  return String.fromCharCode(...bytes.subarray(from, from + length));
}

// packages/images/src/pixel-encoding.ts
var lossless = { isLossy: false, isCopied: false, isJpeg: false };
var lossy = { ...lossless, isLossy: true };
function encodingOf(beginning) {
  const view = new DataView(beginning.buffer, beginning.byteOffset, beginning.byteLength);
  switch (imageInfo(beginning)?.type) {
    case "jpeg":
      return { isLossy: true, isJpeg: true, isCopied: isOrdinaryJpeg(view) };
    case "webp":
      return isLossyWebp(view) ? lossy : lossless;
    case "avif":
      return lossy;
    default:
      return lossless;
  }
}
function isOrdinaryJpeg(view) {
  let hasColorTransform = true;
  for (let at = 2; at + 4 <= view.byteLength; ) {
    const marker2 = view.getUint8(at + 1);
    if (view.getUint8(at) !== 255 || marker2 === 255) {
      at++;
      continue;
    }
    const length = view.getUint16(at + 2);
    const body = new DataView(
      view.buffer,
      view.byteOffset + at + 4,
      Math.max(0, Math.min(length - 2, view.byteLength - at - 4))
    );
    if (marker2 === 225 && exifOrientation(body) > 1) return false;
    if (marker2 === 238 && startsWith(body, "Adobe"))
      hasColorTransform = body.byteLength < 12 || body.getUint8(11) !== 0;
    if (marker2 >= 192 && marker2 <= 207 && ![196, 200, 204].includes(marker2)) {
      const components = body.byteLength > 5 ? body.getUint8(5) : 0;
      return components === 1 || components === 3 && hasColorTransform;
    }
    at += 2 + length;
  }
  return false;
}
function exifOrientation(segment) {
  if (!startsWith(segment, "Exif\\0\\0") || segment.byteLength < 14) return 1;
  const tiff = new DataView(segment.buffer, segment.byteOffset + 6, segment.byteLength - 6);
  const isLittle = tiff.getUint8(0) === 73;
  const directory = tiff.getUint32(4, isLittle);
  if (directory + 2 > tiff.byteLength) return 1;
  const entries = tiff.getUint16(directory, isLittle);
  for (let at = directory + 2, left = entries; left > 0 && at + 12 <= tiff.byteLength; at += 12, left--) {
    if (tiff.getUint16(at, isLittle) === 274) return tiff.getUint16(at + 8, isLittle);
  }
  return 1;
}
function isLossyWebp(view) {
  for (let at = 12; at + 8 <= view.byteLength; ) {
    const inAt = (name) => startsWith(new DataView(view.buffer, view.byteOffset + at), name);
    if (inAt("VP8 ")) return true;
    if (inAt("VP8L")) return false;
    const size = inAt("ANMF") ? 16 : view.getUint32(at + 4, true);
    at += 8 + size + (size & 1);
  }
  return false;
}
function startsWith(view, text) {
  return view.byteLength >= text.length && Array.from(text).every((character, at) => view.getUint8(at) === character.charCodeAt(0));
}

// src/page/images/kept-images.ts
var maxChars = 4e6;
function keptImages() {
  const kept2 = /* @__PURE__ */ new Map();
  let chars = 0;
  const drop = (source) => {
    const dropped = kept2.get(source);
    if (dropped && kept2.delete(source)) chars -= charsOf(source, dropped);
  };
  const keep = (source, redraw) => {
    drop(source);
    if (charsOf(source, redraw) > maxChars) return;
    kept2.set(source, redraw);
    chars += charsOf(source, redraw);
    for (const oldest of kept2.keys()) {
      if (chars <= maxChars) break;
      drop(oldest);
    }
  };
  return {
    find(source, size) {
      const found = kept2.get(source);
      if (!found || found.size.width !== size.width || found.size.height !== size.height) return null;
      keep(source, found);
      return found;
    },
    keep
  };
}
function charsOf(source, { uri }) {
  return source.length + (uri?.length ?? 0);
}

// src/page/images/redraw-image.ts
var jpegQuality = 0.8;
var headerChars = [8e3, 4e5];
var kept = keptImages();
async function redrawImage(image, scale) {
  const source = image.currentSrc;
  const encoding = encodingOfUri(source);
  if (scale >= 1 && (encoding.isCopied || !encoding.isLossy)) return null;
  const size = reducedSize(naturalSize(image), scale);
  const redraw = kept.find(source, size) ?? await redrawn(image, size, encoding);
  return redraw && redraw.uri !== null ? { uri: redraw.uri, size } : null;
}
async function redrawn(image, size, encoding) {
  const source = image.currentSrc;
  const canvas = await draw(image, size);
  if (!canvas) return null;
  const uri = encoded(canvas, encoding);
  canvas.width = 0;
  const isSame = encoding.isCopied || !encoding.isLossy;
  const redraw = { size, uri: isSame && uri.length >= source.length ? null : uri };
  kept.keep(source, redraw);
  return redraw;
}
function isCopiedJpeg(uri) {
  return encodingOfUri(uri).isCopied;
}
function encodingOfUri(uri) {
  let encoding = encodingOf(new Uint8Array());
  for (const chars of headerChars) {
    encoding = encodingOf(beginningOf(uri, chars));
    if (encoding.isCopied) break;
  }
  return encoding;
}
function beginningOf(uri, chars) {
  const comma = uri.indexOf(",");
  if (!/;\\s*base64\\s*$/i.test(uri.slice(0, comma))) return new Uint8Array();
  try {
    return base64Bytes(uri.slice(comma + 1, comma + 1 + chars));
  } catch {
    return new Uint8Array();
  }
}
function reducedSize({ width, height }, scale) {
  const reduced = (pixels) => Math.max(1, Math.round(pixels * Math.min(1, scale)));
  return { width: reduced(width), height: reduced(height) };
}
async function draw(image, size) {
  const halvings = Math.min(3, Math.floor(Math.log2(image.naturalWidth / size.width)));
  const canvas = halvings > 0 ? drawn(drawn(image, partOf(image, halvings)), size) : drawn(image, size);
  const context = contextOf(canvas);
  const isWhole = isOpaque(context, { width: size.width, height: 1 }, size.height - 1);
  return isWhole || await isDecodable(image) ? canvas : null;
}
function partOf({ naturalWidth, naturalHeight }, halvings) {
  return { width: Math.ceil(naturalWidth / 2 ** halvings), height: Math.ceil(naturalHeight / 2 ** halvings) };
}
function drawn(image, { width, height }) {
  const canvas = createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = contextOf(canvas);
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, width, height);
  if (image instanceof HTMLCanvasElement) image.width = 0;
  return canvas;
}
function contextOf(canvas) {
  return canvas.getContext("2d", { willReadFrequently: true });
}
function isOpaque(context, { width, height }, top = 0) {
  const { data } = context.getImageData(0, top, width, height);
  for (let alpha = 3; alpha < data.length; alpha += 4) if (data[alpha] !== 255) return false;
  return true;
}
function encoded(canvas, { isJpeg, isLossy }) {
  if (isJpeg) return canvas.toDataURL("image/jpeg", jpegQuality);
  const png = canvas.toDataURL("image/png");
  if (!isLossy || !isOpaque(contextOf(canvas), canvas)) return png;
  const jpeg = canvas.toDataURL("image/jpeg", jpegQuality);
  return jpeg.length < png.length ? jpeg : png;
}

// src/page/images/shrink-images.ts
async function shrinkImages(input, page) {
  const { rules, isOversized, density } = input;
  const places = atPrintWidth(page, rules, () => placesOf2(input));
  const raster = places.filter(({ uri }) => /^data:/i.test(uri) && !isVector(uri));
  for (const [uri, group] of Map.groupBy(raster, (place) => place.uri)) {
    const image = await loadedImage(uri);
    const original = naturalSize(image);
    const scale = largestScale(group, original, page);
    if (original.width > 0 && !isOversized(image) && scale > 0) await shrink(group, image, scale * density);
  }
}
function placesOf2({ trees, rules, images }) {
  const svgImages = findInTrees(trees, "image").filter((element) => element instanceof SVGImageElement);
  return [...images.flatMap(imgPlaces), ...svgImages.map(svgPlace), ...backgroundPlaces(trees, rules)];
}
function isVector(uri) {
  return /^data:image\\/svg/i.test(uri);
}
async function loadedImage(uri) {
  const image = new Image();
  image.src = uri;
  await Promise.resolve();
  if (!image.complete) await isDecodable(image);
  return image;
}
function atPrintWidth({ autoHeight, ...page }, rules, work) {
  if (autoHeight !== null) return work();
  const root = rootElement();
  const before = root.getAttribute("style");
  root.style.setProperty("box-sizing", "border-box", "important");
  root.style.setProperty("width", \`\${widestPrint(page, rules)}px\`, "important");
  try {
    return work();
  } finally {
    if (before === null) root.removeAttribute("style");
    else root.setAttribute("style", before);
  }
}
function largestScale(places, { width, height }, page) {
  const pageHeight = page.autoHeight === null ? page.pageHeight : 0;
  const onPage = Math.max(page.pageWidth / width, pageHeight / height);
  const largest = places.flatMap(({ boxes }) => boxes).reduce((scale, box) => {
    const [across, down] = [box.width / width, box.height / height];
    return Math.max(scale, box.isContained ? Math.min(across, down) : Math.max(across, down));
  }, 0);
  return Math.min(largest, onPage);
}
async function shrink(places, image, scale) {
  const original = naturalSize(image);
  const redrawn2 = await redrawImage(image, scale);
  const { uri, size } = redrawn2 ?? { uri: image.currentSrc, size: original };
  const asDrawing = places.every(({ takesDrawing }) => takesDrawing);
  const isCropped = isCopiedJpeg(uri) && places.some(({ mayCrop }) => mayCrop);
  if (redrawn2 || isCropped && asDrawing) for (const place of places) place.show({ uri, size, original, asDrawing });
}

// src/page/images/prepare-images.ts
async function prepareImages(trees, rules, input) {
  const { maxImagePixels, imageDensity } = input.limits;
  const images = findInTrees(trees, "img").filter((image) => image instanceof HTMLImageElement);
  const isOversized = (image) => !isVector(image.currentSrc) && image.naturalWidth * image.naturalHeight > maxImagePixels;
  const missing = images.filter((image) => !isInlined(image) && isDisplayed(image));
  const inlined = images.filter(isInlined);
  const oversized = inlined.filter(isOversized);
  const shown = inlined.filter((image) => !isOversized(image));
  for (const image of [...missing, ...oversized]) showEmptyBox(image);
  if (imageDensity !== null) {
    await shrinkImages({ trees, rules, images: shown, isOversized, density: imageDensity }, input);
  }
  const undecodable = await decodeImages(shown);
  for (const image of undecodable) showEmptyBox(image);
  const others = await unusableImages(trees, isOversized);
  for (const { element } of others) showEmptyBox(element);
  await decodeImages([...missing, ...oversized, ...undecodable]);
  const othersWith = (wanted) => others.filter(({ problem }) => problem === wanted).length;
  return imageWarnings({
    oversized: oversized.length + othersWith("oversized"),
    undecodable: undecodable.length + othersWith("undecodable"),
    maxImagePixels
  });
}
function imageWarnings({ oversized, undecodable, maxImagePixels }) {
  const megapixels = \`\${maxImagePixels / 1e6} megapixels\`;
  const warnings = [];
  if (oversized > 0)
    warnings.push(\`Left \${counted(oversized, "image")} empty: an image may have at most \${megapixels}.\`);
  if (undecodable > 0) warnings.push(\`Left \${counted(undecodable, "image")} empty: decoding failed.\`);
  return warnings;
}
function isInlined(image) {
  return /^data:/i.test(image.currentSrc);
}
function isDisplayed(image) {
  return getComputedStyle(image).display !== "none";
}

// src/core/rendering/removed-links.ts
function removedLinksWarning(removed) {
  if (removed === 0) return [];
  return [\`Removed \${counted(removed, "link")}: only http, https, mailto, tel and #fragment links are allowed.\`];
}

// src/page/remove-unsafe-links.ts
function removeUnsafeLinks(trees, animatedLinks) {
  let removed = animatedLinks;
  for (const link of findInTrees(trees, "a, area, :any-link")) {
    for (const { name } of [...link.attributes].filter(({ localName }) => localName === "href")) {
      if (isAllowed(attributeOf(link, name) ?? "")) continue;
      removeAttribute(link, name);
      removed++;
    }
  }
  return removedLinksWarning(removed);
}
function isAllowed(target) {
  if (target.startsWith("#")) return true;
  return URL.canParse(target) && /^(https?|mailto|tel):$/.test(new URL(target).protocol);
}

// src/page/margins/share-images.ts
var marker = "data-colophon-image";
async function showSharedImages(hosts, group) {
  const { style, images } = shareImages(hosts, group);
  if (images.length === 0) return;
  headElement().append(style);
  void bodyElement().offsetHeight;
  await decodeImages(images);
}
function shareImages(hosts, group) {
  const numbers = /* @__PURE__ */ new Map();
  const images = [];
  for (const image of hosts.flatMap((host) => findAll(host, "img"))) {
    if (!(image instanceof HTMLImageElement)) continue;
    const content = contentOf(image);
    if (content === null) continue;
    const number = numbers.get(content) ?? images.push(loaded(image.currentSrc)) - 1;
    numbers.set(content, number);
    image.setAttribute(marker, \`\${group}-\${number}\`);
    for (const name of ["src", "srcset"]) image.removeAttribute(name);
    for (const source of findAll(image.closest("picture") ?? image, "source")) source.remove();
  }
  const style = createElement("style");
  style.textContent = Array.from(
    numbers,
    ([content, number]) => \`img[\${marker}="\${group}-\${number}"]{content:\${content}!important}\`
  ).join("");
  return { style, images };
}
function loaded(uri) {
  const image = new Image();
  image.src = uri;
  return image;
}
function contentOf(image) {
  const { currentSrc } = image;
  if (!/^data:/i.test(currentSrc) || image.naturalWidth === 0) return null;
  const url = \`url("\${currentSrc.replace(/[\\\\"\\n]/g, encodeURIComponent)}")\`;
  const density = /\\s([\\d.]+)x\\s*$/.exec(image.srcset)?.[1];
  return density ? \`image-set(\${url} \${density}x)\` : url;
}

// src/page/content/parse-content.ts
function parseContent(markup) {
  const parsed = new DOMParser().parseFromString(markup, "text/html");
  for (const refresh of findAll(parsed, 'meta[http-equiv="refresh" i]')) refresh.remove();
  for (const scheme of findAll(parsed, 'meta[name="color-scheme" i]')) scheme.remove();
  const animations = findAll(parsed, "svg *").filter(isAnimation);
  for (const animation of animations) animation.remove();
  const frames = findAll(parsed, "iframe[src], iframe[srcdoc], frame[src]");
  for (const frame of frames) for (const name of ["src", "srcdoc"]) removeAttribute(frame, name);
  const animatedLinks = animations.filter(setsLink).length;
  const warnings = contentWarnings(animations.length - animatedLinks, frames.length);
  return { parsed, animatedLinks, warnings };
}
function isAnimation(element) {
  return element instanceof SVGAnimationElement || element.localName === "discard";
}
function setsLink(animation) {
  return /href/i.test(attributeOf(animation, "attributeName") ?? "");
}
function contentWarnings(animations, frames) {
  const warnings = [];
  if (animations > 0) {
    const removed = counted(animations, "SVG animation");
    warnings.push(\`Removed \${removed}: documents are static, so elements keep the attributes in the markup.\`);
  }
  if (frames > 0) warnings.push(\`Left \${counted(frames, "frame")} empty: a document cannot contain frames.\`);
  return warnings;
}

// src/page/margins/margin-hosts.ts
var counters = ".pageNumber, .totalPages";
function attachMargins(contents) {
  const attached = { hosts: [], animatedLinks: 0, warnings: [] };
  for (const { edge, markup } of contents) {
    const { parsed, animatedLinks, warnings } = parseContent(\`<!doctype html><body>\${markup}\`);
    attached.hosts.push(attachHost(edge, [...parsed.body.childNodes]));
    attached.animatedLinks += animatedLinks;
    attached.warnings.push(...warnings.filter((warning) => !attached.warnings.includes(warning)));
  }
  return attached;
}
var widestNumber = "000";
function attachHost(edge, content) {
  const host = createElement("div");
  host.className = \`page-\${edge}\`;
  host.style.cssText = "position:absolute;left:0;top:0";
  host.append(...content);
  fillCounters(host, widestNumber, widestNumber);
  bodyElement().append(host);
  return { edge, host };
}
function hasCounters(host) {
  return findAll(host, counters).length > 0;
}
function innerFragments(host) {
  return findAll(host, 'a[href^="#"]').map((link) => attributeOf(link, "href")?.slice(1) ?? "");
}
function fillCounters(host, number, total) {
  for (const counter of findAll(host, counters)) {
    counter.textContent = counter.classList.contains("pageNumber") ? number : total;
  }
}

// src/page/margins/margin-markup.ts
var noMarkup = { ofPage: { header: null, footer: null }, hosts: [], warnings: [] };
async function prepareMarkup({ markups, headerOfPage, footerOfPage, files: sentFiles }, input) {
  const files = [...keptDocumentFiles(), ...takeFiles(sentFiles)];
  const contents = [];
  const hostsOf = (edge, markupOfPage) => {
    if (!markupOfPage) return null;
    const known = /* @__PURE__ */ new Map();
    return markupOfPage.map((number) => {
      const index = known.get(number) ?? contents.push({ edge, markup: resolveFiles(markups[number] ?? "", files) }) - 1;
      known.set(number, index);
      return index;
    });
  };
  const indexes = { header: hostsOf("header", headerOfPage), footer: hostsOf("footer", footerOfPage) };
  const { hosts, animatedLinks, warnings } = attachMargins(contents);
  const at = (index) => hosts[index] ?? null;
  const ofPage = { header: indexes.header?.map(at) ?? null, footer: indexes.footer?.map(at) ?? null };
  const elements = hosts.map(({ host }) => host);
  const linkWarnings = removeUnsafeLinks(elements, animatedLinks);
  await documentFonts().ready;
  const glyphWarnings = await findMissingGlyphs(elements, documentFonts());
  const imageWarnings2 = await prepareImages(elements, [], input);
  await showSharedImages(elements, "page");
  return { ofPage, hosts, warnings: [...linkWarnings, ...glyphWarnings, ...imageWarnings2, ...warnings] };
}

// src/page/margins/plan-sheets.ts
var maxElements = 2e5;
var charsPerElement = 80;
function planSheets(pages, hostAt) {
  const plan = { sheets: [], sheetOfPage: [] };
  const looks = /* @__PURE__ */ new Map();
  const sheetNumbers = /* @__PURE__ */ new Map();
  const sizeIndexes = /* @__PURE__ */ new Map();
  let elements = 0;
  for (const [index, size] of pages.entries()) {
    const kind = pageKind(index, pages.length);
    const [header, footer] = [
      lookOf(looks, hostAt("header", index), kind),
      lookOf(looks, hostAt("footer", index), kind)
    ];
    if (!header && !footer) {
      plan.sheetOfPage.push(null);
      continue;
    }
    const sizeKey2 = \`\${size.width} \${size.height}\`;
    const sizeIndex = sizeIndexes.get(sizeKey2) ?? sizeIndexes.size;
    sizeIndexes.set(sizeKey2, sizeIndex);
    const counted2 = header?.hasCounters || footer?.hasCounters ? index : "";
    const lookKey = \`\${sizeIndex} \${header?.id} \${footer?.id}\`;
    const key = \`\${lookKey} \${counted2}\`;
    const known = sheetNumbers.get(key);
    if (known !== void 0) {
      plan.sheetOfPage.push(known);
      continue;
    }
    elements += (header?.cost ?? 0) + (footer?.cost ?? 0);
    if (elements > maxElements) throw new TooExpensiveError(tooManyElements);
    sheetNumbers.set(key, plan.sheets.length);
    plan.sheetOfPage.push(plan.sheets.length);
    const [pageNumber, totalPages] = [String(index + 1), String(pages.length)];
    const hosts = { header: header?.host ?? null, footer: footer?.host ?? null };
    plan.sheets.push({ size, sizeIndex, lookKey, kind, ...hosts, pageNumber, totalPages });
  }
  return plan;
}
var tooManyElements = \`The headers and footers of all pages together have more than \${maxElements} elements. Use fewer elements in them, or split the document.\`;
function lookOf(looks, host, kind) {
  if (!host) return null;
  const ofHost = looks.get(host) ?? { hostNumber: looks.size, keyOf: variantKeyOf(host), variants: /* @__PURE__ */ new Map() };
  looks.set(host, ofHost);
  const { hostNumber, variants } = ofHost;
  const key = ofHost.keyOf(kind);
  const known = variants.get(key);
  if (known !== void 0) return known;
  const look = withVariant(host, kind, () => isBlank(host) ? null : newLook(\`\${hostNumber}:\${key}\`, host));
  variants.set(key, look);
  return look;
}
function newLook(id, host) {
  const cost = 1 + findAll(host, "*").length + textOf(host).length / charsPerElement;
  return { id, host, hasCounters: hasCounters(host), cost };
}

// packages/fonts/font-index.ts
var fontFamilies = {
  sans: "Colophon Sans",
  serif: "Colophon Serif",
  mono: "Colophon Mono",
  scripts: "Colophon Scripts"
};

// src/core/rendering/families/known-families.ts
var genericKinds = {
  serif: "serif",
  "sans-serif": "sans",
  monospace: "mono",
  cursive: "sans",
  fantasy: "sans",
  "system-ui": "sans",
  "ui-serif": "serif",
  "ui-sans-serif": "sans",
  "ui-monospace": "mono",
  "ui-rounded": "sans",
  math: "sans",
  emoji: "scripts",
  fangsong: "serif",
  "-webkit-body": "sans",
  "-webkit-standard": "sans",
  "-webkit-pictograph": "scripts",
  blinkmacsystemfont: "sans",
  "-apple-system": "sans"
};
var systemNames = {
  sans: \`Arial,Arial Black,Arial Narrow,Arial Nova,Arial Unicode MS,Arimo,Aptos,Avenir,Avenir Next,Bahnschrift,Bitstream Vera Sans,
    Calibri,Candara,Cantarell,Carlito,Century Gothic,Comic Sans,Comic Sans MS,Corbel,DejaVu Sans,Droid Sans,Franklin Gothic,
    Franklin Gothic Medium,FreeSans,Futura,Geneva,Gill Sans,Gill Sans MT,Heiti SC,Heiti TC,Helvetica,Helvetica Neue,
    Hiragino Kaku Gothic Pro,Hiragino Kaku Gothic ProN,Hiragino Sans,Hiragino Sans GB,Apple SD Gothic Neo,Impact,Liberation Sans,
    Lucida,Lucida Grande,Lucida Sans,Lucida Sans Unicode,Malgun Gothic,Meiryo,Microsoft JhengHei,Microsoft Sans Serif,
    Microsoft YaHei,MS Gothic,MS PGothic,MS Sans Serif,Myriad Pro,Nimbus Sans,Nimbus Sans L,Noto Sans,Open Sans,Optima,Oxygen,
    Oxygen-Sans,PingFang HK,PingFang SC,PingFang TC,Roboto,San Francisco,Segoe UI,Segoe UI Variable,SF Pro,SF Pro Display,
    SF Pro Text,SimHei,Source Han Sans,STHeiti,Tahoma,Trebuchet,Trebuchet MS,Ubuntu,Univers,Verdana,WenQuanYi Micro Hei,Yu Gothic\`,
  serif: \`Baskerville,Batang,Bitstream Vera Serif,Bodoni MT,Book Antiqua,Bookman,Bookman Old Style,Cambria,Century,
    Century Schoolbook,Charter,Cochin,Constantia,DejaVu Serif,Didot,Droid Serif,FreeSerif,Garamond,Georgia,Hiragino Mincho Pro,
    Hiragino Mincho ProN,Hoefler Text,Iowan Old Style,Liberation Serif,Lucida Bright,Minion Pro,MS Mincho,MS PMincho,MS Serif,
    Nimbus Roman,Nimbus Roman No9 L,Noto Serif,Palatino,Palatino Linotype,Perpetua,Rockwell,SimSun,Sitka Text,Songti SC,
    Source Han Serif,STSong,Times,Times New Roman,Tinos,URW Palladio L,Yu Mincho\`,
  mono: \`Andale Mono,Bitstream Vera Sans Mono,Cascadia Code,Cascadia Mono,Consolas,Courier,Courier New,Cousine,DejaVu Sans Mono,
    Droid Sans Mono,Fira Mono,FreeMono,Inconsolata,Liberation Mono,Lucida Console,Lucida Sans Typewriter,Menlo,Monaco,Nimbus Mono,
    Nimbus Mono PS,Noto Mono,Noto Sans Mono,Oxygen Mono,Roboto Mono,SF Mono,SFMono-Regular,Source Code Pro,Ubuntu Mono\`,
  scripts: \`Android Emoji,Apple Color Emoji,Apple Symbols,EmojiOne Color,Noto Color Emoji,Noto Emoji,Segoe Emoji,Segoe UI Emoji,
    Segoe UI Symbol,Symbola,Twemoji Mozilla\`
};
var kinds = new Map(Object.entries(genericKinds));
var wellKnownFamilies = new Map(Object.keys(genericKinds).map((name) => [name, name]));
for (const [kind, list] of Object.entries(systemNames)) {
  for (const name of list.split(",").map((text) => text.trim())) {
    kinds.set(name.toLowerCase(), kind);
    wellKnownFamilies.set(name.toLowerCase(), name);
  }
}
for (const kind of ["sans", "serif", "mono", "scripts"]) kinds.set(\`colophon \${kind}\`, kind);
function isGenericFamily(name) {
  return Object.hasOwn(genericKinds, name.toLowerCase());
}
function kindOfFamily(name) {
  const lower = name.toLowerCase();
  const noto = /^noto (sans|serif) /.exec(lower)?.[1];
  return kinds.get(lower) ?? (noto === "serif" ? "serif" : noto === "sans" ? "sans" : null);
}

// src/core/rendering/families/service-families.ts
var monospaceScale = "--colophon-scale";
function familyList(kind) {
  const others = kind === "scripts" ? fontFamilies.sans : fontFamilies.scripts;
  return \`"\${fontFamilies[kind]}","\${others}",\${missingGlyphFamily}\`;
}
function servedFamilies(value, named2) {
  if (/^(?:inherit|unset|revert-layer)$/i.test(value)) return value;
  if (/^initial$/i.test(value)) return familyList("sans");
  if (/^revert$/i.test(value)) return "revert-layer";
  return ended(withServiceFamilies(value, named2));
}
function servedFont(value, named2) {
  if (/^[a-z-]+$/i.test(value)) return \`medium \${familyList("sans")}\`;
  return ended(withServiceFamilies(value, named2));
}
function ended(value) {
  const isServed = [fontFamilies.sans, fontFamilies.serif, fontFamilies.mono].some((name) => value.includes(\`"\${name}"\`));
  const end = isServed ? \`"\${fontFamilies.scripts}",\${missingGlyphFamily}\` : familyList("sans");
  if (value.includes("(")) return \`\${value},\${end}\`;
  return [...new Set([...value.match(items) ?? [], ...end.split(",")].map((item) => item.trim()))].join(", ");
}
var items = /"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|[^\\s,()"'][^,()"']*/g;
var fontHead = /^(?:.*\\s)?[\\d.]+[a-z%]*(?:\\s*\\/\\s*\\S+)?\\s+/is;
var identifiers = /^-?[\\p{L}_][\\p{L}\\p{N}_-]*(?:\\s+-?[\\p{L}_][\\p{L}\\p{N}_-]*)*$/u;
var maxChars2 = 2e3;
function withServiceFamilies(value, named2) {
  if (value.length > maxChars2) return value;
  return value.replace(items, (item, start) => {
    const end = start + item.length;
    if (value[end] === "(") return item;
    if (/^["']/.test(item)) return named2.add(item.slice(1, -1)) && withServiceFamily(item, item.slice(1, -1));
    const [head = ""] = fontHead.exec(item) ?? [];
    const name = item.slice(head.length).trim().replace(/\\s+/g, " ");
    if (!identifiers.test(name)) return item;
    const kind = isGenericFamily(name) ? kindOfFamily(name) : null;
    if (kind) return head + (end === value.length ? familyList(kind) : \`"\${fontFamilies[kind]}"\`);
    named2.add(name);
    return head + withServiceFamily(name, name);
  });
}
function withServiceFamily(text, name) {
  const kind = kindOfFamily(name);
  return kind === null || /^colophon\\b/i.test(name) ? text : \`\${text},"\${fontFamilies[kind]}"\`;
}

// src/page/style-rules.ts
function documentRules() {
  return inlineSheets().flatMap((sheet) => [...sheet.cssRules]);
}
function inlineSheets() {
  return [...documentStyleSheets()].filter(({ href }) => href === null);
}

// src/page/fonts/map-families.ts
var mapped = /* @__PURE__ */ new WeakMap();
var ofDocument = /* @__PURE__ */ new Set();
var named = ofDocument;
function forgetFamilies() {
  ofDocument.clear();
}
function mapFamilies(trees) {
  for (const sheet of inlineSheets()) {
    for (const name of mapped.get(sheet) ?? mapSheet(sheet)) ofDocument.add(name);
  }
  for (const element of findInTrees(trees, "[style], [font-family], font[face]")) mapAttributes(element);
  hideInstalledFonts();
}
function mapSheet(sheet) {
  named = /* @__PURE__ */ new Set();
  mapRules(sheet);
  mapped.set(sheet, named);
  const names = named;
  named = ofDocument;
  return names;
}
var relevant = /font|\\ball\\b|\\\\|--[^:;]+:(?!\\s*-?[\\d.]+(?:%|[a-z]+)?\\s*(?:;|$))/i;
var isText = /^\\s*(?:"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*')\\s*$/;
function mapAttributes(element) {
  const style = relevant.test(attributeOf(element, "style") ?? "") ? inlineStyleOf(element) : null;
  if (style) mapStyle(style, (value) => !isText.test(value));
  for (const name of element.localName === "font" ? ["face"] : ["font-family"]) {
    const value = attributeOf(element, name);
    if (value) setAttribute(element, name, servedFamilies(value.trim(), named));
  }
}
function mapRules(group) {
  for (const [index, rule] of [...group.cssRules].entries()) {
    if (rule instanceof CSSFontFaceRule) leaveOutLocal(group, rule, index);
    else if ("style" in rule) mapStyle(rule.style);
    if ("cssRules" in rule) mapRules(rule);
  }
}
function leaveOutLocal(group, rule, index) {
  if (!rule.style.getPropertyValue("src").includes("local(")) return;
  const text = rule.cssText.replace(/local\\((?:"(?:[^"\\\\]|\\\\.)*"|[^)"]*)\\)/g, 'local("colophon:none")');
  group.deleteRule(index);
  group.insertRule(text, index);
}
function mapStyle(style, isFontLike = () => true) {
  const set = (name, value, source = name) => style.setProperty(name, value, style.getPropertyPriority(source));
  for (const name of Array.from(style).filter((property) => property.startsWith("--")))
    if (name !== monospaceScale && isFontLike(style.getPropertyValue(name)))
      change(style.getPropertyValue(name), withServiceFamilies, (value) => set(name, value));
  const all = style.getPropertyValue("all");
  const families = style.getPropertyValue("font-family") || all;
  if (families) {
    change(families, servedFamilies, (value) => {
      set("font-family", value, families === all ? "all" : "font-family");
      set(monospaceScale, scaleOf(families), "font-family");
    });
  } else {
    change(style.getPropertyValue("font"), servedFont, (value) => set("font", value));
  }
}
function scaleOf(families) {
  if (families === "monospace") return "initial";
  return families.startsWith("revert") ? "revert-layer" : "1";
}
function change(value, map, write) {
  const result = value === "" ? "" : map(value, named);
  if (result !== value) write(result);
}
var hiding = /* @__PURE__ */ new Map();
var maxHiding = 500;
function hideInstalledFonts() {
  const fonts = documentFonts();
  const names = new Map([...ofDocument].slice(0, maxHiding).map((name) => [name.toLowerCase(), name]));
  for (const [key, face] of hiding) {
    if (names.has(key)) continue;
    fonts.delete(face);
    hiding.delete(key);
  }
  if (names.size === 0) return;
  const hidden = new Set(hiding.values());
  const declared = new Set([...fonts].filter((face) => !hidden.has(face)).map(familyOf));
  for (const [key, name] of names) {
    const face = hiding.get(key) ?? new FontFace(name, "url(data:,)", { unicodeRange: "U+10FFFF" });
    hiding.set(key, face);
    if (declared.has(key)) fonts.delete(face);
    else fonts.add(face);
  }
}
function familyOf({ family }) {
  return family.replace(/^["']|["']$/g, "").toLowerCase();
}
function keepRootFamily() {
  const root = rootElement();
  if (getComputedStyle(root).fontFamily.includes("Colophon Sans")) return;
  root.style.setProperty("font-family", familyList("sans"), "important");
}

// src/page/margins/sheet-styles.ts
var roundingPx = 0.05;
function insertSheetStyles(sizes) {
  const names = /* @__PURE__ */ new Map();
  const pages = [];
  for (const size of sizes) {
    if (names.has(sizeKey(size))) continue;
    const name = \`colophon-sheet-\${names.size}\`;
    names.set(sizeKey(size), name);
    const [width, height] = [size.width + roundingPx, size.height + roundingPx];
    pages.push(\`@page \${name}{size:\${width}px \${height}px!important;margin:0!important}\`);
  }
  const style = createElement("style");
  style.textContent = \`\${pages.join("")}\${decorations}{content:none!important}\${heads}{display:none!important}\`;
  headElement().append(style);
  for (const element of [rootElement(), bodyElement()]) {
    for (const [property, value] of Object.entries(plainBox)) element.style.setProperty(property, value, "important");
  }
  return (size) => names.get(sizeKey(size)) ?? "auto";
}
function sizeKey({ width, height }) {
  return \`\${width} \${height}\`;
}
var mostSpecific = \`:not(\${"#colophon".repeat(9)})\`;
var decorations = ["html", "body", "colophon-sheet"].flatMap((name) => [\`\${name}\${mostSpecific}::before\`, \`\${name}\${mostSpecific}::after\`]).join(",");
var heads = \`head\${mostSpecific}\`;
var plainBox = {
  display: "block",
  position: "static",
  float: "none",
  width: "auto",
  height: "auto",
  "min-width": "0",
  "min-height": "0",
  "max-width": "none",
  "max-height": "none",
  margin: "0",
  padding: "0",
  border: "0",
  outline: "0",
  background: "none",
  "box-shadow": "none",
  columns: "auto",
  overflow: "visible",
  contain: "none",
  transform: "none",
  translate: "none",
  rotate: "none",
  scale: "none",
  zoom: "1",
  opacity: "1",
  filter: "none",
  "backdrop-filter": "none",
  "mix-blend-mode": "normal",
  "clip-path": "none",
  mask: "none",
  animation: "none",
  transition: "none",
  "writing-mode": "horizontal-tb"
};

// src/page/margins/show-sheets.ts
async function showSheets(stacks) {
  const pageNameOf2 = insertSheetStyles(stacks.map(({ size }) => size));
  const body = bodyElement();
  const contentOf2 = sheetContents();
  const elements = stacks.map((stack) => stackElement(stack, pageNameOf2(stack.size), contentOf2));
  body.replaceChildren(...elements);
  mapFamilies([]);
  addTargets(elements);
  void body.offsetHeight;
  if (documentFonts().status === "loading") await documentFonts().ready;
  const [first] = elements;
  if (first) markSheets(first);
}
function addTargets(sheets) {
  const fragments = sheets.flatMap(innerFragments);
  for (const fragment of new Set(fragments.flatMap((text) => [text, percentDecoded(text)]))) {
    const target = createElement("a");
    target.id = fragment;
    headElement().append(target);
  }
}
function markSheets(sheet) {
  sheet.id = sheetsMark;
  linkTo(sheetsMark);
}
function stackElement({ sheets, size, pitch }, page, contentOf2) {
  const element = boxOf2(size, { position: "relative", page, "break-inside": "avoid", "break-after": "page" });
  element.append(...sheets.map((sheet, index) => contentOf2(sheet, index * pitch)));
  return element;
}
function sheetContents() {
  const models = /* @__PURE__ */ new Map();
  return (sheet, topPx) => {
    const model = models.get(sheet.lookKey) ?? contentModel(sheet);
    models.set(sheet.lookKey, model);
    const content = model.cloneNode(true);
    fillCounters(content, sheet.pageNumber, sheet.totalPages);
    if (topPx > 0) content.style.setProperty("top", \`\${topPx}px\`, "important");
    return content;
  };
}
function contentModel(sheet) {
  const styles = { position: "absolute", left: "0", top: "0", contain: "size layout", overflow: "clip" };
  const model = boxOf2(sheet.size, styles);
  model.append(...copyOf(sheet, "header"), ...copyOf(sheet, "footer"));
  return model;
}
function boxOf2({ width, height }, styles) {
  const element = createElement("colophon-sheet");
  const common2 = { all: "unset", display: "block", width: \`\${width}px\`, height: \`\${height}px\` };
  for (const [property, value] of Object.entries({ ...common2, ...styles }))
    element.style.setProperty(property, value, "important");
  return element;
}
function copyOf(sheet, edge) {
  const copy = sheet[edge]?.cloneNode(true);
  if (!copy) return [];
  for (const element of hiddenElements(copy, sheet.kind)) element.remove();
  copy.style.cssText = \`position:absolute;left:0;width:\${sheet.size.width}px;\${edge === "header" ? "top" : "bottom"}:0\`;
  return [copy];
}

// src/page/margins/stack-sheets.ts
var minSheets = 20;
var gapPx = 8;
function stackSheets(sheets) {
  const [first, ...others] = sheets;
  if (!first || sheets.length < minSheets || haveLinks(sheets)) return sheets.map(singleSheet);
  const stacks = [singleSheet(first)];
  const open = /* @__PURE__ */ new Map();
  for (const sheet of others) {
    const pitch = Math.ceil(sheet.size.height) + gapPx;
    const stack = open.get(sheet.sizeIndex);
    if (stack && (stack.sheets.length + 1) * pitch <= maxAutoHeightPx) {
      stack.sheets.push(sheet);
      stack.size = { width: sheet.size.width, height: stack.sheets.length * pitch };
      continue;
    }
    const next = { ...singleSheet(sheet), pitch };
    stacks.push(next);
    open.set(sheet.sizeIndex, next);
  }
  return stacks;
}
function singleSheet(sheet) {
  return { sheets: [sheet], size: sheet.size, pitch: 0 };
}
function haveLinks(sheets) {
  const hosts = new Set(sheets.flatMap(({ header, footer }) => [header, footer]));
  return [...hosts].some((host) => host && findAll(host, "a, area").length > 0);
}
function sheetPlaces(sheets, stacks) {
  const places = /* @__PURE__ */ new Map();
  for (const [page, stack] of stacks.entries()) {
    const isWholePage = stack.sheets.length === 1;
    for (const [index, sheet] of stack.sheets.entries()) {
      places.set(sheet, {
        page,
        area: isWholePage ? null : { topPx: index * stack.pitch, heightPx: sheet.size.height }
      });
    }
  }
  return sheets.flatMap((sheet) => places.get(sheet) ?? []);
}

// src/page/margins/lay-out-sheets.ts
async function layOutSheets(printed) {
  try {
    return await layOut(printed, currentMargins());
  } catch (error) {
    if (error instanceof TooExpensiveError) {
      bodyElement().replaceChildren();
      return { status: "impossible", message: error.message };
    }
    throw error;
  }
}
async function layOut({ pages, margins, isStacked }, current3) {
  const own = margins ? await prepareMarkup(margins, current3.input) : noMarkup;
  const grown = grownMargins(own, current3, pages.length);
  if (grown) {
    for (const { host } of own.hosts) host.remove();
    reserveMargins(current3.input, grown);
    keepMargins({ ...current3, reserved: grown });
    return { status: "margins_grew" };
  }
  bodyElement().replaceChildren(...[...current3.hosts, ...own.hosts].map(({ host }) => host));
  const common2 = { header: hostOf(current3.hosts, "header"), footer: hostOf(current3.hosts, "footer") };
  const { sheets, sheetOfPage } = planSheets(pages, (edge, index) => {
    const ofPage = own.ofPage[edge];
    return ofPage ? ofPage[index]?.host ?? null : common2[edge];
  });
  const stacks = isStacked ? stackSheets(sheets) : sheets.map(singleSheet);
  await showSheets(stacks);
  const places = sheetPlaces(sheets, stacks);
  return { status: "laid_out", sheetOfPage, places, pageCount: stacks.length, warnings: own.warnings };
}
function hostOf(hosts, edge) {
  return hosts.find((margin) => margin.edge === edge)?.host ?? null;
}
function grownMargins({ ofPage }, { input, reserved }, pageCount) {
  const grown = { header: { ...reserved.header }, footer: { ...reserved.footer } };
  let isTooLow = false;
  for (const edge of ["header", "footer"]) {
    const available = edge === "header" ? input.margin.top : input.margin.bottom;
    for (const [index, margin] of (ofPage[edge] ?? []).entries()) {
      if (!margin) continue;
      const kind = pageKind(index, pageCount);
      const group = groupOf(kind);
      const height = heightOn(margin.host, kind);
      if (height <= Math.max(available, grown[edge][group])) continue;
      grown[edge][group] = height;
      isTooLow = true;
    }
  }
  return isTooLow ? grown : null;
}

// src/page/auto-height/tidy-page-files.ts
function takeInStrayNodes() {
  for (const section of sectionsOfPageFiles()) {
    for (let next = section.nextSibling; next && !isSection(next); next = section.nextSibling) section.append(next);
  }
}
function tidyPageFiles() {
  const shown = sectionsOfPageFiles().filter((section) => getComputedStyle(section).display !== "none");
  for (const section of shown) {
    if (/^(block|contents|inline|inline-block)$/.test(getComputedStyle(section).display)) {
      section.style.setProperty("display", "flow-root", "important");
    }
    if (getComputedStyle(section).display === "flow-root") dropLastMargins(section);
    growToOverflow(section);
  }
  return shown;
}
function growToOverflow(section) {
  const { overflowY, paddingBottom } = getComputedStyle(section);
  if (overflowY !== "visible" || section.scrollHeight <= Math.ceil(section.clientHeight)) return;
  section.style.setProperty("box-sizing", "border-box", "important");
  section.style.setProperty("min-height", \`\${section.scrollHeight + parseFloat(paddingBottom)}px\`, "important");
}
function sectionsOfPageFiles() {
  return findInDocument("body > .page").filter((section) => section instanceof HTMLElement);
}
function isSection(node) {
  return node instanceof Element && node.matches(".page");
}
function dropLastMargins(section) {
  for (let block = lastBlock(section); block; block = lastBlock(block)) {
    const style = getComputedStyle(block);
    if (parseFloat(style.marginBottom) > 0) block.style.setProperty("margin-bottom", "0", "important");
    const endsWithItsContent = /^(block|list-item)$/.test(style.display) && style.overflowY === "visible" && parseFloat(style.paddingBottom) === 0 && parseFloat(style.borderBottomWidth) === 0;
    if (!endsWithItsContent) return;
  }
}
function lastBlock(parent) {
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
    node.style.setProperty("margin-bottom", "0", "important");
  }
  return null;
}

// src/page/cost/markup-cost.ts
var maxElements2 = 3e5;
var maxDrawnSvgElements = 3e5;
function checkMarkupCost(parsed) {
  const elements = countElements(parsed);
  if (elements > maxElements2) {
    throw new TooExpensiveError(
      \`The document has \${elements} elements; at most \${maxElements2} are allowed. Split it into several documents.\`
    );
  }
  const drawings = findAll(parsed, "svg");
  if (drawings.length > 0 && drawnElements(drawings) > maxDrawnSvgElements) {
    throw new TooExpensiveError(
      \`The SVG elements of the document refer to each other so often that more than \${maxDrawnSvgElements} elements would be drawn. Use fewer references such as \\\`<use>\\\`, \\\`<pattern>\\\` and \\\`<mask>\\\`.\`
    );
  }
}
function drawnElements(drawings) {
  const byId = /* @__PURE__ */ new Map();
  for (const drawing of drawings) {
    for (const element of findAll(drawing, "*")) {
      const id = attributeOf(element, "id");
      if (id && !byId.has(id)) byId.set(id, element);
    }
  }
  const known = /* @__PURE__ */ new Map();
  const costOf = (element) => {
    const cost = known.get(element);
    if (cost !== void 0) return cost;
    known.set(element, 0);
    let sum = 1;
    for (const child of childrenOf(element)) sum += costOf(child);
    for (const id of referencesOf(element)) {
      const target = byId.get(id);
      if (target) sum += costOf(target);
    }
    known.set(element, Math.min(sum, maxDrawnSvgElements + 1));
    return sum;
  };
  const inner = new Set(drawings.flatMap((drawing) => findAll(drawing, "svg")));
  return drawings.filter((drawing) => !inner.has(drawing)).reduce((sum, drawing) => sum + costOf(drawing), 0);
}
function referencesOf(element) {
  const ids = [];
  for (const { localName, value } of element.attributes) {
    if (localName === "href" && element.localName !== "a") {
      if (value.startsWith("#")) ids.push(value.slice(1));
    } else if (value.includes("url(")) {
      for (const [, id = ""] of value.matchAll(/url\\(\\s*["']?#([^"')\\s]+)/g)) ids.push(id);
    }
  }
  return ids;
}

// src/page/cost/nested-effects.ts
var maxNestedEffects = 30;
function checkNestedEffects() {
  const deepElements = findInDocument(\`\${"* > ".repeat(maxNestedEffects)}*\`);
  const known = /* @__PURE__ */ new Map();
  const effectsAround = (element) => {
    const count = known.get(element);
    if (count !== void 0) return count;
    const parent = parentOf(element);
    const effects = (parent ? effectsAround(parent) : 0) + (hasEffect(getComputedStyle(element)) ? 1 : 0);
    known.set(element, effects);
    return effects;
  };
  for (const element of deepElements) {
    if (effectsAround(element) <= maxNestedEffects) continue;
    throw new TooExpensiveError(
      \`More than \${maxNestedEffects} elements with effects such as \\\`opacity\\\`, \\\`filter\\\` or \\\`mask\\\` are nested inside each other. Use fewer nested effects.\`
    );
  }
}
function hasEffect(style) {
  return style.opacity !== "1" || style.filter !== "none" || style.backdropFilter !== "none" || style.mixBlendMode !== "normal" || style.maskImage !== "none" || style.clipPath !== "none" || style.getPropertyValue("-webkit-box-reflect") !== "none";
}

// src/page/cost/print-cost.ts
var maxRepeatedElements = 2e5;
var charsPerElement2 = 80;
var maxPages = 500;
var maxHeightPx = 1e7;
function checkPrintCost({ pageHeight, margin }, rules) {
  const body = bodyElement();
  const heightPx = body.scrollHeight;
  if (heightPx > maxHeightPx) {
    throw new TooExpensiveError(\`The document has more than \${maxPages} pages. Split it into several documents.\`);
  }
  const pageContentPx = Math.max(1, pageHeight - margin.top - margin.bottom);
  const repeated = repeatedElements(pageContentPx, rules);
  if (repeated > maxRepeatedElements) {
    throw new TooExpensiveError(
      \`Table headers, table footers and fixed boxes are repeated on each page, which would draw about \${Math.round(repeated)} elements; at most \${maxRepeatedElements} are allowed. Use fewer elements in them, or split the document.\`
    );
  }
}
function pagesOf(heightPx, pageContentPx) {
  return Math.min(maxPages + 1, Math.ceil(2 * heightPx / pageContentPx));
}
function repeatedElements(pageContentPx, rules) {
  let sum = 0;
  for (const element of repeatingElements(rules)) {
    const isFixed = getComputedStyle(element).position === "fixed";
    const container = (isFixed ? null : parentOf(element)) ?? bodyElement();
    const weight = 1 + findAll(element, "*").length + textOf(element).length / charsPerElement2;
    sum += weight * pagesOf(heightOf(container), pageContentPx);
  }
  return sum;
}
function repeatingElements(rules) {
  const stylesMayRepeat = rules.some(mayRepeat) || findInDocument('[style*="fixed" i], [style*="-group" i], [style*="\\\\\\\\"]').length > 0;
  if (!stylesMayRepeat) return findInDocument("thead, tfoot");
  return findInDocument("*").filter((element) => isRepeated(getComputedStyle(element)));
}
function mayRepeat(rule) {
  const { style, cssRules } = rule;
  if (style && (/fixed|\\(/.test(style.position) || /-group|\\(/.test(style.display))) return true;
  return cssRules ? [...cssRules].some(mayRepeat) : false;
}
function isRepeated({ position, display }) {
  return position === "fixed" || display === "table-header-group" || display === "table-footer-group";
}

// src/page/heading-text.ts
function headingText(heading) {
  let text = "";
  let block = null;
  for (const node of descendantsOf(heading)) {
    if (node instanceof HTMLBRElement) text += " ";
    else if (node instanceof Text && hasBoxes(node)) {
      const next = blockOf(node, heading);
      text += next === block ? node.data : \` \${node.data}\`;
      block = next;
    } else if (node instanceof Text && node.data.trim() === "") text += " ";
  }
  return text;
}
function blockOf(node, heading) {
  let element = parentOf(node);
  while (element && element !== heading && /^(inline|contents|ruby)/.test(displayOf(element))) {
    element = parentOf(element);
  }
  return element ?? heading;
}

// src/page/describe-document.ts
var maxTextChars = 500;
function describeDocument(maxTaggedElements) {
  const [head, body] = [headElement(), bodyElement()];
  useOwnTitle(head, body);
  const elements = body.getElementsByTagName("*").length;
  const isMarked = maxTaggedElements !== null;
  const headings = isMarked ? findHeadings(body) : [];
  const sections = isMarked ? findSections(body) : [];
  const mark = destinationMarker();
  return {
    author: metaContent(body, "author"),
    subject: metaContent(body, "description"),
    keywords: metaContent(body, "keywords"),
    isTagged: !isMarked || elements <= maxTaggedElements,
    outline: headings.map(({ element, text }) => {
      return { level: Number(element.tagName.slice(1)), text, name: mark(element) };
    }),
    sections: sections.map(({ element, title }) => ({ title, name: mark(element) }))
  };
}
function useOwnTitle(head, body) {
  const ownTitle = plain(findAll(body, "title").find((title2) => title2 instanceof HTMLTitleElement)?.textContent);
  const title = findAll(head, "title")[0];
  if (ownTitle !== "" && title) title.textContent = ownTitle;
}
function metaContent(body, name) {
  const metas = findAll(body, "meta[name][content]");
  const meta = metas.find((candidate) => candidate.getAttribute("name")?.toLowerCase() === name);
  return plain(meta?.getAttribute("content"));
}
var headingSelector = "h1,h2,h3,h4,h5,h6";
function findHeadings(body) {
  return findAll(body, headingSelector).map((element) => ({ element, text: plain(headingText(element)) })).filter(({ element, text }) => text !== "" && isLaidOut(element));
}
function findSections(body) {
  const starts = new Set(findAll(body, "h1,[data-section]"));
  for (const element of findAll(body, "[data-section]")) {
    const [first] = findAll(element, "h1,[data-section]");
    if (first && attributeOf(first, "data-section") === null) starts.delete(first);
  }
  return [...starts].flatMap((element) => {
    const laidOut = [element, ...findAll(element, "*")].find(isLaidOut);
    return laidOut ? { element: innermostStart(laidOut), title: sectionTitle(element) } : [];
  });
}
function innermostStart(element) {
  let start = element;
  while (/^div$/i.test(start.tagName) && !attributeOf(start, "id") && !hasOwnText(start)) {
    const inner = childrenOf(start).find(isLaidOut);
    if (!inner) break;
    start = inner;
  }
  return start;
}
function hasOwnText(element) {
  return [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== "");
}
function sectionTitle(element) {
  const title = plain(attributeOf(element, "data-section"));
  if (title !== "") return title;
  const heading = /^h[1-6]$/i.test(element.tagName) ? element : findAll(element, headingSelector)[0];
  return heading ? plain(headingText(heading)) : "";
}
function isLaidOut(element) {
  return Element.prototype.getClientRects.call(element).length > 0;
}
function destinationMarker() {
  const names = /* @__PURE__ */ new Map();
  let count = 0;
  return (element) => {
    const known = names.get(element);
    if (known !== void 0) return known;
    const link = linkTo(encodeURIComponent(targetId(element, \`colophon-mark-\${count++}\`)));
    const name = link.hash.slice(1);
    names.set(element, name);
    return name;
  };
}
function targetId(element, newId) {
  const id = attributeOf(element, "id") ?? "";
  if (id !== "" && Document.prototype.getElementById.call(document, id) === element) return id;
  const target = id === "" ? element : createElement("span");
  const setAttribute2 = (name, value) => Element.prototype.setAttribute.call(target, name, value);
  setAttribute2("id", newId);
  if (/^span$/i.test(target.tagName) && attributeOf(target, "role") === null) setAttribute2("role", "none");
  if (target !== element) Element.prototype.prepend.call(element, target);
  return newId;
}
function plain(text) {
  const shown = (text ?? "").replace(/\\s+/g, " ").replace(/\\p{Cc}/gu, "").trim();
  return shown.slice(0, maxTextChars).replace(/[\\ud800-\\udbff]$/, "");
}

// src/page/margins/measure-margins.ts
async function measureMargins(hosts, input) {
  const reserved = { header: measureHeights(hosts, "header"), footer: measureHeights(hosts, "footer") };
  reserveMargins(input, reserved);
  keepDestinations(hosts);
  await showSharedImages(
    hosts.map(({ host }) => host),
    "document"
  );
  for (const { host } of hosts) host.remove();
  keepMargins({ input, hosts, reserved });
  return hosts.length > 0;
}
function keepDestinations(hosts) {
  for (const fragment of new Set(hosts.flatMap(({ host }) => innerFragments(host)))) linkTo(fragment);
}

// src/core/rendering/references/counter-styles.ts
var counterStyles = ["decimal", "lower-roman", "upper-roman", "lower-alpha", "upper-alpha"];
function isCounterStyle(name) {
  return counterStyles.includes(name);
}
function formatCounter(value, style) {
  if (style === "decimal") return String(value);
  const text = style.endsWith("roman") ? roman(value) : letters(value);
  return style.startsWith("upper") ? text.toUpperCase() : text;
}
var romanDigits = [
  [1e3, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"]
];
function roman(value) {
  if (value > 3999) return String(value);
  let rest = value;
  let text = "";
  for (const [size, digits] of romanDigits) {
    for (; rest >= size; rest -= size) text += digits;
  }
  return text;
}
function letters(value) {
  let text = "";
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    text = String.fromCharCode(97 + (rest - 1) % 26) + text;
  }
  return text;
}

// src/core/rendering/references/reference-attributes.ts
var attributesProperty = "--colophon-references";
var leaderPrefix = "data-colophon-leader-";
function parseAttributeNames(names) {
  const pages = [];
  const leaders = [];
  for (const name of names.trim().split(/\\s+/)) {
    const [, style = "", source = ""] = /^data-colophon-page-([a-z-]+?)-of-([a-z][\\w-]*)$/.exec(name) ?? [];
    if (isCounterStyle(style)) pages.push({ name, source, style });
    const [, digits = ""] = /^data-colophon-leader-((?:[0-9a-f]{4})+)$/.exec(name) ?? [];
    const units2 = (digits.match(/.{4}/g) ?? []).map((unit) => parseInt(unit, 16));
    if (units2.length > 0) leaders.push({ name, pattern: String.fromCharCode(...units2) });
  }
  return { pages, leaders };
}

// src/page/references/fill-leaders.ts
var leaderEdge = "data-colophon-leader";
var measured2 = "data-colophon-measured";
var printWidth2 = "data-colophon-print-width";
var printWidthProperty = "--colophon-print-width";
var tolerancePx = 0.2;
var sampleRepeats = 11;
var maxLeaderChars = 2e6;
var pseudo = (state) => \`[\${leaderEdge}~="before"]\${state}::before,[\${leaderEdge}~="after"]\${state}::after\`;
var leaderStyles = [
  \`\${pseudo("")}{display:inline-flex!important;justify-content:flex-end!important;float:none!important;\`,
  "box-sizing:content-box!important;width:auto!important;min-width:auto!important;max-width:none!important;",
  "text-indent:0!important;white-space:pre!important;overflow-x:clip!important;overflow-y:visible!important}",
  \`\${pseudo('[data-colophon-leader~="item"]')}{flex:1 1 0px!important}\`,
  \`\${pseudo('[data-colophon-leader~="filled"]')}{contain:inline-size!important;\`,
  "contain-intrinsic-inline-size:var(--colophon-leader-min)!important;min-width:var(--colophon-leader-min)!important}",
  \`\${pseudo('[data-colophon-leader~="line"]')}{width:calc(100% - var(--colophon-leader-rest))!important}\`,
  \`[\${measured2}="start"]{text-align:start!important;text-align-last:start!important}\`,
  \`[\${measured2}="end"]{text-align:end!important;text-align-last:end!important}\`,
  \`:root[\${printWidth2}]{box-sizing:border-box!important;width:var(\${printWidthProperty})!important}\`
].join("");
function fillLeaders(attributes, printWidthOf) {
  const leaders = attributes.flatMap(leadersOf);
  if (!printWidthOf) return fillAll(leaders, measureLeaders(leaders));
  const root = rootElement();
  const byWidth = Map.groupBy(leaders, ({ element }) => printWidthOf(element));
  const measurements = [];
  for (const [width, group] of byWidth) {
    root.style.setProperty(printWidthProperty, \`\${width}px\`);
    setAttribute(root, printWidth2, "");
    measurements.push(...measureLeaders(group));
  }
  removeAttribute(root, printWidth2);
  root.style.removeProperty(printWidthProperty);
  return fillAll([...byWidth.values()].flat(), measurements);
}
function leadersOf({ name: attribute, pattern }) {
  return findInDocument(\`[\${attribute}]\`).map((element) => {
    const edge = attributeOf(element, leaderEdge)?.startsWith("before") ? "before" : "after";
    let block = element;
    while (/^(?:inline|contents)$/.test(displayOf(block))) block = parentOf(block) ?? rootElement();
    const isItem = block === element && /flex|grid/.test(displayOf(block));
    const probe = createElement("span");
    probe.style.cssText = "all:unset!important";
    return { element, edge, attribute, pattern, block, isItem, probe };
  });
}
function measureLeaders(leaders) {
  for (const leader of leaders) {
    const { element, edge, attribute, pattern, block, isItem, probe } = leader;
    setAttribute(element, attribute, pattern);
    setAttribute(element, leaderEdge, edge);
    setAttribute(block, measured2, "start");
    if (!isItem) insertInside(element, probe, edge === "before" ? "start" : "end");
  }
  const started = leaders.map((leader) => ({ ...measureBox(leader), ...measureLine(leader) }));
  const onSameLine = leadersByLine(leaders, started);
  for (const { element, edge, block, isItem } of leaders) {
    setAttribute(block, measured2, "end");
    if (isItem) setAttribute(element, leaderEdge, \`\${edge} item\`);
  }
  const ended2 = leaders.map((leader) => ({ x: positionOf(leader).x, width: measureBox(leader).width }));
  for (const { element, edge, attribute, pattern, block, probe } of leaders) {
    removeAttribute(block, measured2);
    probe.remove();
    setAttribute(element, leaderEdge, edge);
    setAttribute(element, attribute, pattern.repeat(sampleRepeats));
  }
  const sampled = leaders.map((leader) => measureBox(leader).width);
  return leaders.map(({ isItem }, index) => {
    const { width, around, x, blockWidth, isWrapped } = started[index] ?? unmeasured;
    const end = ended2[index] ?? { x, width };
    const shared = width + Math.abs(end.x - x) / (onSameLine[index] ?? 1);
    const whole = isItem ? end.width : isWrapped ? blockWidth - around : shared;
    const repeated = ((sampled[index] ?? NaN) - width) / (sampleRepeats - 1);
    return { minimum: width, free: whole - width, repeated, rest: blockWidth - whole };
  });
}
var unmeasured = { width: NaN, around: NaN, x: NaN, y: NaN, blockWidth: NaN, isWrapped: false };
function measureBox({ element, edge }) {
  const style = getComputedStyle(element, \`::\${edge}\`);
  const sides = ["left", "right"].flatMap((side) => [\`margin-\${side}\`, \`padding-\${side}\`, \`border-\${side}-width\`]);
  const around = sides.reduce((total, side) => total + (parseFloat(style.getPropertyValue(side)) || 0), 0);
  return { width: parseFloat(style.width), around };
}
function measureLine(leader) {
  const { block, edge, isItem } = leader;
  const { x, y } = positionOf(leader);
  const style = getComputedStyle(block);
  const rects = [...Element.prototype.getClientRects.call(block)];
  const rect = rects.find(({ left: left2, right: right2 }) => left2 <= x && x <= right2) ?? rects[0];
  if (!rect || style.writingMode !== "horizontal-tb") return unmeasured;
  const inner = (side) => parseFloat(style.getPropertyValue(\`border-\${side}-width\`)) + parseFloat(style.getPropertyValue(\`padding-\${side}\`));
  const [left, right] = [rect.left + inner("left"), rect.right - inner("right")];
  const space = style.direction === "rtl" ? x - left : right - x;
  const { width, around } = measureBox(leader);
  const isWrapped = !isItem && edge === "after" && width + around > space + 0.5;
  return { x, y, blockWidth: right - left, isWrapped };
}
function positionOf({ probe }) {
  const { left, top } = probe.getBoundingClientRect();
  return { x: left, y: top };
}
function leadersByLine(leaders, lines) {
  const counts = /* @__PURE__ */ new Map();
  const placeOf = ({ block }, index) => {
    const ofBlock = counts.get(block) ?? /* @__PURE__ */ new Map();
    counts.set(block, ofBlock);
    return { ofBlock, y: Math.round(lines[index]?.y ?? 0), isAlone: lines[index]?.isWrapped !== false };
  };
  for (const [index, leader] of leaders.entries()) {
    const { ofBlock, y, isAlone } = placeOf(leader, index);
    if (!isAlone) ofBlock.set(y, (ofBlock.get(y) ?? 0) + 1);
  }
  return leaders.map((leader, index) => {
    const { ofBlock, y, isAlone } = placeOf(leader, index);
    return isAlone ? 1 : ofBlock.get(y) ?? 1;
  });
}
var unfilled = { minimum: NaN, free: NaN, repeated: NaN, rest: NaN };
function fillAll(leaders, measurements) {
  let chars = 0;
  let short = 0;
  for (const [index, { element, edge, attribute, pattern, isItem }] of leaders.entries()) {
    const { minimum, free, repeated, rest } = measurements[index] ?? unfilled;
    const wanted = free > 0 && repeated > 0 ? 1 + Math.floor((free + tolerancePx) / repeated) : 1;
    const fits = chars + wanted * pattern.length <= maxLeaderChars;
    if (!fits) short++;
    const repeats = fits ? wanted : 1;
    chars += repeats * pattern.length;
    setAttribute(element, attribute, pattern.repeat(repeats));
    if (!(element instanceof HTMLElement) || !Number.isFinite(rest)) continue;
    element.style.setProperty("--colophon-leader-min", \`\${minimum}px\`);
    element.style.setProperty("--colophon-leader-rest", \`\${rest + tolerancePx}px\`);
    setAttribute(element, leaderEdge, \`\${edge} filled \${isItem ? "item" : "line"}\`);
  }
  if (short === 0) return [];
  const limit = maxLeaderChars.toLocaleString("en-US");
  return [\`Left \${counted(short, "leader")} short: the leaders of a document may have at most \${limit} characters.\`];
}

// packages/base/src/text.ts
function shortened(text, maxChars3 = 60) {
  return text.length > maxChars3 ? \`\${text.slice(0, maxChars3).toWellFormed()}\\u2026\` : text;
}

// src/core/rendering/references/page-references.ts
var maxNamedTargets = 5;
function missingTargetWarnings(missing) {
  const named2 = missing.length > maxNamedTargets + 1 ? missing.slice(0, maxNamedTargets) : missing;
  const warnings = named2.map(
    (target) => \`The page reference to "#\${shortened(percentDecoded(target))}" is empty: no printed element has this id.\`
  );
  const others = missing.length - named2.length;
  if (others > 0) warnings.push(\`\${counted(others, "other page reference")} to missing elements are empty too.\`);
  return warnings;
}

// src/page/references/page-numbers.ts
function showPageNumbers(attributes, pages) {
  const missing = /* @__PURE__ */ new Set();
  for (const { name, source, style } of attributes) {
    for (const element of findInDocument(\`[\${name}]\`)) {
      const target = targetName(attributeOf(element, source));
      const page = pages.get(target);
      if (page === void 0) missing.add(target);
      setAttribute(element, name, page === void 0 ? "" : formatCounter(page, style));
    }
  }
  return missingTargetWarnings([...missing]);
}
function targetName(link) {
  return link?.startsWith("#") ? new URL(link, "about:blank").hash.slice(1) : "";
}

// src/page/references/find-uses.ts
var edges = ["after", "before"];
function findUses(pages, leaders, rules) {
  for (const { name } of [...pages, ...leaders]) {
    for (const element of findInDocument(\`[\${name}]\`)) removeAttribute(element, name);
  }
  const withLeaders = leaders.length > 0 ? leaderCandidates(rules) : [];
  const pageCandidates = pages.map((attribute) => ({
    attribute,
    elements: findInDocument(\`[\${attribute.source}^="#"]\`),
    mark: markOf(attribute.name)
  }));
  const leaderCandidatesOf = leaders.map((attribute) => ({
    attribute,
    elements: withLeaders,
    mark: markOf(attribute.name)
  }));
  const candidates = [...pageCandidates, ...leaderCandidatesOf];
  for (const { attribute, elements, mark } of candidates) {
    for (const element of elements) setAttribute(element, attribute.name, mark);
  }
  const contentOf2 = contentReader();
  const found = {
    pageUses: pageCandidates.flatMap((candidate) => pageUses(candidate, contentOf2)),
    leaderUses: leaderCandidatesOf.flatMap((candidate) => leaderUses(candidate, contentOf2))
  };
  for (const { attribute, elements } of candidates) {
    for (const element of elements) removeAttribute(element, attribute.name);
  }
  return found;
}
function markOf(name) {
  return \`\\uF8FF\${name}\\uF8FF\`;
}
function contentReader() {
  const known = { before: /* @__PURE__ */ new Map(), after: /* @__PURE__ */ new Map() };
  return (element, edge) => {
    const content = known[edge].get(element) ?? getComputedStyle(element, \`::\${edge}\`).content;
    known[edge].set(element, content);
    return content;
  };
}
function pageUses({ attribute, elements, mark }, contentOf2) {
  return elements.flatMap((element) => {
    const target = targetName(attributeOf(element, attribute.source));
    const isShown = edges.some((edge) => contentOf2(element, edge).includes(mark)) || displayOf(element).includes("list-item");
    return isShown && target !== "" ? [{ element, attribute: attribute.name, target }] : [];
  });
}
function leaderUses({ attribute, elements, mark }, contentOf2) {
  return elements.flatMap((element) => {
    const edge = edges.find((candidate) => contentOf2(element, candidate).includes(mark));
    return edge ? [{ element, attribute: attribute.name, pattern: attribute.pattern, edge }] : [];
  });
}
function leaderCandidates(rules) {
  const selectors = new Set(leaderSelectors(rules, false));
  return [...new Set([...selectors].flatMap((selector) => findInDocument(selector)))];
}
function leaderSelectors(rules, isNested) {
  return rules.flatMap((rule) => {
    const { style, selectorText, cssRules } = rule;
    const isNesting = isNested || selectorText !== void 0;
    const inside = cssRules ? leaderSelectors([...cssRules], isNesting) : [];
    if (!style?.cssText.includes(leaderPrefix)) return inside;
    const selector = (selectorText ?? "").replace(/::?(?:before|after)\\b/gi, "");
    const isDirect = !isNested && style.content.includes(leaderPrefix) && CSS.supports(\`selector(\${selector})\`);
    return [isDirect ? selector : "body *", ...inside];
  });
}

// src/page/references/collect-references.ts
var maxUses = 1e4;
function collectReferences(input, rules) {
  const attributes = usedAttributes();
  if (attributes.pages.length + attributes.leaders.length === 0) return { targets: [], warnings: [] };
  const { pageUses: pageUses2, leaderUses: leaderUses2 } = findUses(attributes.pages, attributes.leaders, rules);
  checkUses(pageUses2.length + leaderUses2.length);
  for (const { element, attribute } of pageUses2) setAttribute(element, attribute, "");
  insertLeaders(leaderUses2);
  const targets = [...new Set(pageUses2.map(({ target }) => target))];
  if (input.format !== "pdf") {
    const missing = showPageNumbers(attributes.pages, pagesOfBoxes(targets));
    return { targets: [], warnings: [...missing, ...fillLeaders(attributes.leaders, null)] };
  }
  if (targets.length === 0) {
    const warnings = fillLeaders(attributes.leaders, (element) => printWidth(element, input, rules));
    return { targets, warnings };
  }
  showPageNumbers(attributes.pages, estimatedPages(targets, input));
  for (const target of targets) linkTo(target);
  return { targets, warnings: [] };
}
function usedAttributes() {
  return parseAttributeNames(getComputedStyle(rootElement()).getPropertyValue(attributesProperty));
}
function checkUses(uses) {
  if (uses <= maxUses) return;
  throw new TooExpensiveError(
    \`The document has \${uses} page references and leaders; at most \${maxUses} are allowed. Split it into several documents.\`
  );
}
function insertLeaders(uses) {
  if (uses.length === 0) return;
  const style = createElement("style");
  style.textContent = leaderStyles;
  headElement().append(style);
  for (const { element, attribute, pattern, edge } of uses) {
    setAttribute(element, attribute, pattern);
    setAttribute(element, leaderEdge, edge);
  }
}
function estimatedPages(targets, { pageHeight, margin }) {
  const pages = /* @__PURE__ */ new Map();
  const contentHeight = Math.max(1, pageHeight - margin.top - margin.bottom);
  for (const target of targets) {
    const element = elementById(target);
    const top = element && Element.prototype.getBoundingClientRect.call(element).top;
    if (top !== null) pages.set(target, 1 + Math.max(0, Math.floor(top / contentHeight)));
  }
  return pages;
}
function pagesOfBoxes(targets) {
  const boxes = findInDocument("body > .page");
  const pages = /* @__PURE__ */ new Map();
  for (const target of targets) {
    const element = elementById(target);
    const index = boxes.findIndex((box) => Node.prototype.contains.call(box, element));
    if (index >= 0) pages.set(target, index + 1);
  }
  return pages;
}

// packages/base/src/text-direction.ts
var rightToLeftScripts = new Set("Adlm Arab Hebr Mand Nkoo Rohg Samr Syrc Thaa Yezi".split(" "));
function isRightToLeft(tag) {
  const { script } = new Intl.Locale(tag).maximize();
  return script !== void 0 && rightToLeftScripts.has(script);
}

// src/page/replace-content.ts
function replaceContent(head, parsed, kept2) {
  const root = rootElement();
  for (const element of [...head.children]) if (!kept2.includes(element)) element.remove();
  head.append(...parsed.head.childNodes);
  replaceAttributes(root, parsed.documentElement);
  while (head.nextSibling) head.nextSibling.remove();
  root.append(parsed.body);
}
function replaceAttributes(root, parsed) {
  const language = attributeOf(root, "lang") ?? "und";
  for (const { name } of [...root.attributes]) if (name !== "lang") root.removeAttribute(name);
  if (isRightToLeft(language)) root.setAttribute("dir", "rtl");
  for (const { name, value } of parsed.attributes) {
    if (name !== "lang") root.setAttribute(name, value);
  }
}

// src/page/trim-page-ends.ts
function trimPageEnds() {
  for (const box of findInDocument("body > .page")) {
    for (let last = box.lastChild; last && isInvisible(last); last = box.lastChild) last.remove();
  }
}
function isInvisible(node) {
  return node instanceof Element ? /^(br|p)$/i.test(node.tagName) && !node.hasChildNodes() : node instanceof Comment || !node.nodeValue?.trim();
}

// src/page/prepare-page.ts
async function preparePage(input) {
  try {
    return { status: "prepared", prepared: await prepare(input) };
  } catch (error) {
    if (error instanceof TooExpensiveError) return { status: "impossible", message: error.message };
    throw error;
  }
}
async function prepare(input) {
  const isPdf = input.format === "pdf";
  const files = loadFiles(input);
  const { animatedLinks, warnings: contentWarnings2 } = insertContent(input, files);
  forgetFamilies();
  mapFamilies([document]);
  const rules = documentRules();
  if (input.autoHeight) takeInStrayNodes();
  if (isPdf || input.autoHeight) trimPageEnds();
  const body = bodyElement();
  const metadata = describeDocument(input.limits.maxTaggedElements);
  const warnings = metadata.isTagged ? [] : [untaggedWarning];
  const margins = attachMargins(
    input.marginContents.map(({ edge, markup }) => ({ edge, markup: resolveFiles(markup, files) }))
  );
  if (margins.hosts.length > 0) mapFamilies(margins.hosts.map(({ host }) => host));
  const linkWarnings = removeUnsafeLinks([document], animatedLinks + margins.animatedLinks);
  keepRootFamily();
  await layOutFonts(body);
  checkNestedEffects();
  if (isPdf) checkPrintCost(input, rules);
  warnings.push(...await findMissingGlyphs([body], documentFonts()));
  warnings.push(...await prepareImages([document], rules, input));
  warnings.push(...linkWarnings, ...contentWarnings2, ...margins.warnings);
  const sections = input.autoHeight ? tidyPageFiles() : [];
  const hasMargins = isPdf && await measureMargins(margins.hosts, input);
  const autoPages = isPdf && input.autoHeight ? makeAutoPages(sections, rules, input) : null;
  const references = collectReferences(input, rules);
  const { targets } = references;
  warnings.push(...references.warnings);
  if (isPdf) return { autoPages, boxHeights: [], metadata, hasMargins, targets, warnings };
  const boxes = findInDocument("body > .page");
  warnings.push(...clippingWarnings(boxes));
  const boxHeights = boxes.map((box) => box.getBoundingClientRect().height);
  return { autoPages, boxHeights, metadata, hasMargins, targets, warnings };
}
var untaggedWarning = "The document is too long for accessibility tags, so the PDF has none. Split the document to get tagged files.";
function loadFiles({ css, files, styleFiles, commonHeadElements }) {
  const received2 = takeFiles([...files, ...styleFiles]);
  const documentFiles2 = received2.slice(0, files.length);
  keepDocumentFiles(documentFiles2);
  const style = headElement().children[commonHeadElements - 1];
  if (css && style) style.textContent = resolveFiles(css, received2.slice(files.length));
  return documentFiles2;
}
function insertContent({ content, commonHeadElements }, files) {
  const head = headElement();
  const kept2 = [...head.children].slice(0, commonHeadElements);
  const parsedContent = parseContent(\`<!doctype html><html><head>\${resolveFiles(content, files)}\`);
  checkMarkupCost(parsedContent.parsed);
  replaceContent(head, parsedContent.parsed, kept2);
  return parsedContent;
}
async function layOutFonts(body) {
  void body.offsetHeight;
  const isLoading = documentFonts().status === "loading";
  do
    await documentFonts().ready;
  while (documentFonts().status === "loading");
  const selects = isLoading ? findInDocument("select") : [];
  const styles = selects.map((select) => attributeOf(select, "style"));
  for (const select of selects) setAttribute(select, "style", "display:none!important");
  if (selects.length > 0) void body.offsetHeight;
  for (const [index, select] of selects.entries()) {
    const style = styles[index] ?? null;
    if (style === null) removeAttribute(select, "style");
    else setAttribute(select, "style", style);
  }
}
function clippingWarnings(boxes) {
  return [...boxes.entries()].filter(([, box]) => box.scrollHeight > box.clientHeight + 1).map(([index]) => \`Page file \${index + 1} is taller than the requested height, so its content was clipped.\`);
}

// src/page/references/set-page-numbers.ts
function setPageNumbers({ pages, pageWidth, margin }) {
  const attributes = usedAttributes();
  const rules = documentRules();
  const warnings = showPageNumbers(attributes.pages, new Map(pages));
  const widthOf = (element) => printWidth(element, { pageWidth, margin }, rules);
  return { status: "numbered", warnings: [...warnings, ...fillLeaders(attributes.leaders, widthOf)] };
}

// src/page/page-script.ts
var pageScript = {
  addFaces,
  useFaces,
  receiveFiles,
  preparePage,
  setPageHeights,
  setPageNumbers,
  layOutSheets
};
return pageScript;
})()`;
