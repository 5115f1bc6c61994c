// Made from src/page by `npm run page:build`; edit the sources there.

/** Evaluates, inside a page, to the function `preparePage` of `src/page/prepare-page.ts`. */
export const pageScript = `(() => {
"use strict";
// src/page/describe-document.ts
function describeDocument(head, body, maxTaggedElements) {
  const maxTextChars = 500;
  const plain = (text) => (text ?? "").replace(/\\s+/g, " ").trim().slice(0, maxTextChars);
  const create = (tag) => Document.prototype.createElement.call(document, tag);
  const find = (root, selector) => [...Element.prototype.querySelectorAll.call(root, selector)];
  const metaOf = (name) => {
    const named = find(body, "meta[name][content]").find((meta) => meta.getAttribute("name")?.toLowerCase() === name);
    return plain(named?.getAttribute("content"));
  };
  const ownTitle = plain(find(body, "title").find((title2) => title2 instanceof HTMLTitleElement)?.textContent);
  const title = find(head, "title")[0];
  if (ownTitle !== "" && title) title.textContent = ownTitle;
  const markHeadings = () => {
    const headings = find(body, "h1,h2,h3,h4,h5,h6").map((element) => ({ element, text: plain(element.textContent) })).filter(({ element, text }) => text !== "" && element.getClientRects().length > 0);
    return headings.map(({ element, text }, index) => {
      const name = \`colophon-heading-\${index}\`;
      const marker = element.id === "" ? element : create("span");
      marker.id = name;
      if (marker !== element) element.prepend(marker);
      const link = create("a");
      link.setAttribute("href", \`#\${name}\`);
      head.append(link);
      return { level: Number(element.tagName.slice(1)), text, name };
    });
  };
  const isTagged = maxTaggedElements === null || body.getElementsByTagName("*").length <= maxTaggedElements;
  return {
    author: metaOf("author"),
    subject: metaOf("description"),
    keywords: metaOf("keywords"),
    isTagged,
    outline: isTagged ? [] : markHeadings()
  };
}

// src/page/find-missing-glyphs.ts
async function findMissingGlyphs(root, fonts) {
  const common = "\\\\t-\\\\r\\\\x20-\\\\x7e\\\\xa0-\\\\u0131\\\\u2013\\\\u2014\\\\u2018-\\\\u201e\\\\u2020-\\\\u2022\\\\u2026\\\\u2030\\\\u2039\\\\u203a\\\\u20ac\\\\u2122\\\\u2212";
  const drawn = new RegExp(\`[^\${common}\\\\p{Default_Ignorable_Code_Point}\\\\p{White_Space}\\\\p{Cc}\\\\p{Cf}]\`, "u");
  const textOf = Object.getOwnPropertyDescriptor(Node.prototype, "textContent")?.get;
  if (!drawn.test(textOf.call(root))) return [];
  await fonts.load("4px colophon-every-character");
  const units = /\\P{Grapheme_Extend}\\p{Grapheme_Extend}*/gu;
  const maxSuspects = 1e3;
  const measuredPx = 4;
  const isWide = (text) => context.measureText(text).width > 4e3 * measuredPx;
  const collect = () => {
    const unitsOf = /* @__PURE__ */ new Map();
    const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.nodeValue ?? "";
      if (!parent || !drawn.test(text) || parent.closest("style,script,title,template")) continue;
      const { fontStyle, fontWeight, fontFamily, visibility } = getComputedStyle(parent);
      if (visibility !== "visible" || !parent.checkVisibility()) continue;
      const font = \`\${fontStyle} \${fontWeight} \${measuredPx}px \${fontFamily}\`;
      const known = unitsOf.get(font) ?? /* @__PURE__ */ new Set();
      unitsOf.set(font, known);
      for (const [unit] of text.matchAll(units)) known.add(unit);
    }
    return unitsOf;
  };
  const sizePx = 16;
  const canvas = new OffscreenCanvas(3 * sizePx, 1.5 * sizePx);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const picture = (text) => {
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.fillText(text, 0, sizePx);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const boxes = /* @__PURE__ */ new Map();
  const boxesOf = (length) => {
    const text = "\\u{10FFFF}".repeat(length);
    const box = boxes.get(length) ?? { width: context.measureText(text).width, pixels: picture(text) };
    boxes.set(length, box);
    return box;
  };
  const isInSystem = (unit) => {
    context.font = \`\${sizePx}px colophon-no-font\`;
    const box = boxesOf(Array.from(unit).length);
    if (context.measureText(unit).width !== box.width) return true;
    return picture(unit).some((value, index) => value !== box.pixels[index]);
  };
  let isCut = false;
  const missing = /* @__PURE__ */ new Set();
  const examine = (font, found) => {
    const candidates = [...found].filter((unit) => drawn.test(unit));
    context.font = \`\${font},colophon-every-character\`;
    if (!isWide(candidates.join(" "))) return;
    const wideUnits = candidates.filter(isWide);
    const suspects = wideUnits.slice(0, maxSuspects);
    isCut ||= wideUnits.length > maxSuspects;
    const parts = suspects.flatMap((unit) => {
      const wide = Array.from(unit).filter((character) => drawn.test(character) && isWide(character));
      return wide.length > 0 ? wide : unit;
    });
    for (const part of new Set(parts)) if (!missing.has(part) && !isInSystem(part)) missing.add(part);
  };
  for (const [font, found] of collect()) examine(font, found);
  const named = [...missing].slice(0, 10).map((part) => {
    const codes = Array.from(part, (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
      return \`U+\${code.padStart(4, "0")}\`;
    });
    return \`No font has a glyph for "\${part}" (\${codes.join(" ")}); it is drawn as a box.\`;
  });
  if (missing.size > named.length) {
    const count = \`\${isCut ? "at least " : ""}\${missing.size - named.length}\`;
    named.push(\`No font has a glyph for \${count} more characters; they are drawn as boxes.\`);
  }
  return named;
}

// src/page/fit-images.ts
async function fitImages(images, rules, { maxImagePixels, maxImageWidthPx }) {
  const jpegQuality = 0.92;
  const maxWidthPx = maxImageWidthPx ?? Infinity;
  const isVector = (uri) => /^data:image\\/svg/i.test(uri);
  const isTooWide = (image) => !isVector(image.currentSrc) && image.naturalWidth > maxWidthPx;
  const isBomb = (image) => !isVector(image.currentSrc) && image.naturalWidth * image.naturalHeight > maxImagePixels;
  const isDecoded = (image) => image.decode().then(
    () => true,
    () => false
  );
  const densityOf = (image) => maxWidthPx / image.naturalWidth;
  const redrawn = /* @__PURE__ */ new Map();
  const redraw = (image) => {
    const { currentSrc: uri } = image;
    const known = redrawn.get(uri);
    if (known !== void 0) return known;
    const canvas = Document.prototype.createElement.call(document, "canvas");
    canvas.width = maxWidthPx;
    canvas.height = Math.max(1, Math.round(image.naturalHeight * densityOf(image)));
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const isJpeg = /^data:image\\/jpe?g/i.test(uri);
    const smaller = isJpeg ? canvas.toDataURL("image/jpeg", jpegQuality) : canvas.toDataURL("image/png");
    redrawn.set(uri, smaller);
    return smaller;
  };
  const replaceSource = (image) => {
    const source = \`\${redraw(image)} \${densityOf(image)}x\`;
    for (const other of image.closest("picture")?.querySelectorAll("source") ?? []) other.remove();
    image.srcset = source;
    image.removeAttribute("src");
  };
  const backgrounds = /* @__PURE__ */ new Map();
  const fittedBackground = async (uri) => {
    const known = backgrounds.get(uri);
    if (known !== void 0) return known;
    const image = new Image();
    image.src = uri;
    const isRedrawn = await isDecoded(image) && isTooWide(image);
    const fitted = isRedrawn ? \`image-set(url("\${redraw(image)}") \${densityOf(image)}x)\` : \`url("\${uri}")\`;
    backgrounds.set(uri, fitted);
    return fitted;
  };
  const fitBackgrounds = async (style) => {
    const given = style.backgroundImage;
    let fitted = given;
    for (const [url, uri = ""] of given.matchAll(/url\\("(data:image\\/(?!svg)[^"]*)"\\)/gi)) {
      const replacement = await fittedBackground(uri);
      fitted = fitted.replace(url, () => replacement);
    }
    if (fitted === given) return;
    style.setProperty("background-image", fitted, style.getPropertyPriority("background-image"));
  };
  const shown = [];
  for (const image of images) {
    if (isBomb(image)) {
      image.removeAttribute("srcset");
      image.removeAttribute("src");
      continue;
    }
    shown.push(image);
    if (isTooWide(image) && await isDecoded(image)) replaceSource(image);
  }
  if (maxImageWidthPx !== null) {
    const inline = Document.prototype.querySelectorAll.call(document, '[style*="url("]');
    for (const rule of rules) if (rule instanceof CSSStyleRule) await fitBackgrounds(rule.style);
    for (const element of inline) if (element instanceof HTMLElement) await fitBackgrounds(element.style);
  }
  const leftOut = images.length - shown.length;
  const warnings = leftOut > 0 ? [\`Images with too many pixels, which were left empty: \${leftOut}.\`] : [];
  return { shown, warnings };
}

// src/page/replace-content.ts
function replaceContent(root, head, markup, kept) {
  const parsed = Document.parseHTMLUnsafe(\`<!doctype html><html><head>\${markup}\`);
  for (const refresh of parsed.querySelectorAll('meta[http-equiv="refresh" i]')) refresh.remove();
  for (const element of [...head.children]) if (!kept.includes(element)) element.remove();
  head.append(...parsed.head.childNodes);
  for (const { name } of [...root.attributes]) if (name !== "lang") root.removeAttribute(name);
  for (const { name, value } of parsed.documentElement.attributes) {
    if (name !== "lang") root.setAttribute(name, value);
  }
  while (head.nextSibling) head.nextSibling.remove();
  root.append(parsed.body);
}

// src/page/prepare-page.ts
async function preparePage(input) {
  const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
  const all = (root2, selector) => [
    ...root2.nodeType === 9 ? Document.prototype.querySelectorAll.call(root2, selector) : root2.nodeType === 11 ? DocumentFragment.prototype.querySelectorAll.call(root2, selector) : Element.prototype.querySelectorAll.call(root2, selector)
  ];
  const create = (tag) => Document.prototype.createElement.call(document, tag);
  const createNS = (namespace, tag) => Document.prototype.createElementNS.call(document, namespace, tag);
  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
  const root = getter(Document.prototype, "documentElement").call(document);
  const head = getter(Document.prototype, "head").call(document);
  const memory = window;
  const marginsKey = /* @__PURE__ */ Symbol.for("colophon margins");
  const knownMargins = memory[marginsKey];
  const common = [...head.children].slice(0, input.commonHeadElements);
  replaceContent(root, head, input.content, knownMargins?.isConnected ? [...common, knownMargins] : common);
  const body = getter(Document.prototype, "body").call(document);
  const fonts = getter(Document.prototype, "fonts").call(document);
  const sheets = getter(Document.prototype, "styleSheets").call(document);
  const rules = [...sheets].filter(({ href }) => href === null).flatMap((sheet) => [...sheet.cssRules]);
  const isInvisible = (node) => node instanceof Element ? /^(br|p)$/i.test(node.tagName) && !node.hasChildNodes() : node instanceof Comment || !node.nodeValue?.trim();
  const templates = all(document, "head > template");
  const contentOf = (id) => {
    const template = templates.find((candidate) => attribute(candidate, "id") === id);
    return template?.content ?? null;
  };
  const warnings = [];
  let removedLinks = 0;
  for (const link of all(document, "a, area")) {
    for (const name of ["href", "xlink:href"]) {
      const target = attribute(link, name);
      if (target === null || target.startsWith("#")) continue;
      const isAllowed = URL.canParse(target) && /^(https?|mailto|tel):$/.test(new URL(target).protocol);
      if (isAllowed) continue;
      Element.prototype.removeAttribute.call(link, name);
      removedLinks++;
    }
  }
  for (const box of input.format === "pdf" ? all(document, "body > .page") : []) {
    for (let last = box.lastChild; last && isInvisible(last); last = box.lastChild) last.remove();
  }
  const decode = async (images) => {
    const decoded = images.map(
      (image) => HTMLImageElement.prototype.decode.call(image).then(
        () => 0,
        () => 1
      )
    );
    return (await Promise.all(decoded)).reduce((sum, failed) => sum + failed, 0);
  };
  const layOut = (edge, content, hidden) => {
    const host = create("div");
    host.className = \`page-\${edge}\`;
    host.style.cssText = "position:absolute;left:0;top:0";
    host.append(content.cloneNode(true));
    for (const element of all(host, hidden)) element.remove();
    for (const counter of all(host, ".pageNumber, .totalPages")) counter.textContent = "00";
    body.append(host);
    return host;
  };
  const cssString = (text) => \`"\${text.replace(/[\\\\"]/g, "\\\\$&").replace(/\\s+/g, " ")}"\`;
  const placed = (edge, side, rect, edgeHeight) => {
    const { left, right } = input.margin;
    const fromBottom = edgeHeight - rect.y - rect.height;
    const down = edge === "header" ? \`margin-top:\${rect.y}px;margin-bottom:auto\` : \`margin-top:auto;margin-bottom:\${fromBottom}px\`;
    const fromRight = input.pageWidth - right - rect.x - rect.width;
    return side === "left" ? \`margin-left:\${rect.x - left}px;margin-right:auto;\${down}\` : \`margin-left:auto;margin-right:\${fromRight}px;\${down}\`;
  };
  const fontOf = (style) => \`font-family:\${style.fontFamily};font-size:\${style.fontSize};font-weight:\${style.fontWeight};font-style:\${style.fontStyle};font-stretch:\${style.fontStretch};font-feature-settings:\${style.fontFeatureSettings}\`;
  const counterBoxes = (edge, host, height) => {
    const hostRect = host.getBoundingClientRect();
    const blocks = /* @__PURE__ */ new Set();
    for (const counter of all(host, ".pageNumber, .totalPages")) {
      let block = counter;
      while (block !== host && getComputedStyle(block).display === "inline") block = block.parentElement;
      blocks.add(block);
    }
    if (blocks.size > 2)
      warnings.push(\`The \${edge} has \${blocks.size} blocks with page counters; the first two are shown.\`);
    return [...blocks].slice(0, 2).map((block, index) => {
      const style = getComputedStyle(block);
      const range = Document.prototype.createRange.call(document);
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
      const walker = Document.prototype.createTreeWalker.call(document, block, NodeFilter.SHOW_TEXT);
      const content = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const counter = node.parentElement?.closest(".pageNumber, .totalPages");
        if (counter?.classList.contains("pageNumber")) content.push("counter(page)");
        else if (counter) content.push("counter(pages)");
        else content.push(cssString(node.nodeValue ?? ""));
      }
      const ink = create("span");
      ink.style.visibility = "hidden";
      ink.append(...block.childNodes);
      block.append(ink);
      const rect = {
        x: innerLeft - hostRect.left,
        y: text.top - hostRect.top,
        width: innerRight - innerLeft,
        height: text.height
      };
      const side = index === 0 ? "right" : "left";
      return \`@\${edge === "header" ? "top" : "bottom"}-\${side}{content:\${content.join(" ")};width:\${rect.width}px;height:\${rect.height}px;\${placed(edge, side, rect, height)};vertical-align:top;text-align:\${align};white-space:nowrap;\${fontOf(style)};line-height:\${text.height}px;color:\${style.color};letter-spacing:\${style.letterSpacing};font-variant-numeric:\${style.fontVariantNumeric};text-transform:\${style.textTransform}}\`;
    });
  };
  const familiesIn = (host) => {
    const families = /* @__PURE__ */ new Set();
    for (const element of [host, ...all(host, "*")]) {
      for (const family of getComputedStyle(element).fontFamily.split(","))
        families.add(family.trim().replace(/["']/g, ""));
    }
    return families;
  };
  const covers = (ranges, characters) => ranges === "" || ranges.split(",").some((range) => {
    const [from = "", to = from] = range.trim().replace(/^U\\+/i, "").split("-");
    const [low, high] = [parseInt(from.replaceAll("?", "0"), 16), parseInt(to.replaceAll("?", "F"), 16)];
    return [...characters].some((character) => character >= low && character <= high);
  });
  const stylesFor = (host) => {
    const families = familiesIn(host);
    const characters = new Set(Array.from(host.textContent ?? "", (character) => character.codePointAt(0) ?? 0));
    const isNeeded = ({ style }) => families.has(style.getPropertyValue("font-family").replace(/["']/g, "")) && covers(style.getPropertyValue("unicode-range"), characters);
    return rules.filter((rule) => !(rule instanceof CSSPageRule) && (!(rule instanceof CSSFontFaceRule) || isNeeded(rule))).map((rule) => rule.cssText).join("\\n");
  };
  const picture = (host, height) => {
    const svgNamespace = "http://www.w3.org/2000/svg";
    const svg = createNS(svgNamespace, "svg");
    const style = createNS(svgNamespace, "style");
    const foreign = createNS(svgNamespace, "foreignObject");
    for (const box of [svg, foreign]) {
      box.setAttribute("width", String(input.pageWidth));
      box.setAttribute("height", String(height));
    }
    style.textContent = stylesFor(host);
    const root2 = createNS("http://www.w3.org/1999/xhtml", "body");
    root2.append(host.cloneNode(true));
    foreign.append(root2);
    svg.append(style, foreign);
    return \`data:image/svg+xml,\${encodeURIComponent(new XMLSerializer().serializeToString(svg))}\`;
  };
  const marginsOf = (edge) => {
    const content = contentOf(\`colophon-\${edge}\`);
    if (!content) return [];
    const later = { edge, selector: "", host: layOut(edge, content, ".first-page") };
    if (all(content, ".first-page, .later-pages").length === 0) return [later];
    return [later, { edge, selector: ":first", host: layOut(edge, content, ".later-pages") }];
  };
  const marginRule = (edge, selector, host) => {
    const vertical = edge === "header" ? "top" : "bottom";
    const isEmpty = !host.textContent?.trim() && all(host, "img, svg").length === 0;
    if (isEmpty) {
      const none = ["left", "center", "right"].map((side) => \`@\${vertical}-\${side}{content:none}\`);
      return { rule: \`@page \${selector}{\${none.join("")}}\`, image: null };
    }
    const height = Math.ceil(host.getBoundingClientRect().height);
    const counters = counterBoxes(edge, host, height);
    const image = new Image();
    image.src = picture(host, height);
    const { top, right, bottom, left } = input.margin;
    const room = edge === "header" ? top : bottom;
    const reserve = height > room ? \`margin-\${vertical}:\${height}px;\` : "";
    const across = edge === "header" ? \`0 \${-right}px auto \${-left}px\` : \`auto \${-right}px 0 \${-left}px\`;
    const place = \`width:\${input.pageWidth}px;height:\${height}px;margin:\${across};vertical-align:\${vertical};text-align:left\`;
    const boxes2 = \`@\${vertical}-center{content:url("\${image.src}");\${place}}\${counters.join("")}\`;
    return { rule: \`@page \${selector}{\${reserve}\${boxes2}}\`, image };
  };
  const metadata = describeDocument(head, body, input.limits.maxTaggedElements);
  if (!metadata.isTagged)
    warnings.push("The document is too long for accessibility tags and was made without them; split it to have them.");
  const margins = input.format === "pdf" ? [...marginsOf("header"), ...marginsOf("footer")] : [];
  void body.offsetHeight;
  await fonts.ready;
  warnings.push(...await findMissingGlyphs(body, fonts));
  const inlined = all(document, "img").filter((image) => /^data:/i.test(attribute(image, "src") ?? ""));
  const fitted = await fitImages(inlined, rules, input.limits);
  warnings.push(...fitted.warnings);
  const undecodable = await decode(fitted.shown);
  if (undecodable > 0) warnings.push(\`Images that could not be decoded and were left empty: \${undecodable}.\`);
  if (removedLinks > 0)
    warnings.push(\`Links without an http, https, mailto or tel address, which were removed: \${removedLinks}.\`);
  if (input.format === "pdf") {
    const edges = margins.map(({ edge, selector, host }) => marginRule(edge, selector, host));
    for (const { host } of margins) host.remove();
    const styles = edges.map(({ rule }) => rule).join("\\n");
    if (!knownMargins?.isConnected || knownMargins.textContent !== styles) {
      knownMargins?.remove();
      await decode(edges.flatMap(({ image }) => image ?? []));
      const style = create("style");
      style.textContent = styles;
      memory[marginsKey] = style;
      head.append(style);
    }
    return { boxHeights: [], metadata, warnings };
  }
  const boxes = all(document, "body > .page");
  for (const [index, box] of boxes.entries()) {
    if (box.scrollHeight > box.clientHeight + 1)
      warnings.push(\`Page file \${index + 1} is higher than the requested height and was clipped.\`);
  }
  return { boxHeights: boxes.map((box) => box.getBoundingClientRect().height), metadata, warnings };
}
return preparePage;
})()`;
