// Generated from `src/page` by `npm run page:build`. Edit the sources, not this file.

/** A JavaScript expression. Inside a page, its value is the function `preparePage` of `src/page/prepare-page.ts`. */
export const pageScript = `(() => {
"use strict";
// src/core/counted.ts
function counted(count, noun) {
  return \`\${count} \${noun}\${count === 1 ? "" : "s"}\`;
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
function createElementNS(namespace, tag) {
  return Document.prototype.createElementNS.call(document, namespace, tag);
}
function createRange() {
  return Document.prototype.createRange.call(document);
}
function* textNodes(root) {
  const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) yield node;
}
function findInDocument(selector) {
  return findAll(document, selector);
}
function countElements(trees) {
  return trees.reduce((sum, tree) => sum + prototypeOf(tree).querySelectorAll.call(tree, "*").length, 0);
}
function findInTrees(trees, selector) {
  return trees.flatMap((tree) => findAll(tree, selector));
}
function findAll(root, selector) {
  return [...prototypeOf(root).querySelectorAll.call(root, selector)];
}
function prototypeOf(root) {
  if (root instanceof Element) return Element.prototype;
  return root instanceof Document ? Document.prototype : DocumentFragment.prototype;
}
function attributeOf(element, name) {
  return Element.prototype.getAttribute.call(element, name);
}
function removeAttribute(element, name) {
  Element.prototype.removeAttribute.call(element, name);
}
function textOf(node) {
  return String(member(Node.prototype, "textContent", node) ?? "");
}
function flatParentOf(node) {
  const slot = node instanceof Element ? member(Element.prototype, "assignedSlot", node) : node.assignedSlot;
  if (slot instanceof Element) return slot;
  const parent = member(Node.prototype, "parentNode", node);
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}
function childrenOf(element) {
  const children = member(Element.prototype, "children", element);
  return children instanceof HTMLCollection ? [...children] : [];
}
function heightOf(element) {
  return Element.prototype.getBoundingClientRect.call(element).height;
}
function checkVisibility(element) {
  return Element.prototype.checkVisibility.call(element);
}

// src/page/content/attach-shadow-roots.ts
function attachShadowRoots(parsed) {
  const attached = [];
  const trees = [parsed];
  for (let tree = trees.pop(); tree; tree = trees.pop()) {
    for (const template of findInTrees([tree], "template[shadowrootmode]")) {
      const root = template instanceof HTMLTemplateElement ? attachShadowRoot(template) : null;
      if (!root) continue;
      attached.push(root);
      trees.push(root);
    }
  }
  return attached;
}
function attachShadowRoot(template) {
  const mode = attributeOf(template, "shadowrootmode")?.toLowerCase();
  const host = template.parentElement;
  if (!host || mode !== "open" && mode !== "closed") return null;
  try {
    const root = Element.prototype.attachShadow.call(host, { mode: "open" });
    root.append(template.content);
    template.remove();
    return root;
  } catch {
    return null;
  }
}

// src/page/content/parse-content.ts
function parseContent(markup) {
  const parsed = new DOMParser().parseFromString(markup, "text/html");
  const shadowRoots = attachShadowRoots(parsed);
  const trees = withTemplates([parsed, ...shadowRoots]);
  for (const refresh of findInTrees(trees, 'meta[http-equiv="refresh" i]')) refresh.remove();
  const animations = findInTrees(trees, "svg *").filter(isAnimation);
  for (const animation of animations) animation.remove();
  const frames = findInTrees(trees, "iframe[srcdoc]");
  for (const frame of frames) removeAttribute(frame, "srcdoc");
  const animatedLinks = animations.filter(setsLink).length;
  const warnings = contentWarnings(animations.length - animatedLinks, frames.length);
  return { parsed, shadowRoots, animatedLinks, warnings };
}
function withTemplates(trees) {
  const found = [...trees];
  for (const tree of found) {
    for (const template of findInTrees([tree], "template")) {
      if (template instanceof HTMLTemplateElement) found.push(template.content);
    }
  }
  return found;
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

// src/page/cost/too-expensive.ts
var TooExpensiveError = class extends Error {
};

// src/page/cost/markup-cost.ts
var maxElements = 3e5;
var maxDrawnSvgElements = 3e5;
function checkMarkupCost(trees) {
  const elements = countElements(trees);
  if (elements > maxElements) {
    throw new TooExpensiveError(
      \`The document has \${elements} elements; at most \${maxElements} are allowed. Split it into several documents.\`
    );
  }
  const drawings = findInTrees(trees, "svg");
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
function checkNestedEffects(shadowRoots) {
  const deepElements = findInDocument(\`\${"* > ".repeat(maxNestedEffects)}*\`);
  for (const root of shadowRoots) deepElements.push(...findAll(root, "*"));
  const known = /* @__PURE__ */ new Map();
  const effectsAround = (element) => {
    const count = known.get(element);
    if (count !== void 0) return count;
    const parent = flatParentOf(element);
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
var charsPerElement = 80;
var maxPages = 500;
var maxHeightPx = 1e7;
function estimatePrint({ pageHeight, margin }, trees, rules) {
  const body = bodyElement();
  const heightPx = body.scrollHeight;
  if (heightPx > maxHeightPx) {
    throw new TooExpensiveError(\`The document has more than \${maxPages} pages. Split it into several documents.\`);
  }
  const pageContentPx = Math.max(1, pageHeight - margin.top - margin.bottom);
  const repeated = repeatedElements(pageContentPx, trees, rules);
  if (repeated > maxRepeatedElements) {
    throw new TooExpensiveError(
      \`Table headers, table footers and fixed boxes are repeated on each page, which would draw about \${Math.round(repeated)} elements; at most \${maxRepeatedElements} are allowed. Use fewer elements in them, or split the document.\`
    );
  }
  return { elements: countElements(trees), pages: pagesOf(heightPx, pageContentPx) };
}
function pagesOf(heightPx, pageContentPx) {
  return Math.min(maxPages + 1, Math.ceil(2 * heightPx / pageContentPx));
}
function repeatedElements(pageContentPx, trees, rules) {
  let sum = 0;
  for (const element of repeatingElements(trees, rules)) {
    const isFixed = getComputedStyle(element).position === "fixed";
    const container = (isFixed ? null : flatParentOf(element)) ?? bodyElement();
    const weight = 1 + findAll(element, "*").length + textOf(element).length / charsPerElement;
    sum += weight * pagesOf(heightOf(container), pageContentPx);
  }
  return sum;
}
function repeatingElements(trees, rules) {
  const stylesMayRepeat = rules.some(mayRepeat) || findInTrees(trees, '[style*="fixed" i], [style*="-group" i], [style*="\\\\\\\\"]').length > 0;
  if (!stylesMayRepeat) return findInTrees(trees, "thead, tfoot");
  return findInTrees(trees, "*").filter((element) => isRepeated(getComputedStyle(element)));
}
function mayRepeat(rule) {
  const { style, cssRules } = rule;
  if (style && (/fixed|\\(/.test(style.position) || /-group|\\(/.test(style.display))) return true;
  return cssRules ? [...cssRules].some(mayRepeat) : false;
}
function isRepeated({ position, display }) {
  return position === "fixed" || display === "table-header-group" || display === "table-footer-group";
}

// src/page/describe-document.ts
var maxTextChars = 500;
function describeDocument(shadowRoots, maxTaggedElements) {
  const [head, body] = [headElement(), bodyElement()];
  useOwnTitle(head, body);
  const elements = body.getElementsByTagName("*").length + findInTrees(shadowRoots, "*").length;
  const isMarked = maxTaggedElements !== null;
  const marker = destinationMarker(head);
  return {
    author: metaContent(body, "author"),
    subject: metaContent(body, "description"),
    keywords: metaContent(body, "keywords"),
    isTagged: !isMarked || elements <= maxTaggedElements,
    outline: isMarked ? markHeadings(body, marker) : [],
    sections: isMarked ? markSections(body, marker) : []
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
function markHeadings(body, mark) {
  return findAll(body, headingSelector).map((element) => ({ element, text: headingText(element) })).filter(({ element, text }) => text !== "" && isLaidOut(element)).map(({ element, text }) => ({ level: Number(element.tagName.slice(1)), text, name: mark(element) }));
}
function markSections(body, mark) {
  const starts = new Set(findAll(body, "h1,[data-section]"));
  for (const element of findAll(body, "[data-section]")) {
    const [first] = findAll(element, "h1,[data-section]");
    if (first && attributeOf(first, "data-section") === null) starts.delete(first);
  }
  return [...starts].flatMap((element) => {
    const laidOut = [element, ...findAll(element, "*")].find(isLaidOut);
    return laidOut ? { title: sectionTitle(element), name: mark(laidOut) } : [];
  });
}
function sectionTitle(element) {
  const title = plain(attributeOf(element, "data-section"));
  if (title !== "") return title;
  const heading = /^h[1-6]$/i.test(element.tagName) ? element : findAll(element, headingSelector)[0];
  return heading ? headingText(heading) : "";
}
function headingText(heading) {
  return plain(textOf(heading));
}
function isLaidOut(element) {
  return Element.prototype.getClientRects.call(element).length > 0;
}
function destinationMarker(head) {
  const names = /* @__PURE__ */ new Map();
  let count = 0;
  return (element) => {
    const known = names.get(element);
    if (known !== void 0) return known;
    const link = createElement("a");
    link.setAttribute("href", \`#\${encodeURIComponent(targetId(element, \`colophon-mark-\${count++}\`))}\`);
    head.append(link);
    const name = link.hash.slice(1);
    names.set(element, name);
    return name;
  };
}
function targetId(element, newId) {
  const id = attributeOf(element, "id") ?? "";
  if (id !== "" && Document.prototype.getElementById.call(document, id) === element) return id;
  const target = id === "" ? element : createElement("span");
  Element.prototype.setAttribute.call(target, "id", newId);
  if (target !== element) Element.prototype.prepend.call(element, target);
  return newId;
}
function plain(text) {
  return (text ?? "").replace(/\\s+/g, " ").trim().slice(0, maxTextChars);
}

// src/page/fonts/glyph-probe.ts
var measuredPx = 4;
var pictureSizePx = 16;
var noncharacter = "\\u{10FFFF}";
async function glyphProbe(fonts) {
  await fonts.load("4px colophon-every-character");
  const canvas = new OffscreenCanvas(3 * pictureSizePx, 1.5 * pictureSizePx);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const draw = (text) => {
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.fillText(text, 0, pictureSizePx);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const boxes = /* @__PURE__ */ new Map();
  const boxesOf = (length) => {
    const text = noncharacter.repeat(length);
    const box = boxes.get(length) ?? { width: context.measureText(text).width, pixels: draw(text) };
    boxes.set(length, box);
    return box;
  };
  return {
    selectFonts(font) {
      context.font = \`\${font},colophon-every-character\`;
    },
    isUnlisted: (text) => context.measureText(text).width > 4e3 * measuredPx,
    isInSystem(text) {
      context.font = \`\${pictureSizePx}px colophon-no-font\`;
      const box = boxesOf(Array.from(text).length);
      if (context.measureText(text).width !== box.width) return true;
      return draw(text).some((value, index) => value !== box.pixels[index]);
    }
  };
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
      const element = pattern.test(node.data) && hasBoxes(node) ? flatParentOf(node) : null;
      if (element && isVisible(element) && !hidesContent(element))
        yield { text: node.data, style: getComputedStyle(element) };
    }
    for (const { text, element, pseudoElement } of controlTexts(root)) {
      if (pattern.test(text) && isVisible(element)) yield { text, style: getComputedStyle(element, pseudoElement) };
    }
  }
}
function hasBoxes(node) {
  const range = createRange();
  range.selectNode(node);
  return range.getClientRects().length > 0;
}
function hidesContent(element) {
  const isClosed = element instanceof HTMLDetailsElement && !element.open;
  return isClosed || getComputedStyle(element).contentVisibility === "hidden";
}
function isVisible(element) {
  if (getComputedStyle(element).visibility !== "visible") return false;
  let box = element;
  while (box && getComputedStyle(box).display === "contents") box = flatParentOf(box);
  return box !== null && checkVisibility(box);
}
function* controlTexts(root) {
  for (const element of findAll(root, "input, textarea, select, img[alt]")) {
    if (element instanceof HTMLInputElement) yield* inputTexts(element);
    else if (element instanceof HTMLTextAreaElement) yield* fieldTexts(element, element.value);
    else if (element instanceof HTMLSelectElement) yield* optionTexts(element);
    else if (element instanceof HTMLImageElement && element.naturalWidth === 0) yield { text: element.alt, element };
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
    for (const part of suspects.parts) if (!missing.has(part) && !probe.isInSystem(part)) missing.add(part);
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
  const parts = unlisted.slice(0, maxSuspects).flatMap((unit) => {
    const characters = Array.from(unit).filter((character) => uncommon.test(character) && probe.isUnlisted(character));
    return characters.length > 0 ? characters : unit;
  });
  return { parts: new Set(parts), isTruncated: unlisted.length > maxSuspects };
}
function warningsFor(missing, isTruncated) {
  const named = missing.slice(0, maxNamed).map((part) => \`No font has a glyph for "\${part}" (\${codePoints(part)}), so it is drawn as a box.\`);
  const more = missing.length - named.length;
  if (more === 0) return named;
  const others = \`\${isTruncated ? "at least " : ""}\${counted(more, "other character")}\`;
  return [...named, \`No font has a glyph for \${others} either.\`];
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
  return decoded.filter((isDecoded) => !isDecoded).length;
}

// src/page/images/image-shrinker.ts
var jpegQuality = 0.92;
function imageShrinker(maxWidthPx) {
  const redrawn = /* @__PURE__ */ new Map();
  return {
    isTooWide: (image) => !isVector(image.currentSrc) && image.naturalWidth > maxWidthPx,
    shrink(image) {
      const density = maxWidthPx / image.naturalWidth;
      const uri = redrawn.get(image.currentSrc) ?? redraw(image, maxWidthPx);
      redrawn.set(image.currentSrc, uri);
      return { uri, density };
    }
  };
}
function isVector(uri) {
  return /^data:image\\/svg/i.test(uri);
}
function redraw(image, widthPx) {
  const canvas = createElement("canvas");
  canvas.width = widthPx;
  canvas.height = Math.max(1, Math.round(image.naturalHeight * (widthPx / image.naturalWidth)));
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const isJpeg = /^data:image\\/jpe?g/i.test(image.currentSrc);
  return isJpeg ? canvas.toDataURL("image/jpeg", jpegQuality) : canvas.toDataURL("image/png");
}

// src/page/images/shrink-backgrounds.ts
async function shrinkBackgrounds(trees, rules, shrinker) {
  const replacements = /* @__PURE__ */ new Map();
  const replacementOf = async (uri) => {
    const replacement = replacements.get(uri) ?? await cssImage(uri, shrinker);
    replacements.set(uri, replacement);
    return replacement;
  };
  const inline = findInTrees(trees, '[style*="url("]');
  for (const rule of rules) if (rule instanceof CSSStyleRule) await replaceBackgrounds(rule.style, replacementOf);
  for (const element of inline) {
    if (element instanceof HTMLElement) await replaceBackgrounds(element.style, replacementOf);
  }
}
async function cssImage(uri, shrinker) {
  const image = new Image();
  image.src = uri;
  if (!await isDecodable(image) || !shrinker.isTooWide(image)) return \`url("\${uri}")\`;
  const shrunk = shrinker.shrink(image);
  return \`image-set(url("\${shrunk.uri}") \${shrunk.density}x)\`;
}
async function replaceBackgrounds(style, replacementOf) {
  const original = style.backgroundImage;
  let replaced = original;
  for (const [url, uri = ""] of original.matchAll(/url\\("(data:image\\/(?!svg)[^"]*)"\\)/gi)) {
    const replacement = await replacementOf(uri);
    replaced = replaced.replace(url, () => replacement);
  }
  if (replaced === original) return;
  style.setProperty("background-image", replaced, style.getPropertyPriority("background-image"));
}

// src/page/images/prepare-images.ts
async function prepareImages(trees, rules, { maxImagePixels, maxImageWidthPx }) {
  const images = inlinedImages(trees);
  const shrinker = imageShrinker(maxImageWidthPx ?? Infinity);
  const shown = [];
  for (const image of images) {
    if (isOversized(image, maxImagePixels)) {
      image.removeAttribute("srcset");
      image.removeAttribute("src");
      continue;
    }
    shown.push(image);
    if (shrinker.isTooWide(image) && await isDecodable(image)) setSource(image, shrinker.shrink(image));
  }
  if (maxImageWidthPx !== null) await shrinkBackgrounds(trees, rules, shrinker);
  const oversized = images.length - shown.length;
  const undecodable = await decodeImages(shown);
  const megapixels = \`\${maxImagePixels / 1e6} megapixels\`;
  const warnings = [];
  if (oversized > 0)
    warnings.push(\`Left \${counted(oversized, "image")} empty: an image may have at most \${megapixels}.\`);
  if (undecodable > 0) warnings.push(\`Left \${counted(undecodable, "image")} empty: decoding failed.\`);
  return warnings;
}
function inlinedImages(trees) {
  const images = findInTrees(trees, "img");
  return images.filter((image) => /^data:/i.test(attributeOf(image, "src") ?? ""));
}
function isOversized(image, maxPixels) {
  return !isVector(image.currentSrc) && image.naturalWidth * image.naturalHeight > maxPixels;
}
function setSource(image, { uri, density }) {
  for (const other of image.closest("picture")?.querySelectorAll("source") ?? []) other.remove();
  image.srcset = \`\${uri} \${density}x\`;
  image.removeAttribute("src");
}

// src/page/margins/counter-boxes.ts
var counters = ".pageNumber, .totalPages";
function counterBoxes(edge, host, edgeHeight, input) {
  const hostRect = host.getBoundingClientRect();
  const blocks = counterBlocks(host);
  const boxes = blocks.slice(0, 2).map((block, index) => {
    const box = textBox(block, host, hostRect);
    hideText(block);
    const side = index === 0 ? "right" : "left";
    return boxRule(edge, side, box, placement(edge, side, box.rect, edgeHeight, input));
  });
  const warnings = blocks.length > 2 ? [\`The \${edge} has \${blocks.length} blocks with page numbers, but only the first two are shown.\`] : [];
  return { boxes, warnings };
}
function counterBlocks(host) {
  const blocks = /* @__PURE__ */ new Set();
  for (const counter of findAll(host, counters)) {
    let block = counter;
    while (block !== host && getComputedStyle(block).display === "inline") block = block.parentElement;
    blocks.add(block);
  }
  return [...blocks];
}
function textBox(block, host, hostRect) {
  const style = getComputedStyle(block);
  const range = createRange();
  range.selectNodeContents(block);
  const text = range.getBoundingClientRect();
  const outer = block.getBoundingClientRect();
  const parent = (block === host ? block : block.parentElement).getBoundingClientRect();
  const innerLeft = outer.left + parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft);
  const innerRight = outer.right - parseFloat(style.borderRightWidth) - parseFloat(style.paddingRight);
  const slackLeft = text.left - innerLeft;
  const slackRight = innerRight - text.right;
  const fits = slackLeft < 1 && slackRight < 1;
  const align = fits ? Math.abs(outer.right - parent.right) < 40 && outer.left - parent.left > 40 ? "right" : "left" : Math.abs(slackLeft - slackRight) < 1.5 ? "center" : slackLeft > slackRight ? "right" : "left";
  const rect = {
    x: innerLeft - hostRect.left,
    y: text.top - hostRect.top,
    width: innerRight - innerLeft,
    height: text.height
  };
  return { rect, align, content: cssContent(block), style };
}
function cssContent(block) {
  const content = [];
  for (const node of textNodes(block)) {
    const counter = node.parentElement?.closest(counters);
    if (counter?.classList.contains("pageNumber")) content.push("counter(page)");
    else if (counter) content.push("counter(pages)");
    else content.push(cssString(node.nodeValue ?? ""));
  }
  return content.join(" ");
}
function cssString(text) {
  return \`"\${text.replace(/[\\\\"]/g, "\\\\$&").replace(/\\s+/g, " ")}"\`;
}
function hideText(block) {
  const wrapper = createElement("span");
  wrapper.style.visibility = "hidden";
  wrapper.append(...block.childNodes);
  block.append(wrapper);
}
function placement(edge, side, rect, edgeHeight, input) {
  const { left, right } = input.margin;
  const fromBottom = edgeHeight - rect.y - rect.height;
  const down = edge === "header" ? \`margin-top:\${rect.y}px;margin-bottom:auto\` : \`margin-top:auto;margin-bottom:\${fromBottom}px\`;
  const fromRight = input.pageWidth - right - rect.x - rect.width;
  return side === "left" ? \`margin-left:\${rect.x - left}px;margin-right:auto;\${down}\` : \`margin-left:auto;margin-right:\${fromRight}px;\${down}\`;
}
function boxRule(edge, side, { rect, align, content, style }, placed) {
  return \`@\${edge === "header" ? "top" : "bottom"}-\${side}{content:\${content};width:\${rect.width}px;height:\${rect.height}px;\${placed};vertical-align:top;text-align:\${align};white-space:nowrap;\${fontOf(style)};line-height:\${rect.height}px;color:\${style.color};letter-spacing:\${style.letterSpacing};font-variant-numeric:\${style.fontVariantNumeric};text-transform:\${style.textTransform}}\`;
}
function fontOf(style) {
  return \`font-family:\${style.fontFamily};font-size:\${style.fontSize};font-weight:\${style.fontWeight};font-style:\${style.fontStyle};font-stretch:\${style.fontStretch};font-feature-settings:\${style.fontFeatureSettings}\`;
}

// src/page/margins/margin-picture.ts
function marginPicture(host, widthPx, heightPx, rules) {
  const svgNamespace = "http://www.w3.org/2000/svg";
  const svg = createElementNS(svgNamespace, "svg");
  const style = createElementNS(svgNamespace, "style");
  const foreign = createElementNS(svgNamespace, "foreignObject");
  for (const box of [svg, foreign]) {
    box.setAttribute("width", String(widthPx));
    box.setAttribute("height", String(heightPx));
  }
  style.textContent = stylesFor(host, rules);
  const root = createElementNS("http://www.w3.org/1999/xhtml", "body");
  root.append(host.cloneNode(true));
  foreign.append(root);
  svg.append(style, foreign);
  return \`data:image/svg+xml,\${encodeURIComponent(new XMLSerializer().serializeToString(svg))}\`;
}
function stylesFor(host, rules) {
  const families = familiesIn(host);
  const characters = new Set(Array.from(host.textContent ?? "", (character) => character.codePointAt(0) ?? 0));
  const isNeeded = ({ style }) => families.has(style.getPropertyValue("font-family").replace(/["']/g, "")) && covers(style.getPropertyValue("unicode-range"), characters);
  return rules.filter((rule) => !(rule instanceof CSSPageRule) && (!(rule instanceof CSSFontFaceRule) || isNeeded(rule))).map((rule) => rule.cssText).join("\\n");
}
function familiesIn(host) {
  const families = /* @__PURE__ */ new Set();
  for (const element of [host, ...findAll(host, "*")]) {
    for (const family of getComputedStyle(element).fontFamily.split(",")) {
      families.add(family.trim().replace(/["']/g, ""));
    }
  }
  return families;
}
function covers(ranges, characters) {
  if (ranges === "") return true;
  return ranges.split(",").some((range) => {
    const [from = "", to = from] = range.trim().replace(/^U\\+/i, "").split("-");
    const [low, high] = [parseInt(from.replaceAll("?", "0"), 16), parseInt(to.replaceAll("?", "F"), 16)];
    return [...characters].some((character) => character >= low && character <= high);
  });
}

// src/page/margins/margin-style.ts
var memory = window;
var marginsKey = /* @__PURE__ */ Symbol.for("colophon margins");
function keptMarginStyle() {
  const style = memory[marginsKey];
  return style?.isConnected ? style : null;
}
function insertMarginStyle(rules) {
  memory[marginsKey]?.remove();
  const style = createElement("style");
  style.textContent = rules;
  memory[marginsKey] = style;
  headElement().append(style);
}

// src/page/margins/apply-margins.ts
async function applyMargins(margins, input, rules) {
  const made = margins.map((margin) => marginRule(margin, input, rules));
  for (const { host } of margins) host.remove();
  const styles = made.map(({ rule }) => rule).join("\\n");
  if (keptMarginStyle()?.textContent !== styles) {
    await decodeImages(made.flatMap(({ image }) => image ?? []));
    insertMarginStyle(styles);
  }
  return made.flatMap(({ warnings }) => warnings);
}
function marginRule({ edge, selector, host }, input, rules) {
  const vertical = edge === "header" ? "top" : "bottom";
  const isEmpty = !host.textContent?.trim() && findAll(host, "img, svg").length === 0;
  if (isEmpty) {
    const none = ["left", "center", "right"].map((side) => \`@\${vertical}-\${side}{content:none}\`);
    return { rule: \`@page \${selector}{\${none.join("")}}\`, image: null, warnings: [] };
  }
  const height = Math.ceil(host.getBoundingClientRect().height);
  const counters2 = counterBoxes(edge, host, height, input);
  const image = new Image();
  image.src = marginPicture(host, input.pageWidth, height, rules);
  const { top, right, bottom, left } = input.margin;
  const available = edge === "header" ? top : bottom;
  const reserve = height > available ? \`margin-\${vertical}:\${height}px;\` : "";
  const across = edge === "header" ? \`0 \${-right}px auto \${-left}px\` : \`auto \${-right}px 0 \${-left}px\`;
  const box = \`width:\${input.pageWidth}px;height:\${height}px;margin:\${across};vertical-align:\${vertical};text-align:left\`;
  const boxes = \`@\${vertical}-center{content:url("\${image.src}");\${box}}\${counters2.boxes.join("")}\`;
  return { rule: \`@page \${selector}{\${reserve}\${boxes}}\`, image, warnings: counters2.warnings };
}

// src/page/margins/lay-out-margins.ts
function layOutMargins() {
  return [...marginsOf("header"), ...marginsOf("footer")];
}
function marginsOf(edge) {
  const content = templateContent(\`colophon-\${edge}\`);
  if (!content) return [];
  const later = { edge, selector: "", host: layOut(edge, content, ".first-page") };
  if (findAll(content, ".first-page, .later-pages").length === 0) return [later];
  return [later, { edge, selector: ":first", host: layOut(edge, content, ".later-pages") }];
}
function templateContent(id) {
  const template = findInDocument("head > template").find((candidate) => attributeOf(candidate, "id") === id);
  return template instanceof HTMLTemplateElement ? template.content : null;
}
function layOut(edge, content, hidden) {
  const host = createElement("div");
  host.className = \`page-\${edge}\`;
  host.style.cssText = "position:absolute;left:0;top:0";
  host.append(content.cloneNode(true));
  for (const element of findAll(host, hidden)) element.remove();
  for (const counter of findAll(host, ".pageNumber, .totalPages")) counter.textContent = "00";
  bodyElement().append(host);
  return host;
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

// src/page/replace-content.ts
function replaceContent(head, parsed, kept) {
  const root = rootElement();
  for (const element of [...head.children]) if (!kept.includes(element)) element.remove();
  head.append(...parsed.head.childNodes);
  for (const { name } of [...root.attributes]) if (name !== "lang") root.removeAttribute(name);
  for (const { name, value } of parsed.documentElement.attributes) {
    if (name !== "lang") root.setAttribute(name, value);
  }
  while (head.nextSibling) head.nextSibling.remove();
  root.append(parsed.body);
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
  const { shadowRoots, animatedLinks, warnings: contentWarnings2 } = insertContent(input);
  const trees = [document, ...shadowRoots];
  const rules = styleRules(documentStyleSheets());
  const shadowRules = shadowRoots.flatMap(({ styleSheets }) => styleRules(styleSheets));
  const linkWarnings = removeUnsafeLinks(trees, animatedLinks);
  if (isPdf) trimPageEnds();
  const body = bodyElement();
  const metadata = describeDocument(shadowRoots, input.limits.maxTaggedElements);
  const warnings = metadata.isTagged ? [] : [untaggedWarning];
  const margins = isPdf ? layOutMargins() : [];
  await layOutFonts(body);
  checkNestedEffects(shadowRoots);
  const print = isPdf ? estimatePrint(input, trees, [...rules, ...shadowRules]) : null;
  warnings.push(...await findMissingGlyphs([body, ...shadowRoots], documentFonts()));
  warnings.push(...await prepareImages(trees, [...rules, ...shadowRules], input.limits));
  warnings.push(...linkWarnings, ...contentWarnings2);
  if (isPdf) {
    warnings.push(...await applyMargins(margins, input, rules));
    return { print, boxHeights: [], metadata, warnings };
  }
  const boxes = findInDocument("body > .page");
  warnings.push(...clippingWarnings(boxes));
  return { print, boxHeights: boxes.map((box) => box.getBoundingClientRect().height), metadata, warnings };
}
var untaggedWarning = "The document is too long for accessibility tags, so the PDF has none. Split the document to get tagged files.";
function insertContent({ content, commonHeadElements }) {
  const head = headElement();
  const kept = [...head.children].slice(0, commonHeadElements);
  const marginStyle = keptMarginStyle();
  if (marginStyle) kept.push(marginStyle);
  const parsedContent = parseContent(\`<!doctype html><html><head>\${content}\`);
  checkMarkupCost([parsedContent.parsed, ...parsedContent.shadowRoots]);
  replaceContent(head, parsedContent.parsed, kept);
  return parsedContent;
}
function styleRules(sheets) {
  return [...sheets].filter(({ href }) => href === null).flatMap((sheet) => [...sheet.cssRules]);
}
async function layOutFonts(body) {
  void body.offsetHeight;
  await documentFonts().ready;
}
function clippingWarnings(boxes) {
  return [...boxes.entries()].filter(([, box]) => box.scrollHeight > box.clientHeight + 1).map(([index]) => \`Page file \${index + 1} is taller than the requested height, so its content was clipped.\`);
}
return preparePage;
})()`;
