// Runs inside the page, as our only script there (the template's own never run). It cleans links, waits until fonts and
// images are decoded, turns header and footer into page margin boxes, and measures. Entry of the bundle that the build
// makes of this folder.
// A document can shadow `document.fonts` and its like by naming an element so; hence the members from the prototypes.

import type { PrepareInput, PreparedPage } from "../core/rendering/prepared-page.ts";
import { describeDocument } from "./describe-document.ts";
import { findMissingGlyphs } from "./find-missing-glyphs.ts";
import { fitImages } from "./fit-images.ts";
import { replaceContent } from "./replace-content.ts";

export async function preparePage(input: PrepareInput): Promise<PreparedPage> {
  const getter = (prototype: object, name: string) =>
    (Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor).get as (this: unknown) => unknown;
  const all = (root: Document | DocumentFragment | Element, selector: string): Element[] => [
    ...(root.nodeType === 9
      ? Document.prototype.querySelectorAll.call(root, selector)
      : root.nodeType === 11
        ? DocumentFragment.prototype.querySelectorAll.call(root, selector)
        : Element.prototype.querySelectorAll.call(root, selector)),
  ];
  const create = (tag: string) => Document.prototype.createElement.call(document, tag);
  const createNS = (namespace: string, tag: string) =>
    Document.prototype.createElementNS.call(document, namespace, tag);
  const attribute = (element: Element, name: string) => Element.prototype.getAttribute.call(element, name);
  const root = getter(Document.prototype, "documentElement").call(document) as HTMLElement;
  const head = getter(Document.prototype, "head").call(document) as HTMLElement;
  // Where the margins of the document before are: a symbol, so that no element can be named like it.
  const memory = window as unknown as Record<symbol, HTMLElement | undefined>;
  const marginsKey = Symbol.for("colophon margins");
  const knownMargins = memory[marginsKey];
  const common = [...head.children].slice(0, input.commonHeadElements);
  replaceContent(root, head, input.content, knownMargins?.isConnected ? [...common, knownMargins] : common);
  const body = getter(Document.prototype, "body").call(document) as HTMLElement;
  const fonts = getter(Document.prototype, "fonts").call(document) as FontFaceSet;
  const sheets = getter(Document.prototype, "styleSheets").call(document) as StyleSheetList;
  // A linked sheet is blocked or from elsewhere, and reading its rules throws.
  const rules = [...sheets].filter(({ href }) => href === null).flatMap((sheet) => [...sheet.cssRules]);

  const isInvisible = (node: Node) =>
    node instanceof Element
      ? /^(br|p)$/i.test(node.tagName) && !node.hasChildNodes()
      : node instanceof Comment || !node.nodeValue?.trim();

  const templates = all(document, "head > template");
  const contentOf = (id: string) => {
    const template = templates.find((candidate) => attribute(candidate, "id") === id) as
      | HTMLTemplateElement
      | undefined;
    return template?.content ?? null;
  };

  // Chromium writes `javascript:` and `file:` links into the PDF; relative ones would point nowhere.
  const warnings: string[] = [];
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

  // What a page file ends with but nobody sees would otherwise flow onto a blank page behind a full one.
  for (const box of input.format === "pdf" ? all(document, "body > .page") : []) {
    for (let last = box.lastChild; last && isInvisible(last); last = box.lastChild) last.remove();
  }

  const decode = async (images: Element[]): Promise<number> => {
    const decoded = images.map((image) =>
      HTMLImageElement.prototype.decode.call(image as HTMLImageElement).then(
        () => 0,
        () => 1,
      ),
    );
    return (await Promise.all(decoded)).reduce((sum: number, failed) => sum + failed, 0);
  };

  type Edge = "header" | "footer";
  type Rect = { x: number; y: number; width: number; height: number };
  /** A header or footer laid out in the page, out of its flow. */
  const layOut = (edge: Edge, content: DocumentFragment, hidden: string): HTMLElement => {
    const host = create("div");
    host.className = `page-${edge}`;
    host.style.cssText = "position:absolute;left:0;top:0";
    host.append(content.cloneNode(true));
    for (const element of all(host, hidden)) element.remove();
    for (const counter of all(host, ".pageNumber, .totalPages")) counter.textContent = "00";
    body.append(host);
    return host;
  };

  const cssString = (text: string) => `"${text.replace(/[\\"]/g, "\\$&").replace(/\s+/g, " ")}"`;
  /** Places a text box: the two of an edge hang on opposite sides, and `auto` takes the slack. */
  const placed = (edge: Edge, side: "left" | "right", rect: Rect, edgeHeight: number): string => {
    const { left, right } = input.margin;
    const fromBottom = edgeHeight - rect.y - rect.height;
    const down =
      edge === "header" ? `margin-top:${rect.y}px;margin-bottom:auto` : `margin-top:auto;margin-bottom:${fromBottom}px`;
    const fromRight = input.pageWidth - right - rect.x - rect.width;
    return side === "left"
      ? `margin-left:${rect.x - left}px;margin-right:auto;${down}`
      : `margin-left:auto;margin-right:${fromRight}px;${down}`;
  };

  /** The shorthand is empty when a variant is set, as `tabular-nums` does. */
  const fontOf = (style: CSSStyleDeclaration) =>
    `font-family:${style.fontFamily};font-size:${style.fontSize};font-weight:${style.fontWeight};` +
    `font-style:${style.fontStyle};font-stretch:${style.fontStretch};font-feature-settings:${style.fontFeatureSettings}`;

  /** The blocks with page counters become text boxes of their own, because only margin boxes can count pages. */
  const counterBoxes = (edge: Edge, host: HTMLElement, height: number): string[] => {
    const hostRect = host.getBoundingClientRect();
    const blocks = new Set<HTMLElement>();
    for (const counter of all(host, ".pageNumber, .totalPages")) {
      let block = counter as HTMLElement;
      while (block !== host && getComputedStyle(block).display === "inline") block = block.parentElement as HTMLElement;
      blocks.add(block);
    }
    if (blocks.size > 2)
      warnings.push(`The ${edge} has ${blocks.size} blocks with page counters; the first two are shown.`);
    return [...blocks].slice(0, 2).map((block, index) => {
      const style = getComputedStyle(block);
      const range = Document.prototype.createRange.call(document);
      range.selectNodeContents(block);
      const text = range.getBoundingClientRect();
      const outer = block.getBoundingClientRect();
      const parent = (block === host ? block : (block.parentElement as HTMLElement)).getBoundingClientRect();
      const innerLeft = outer.left + parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft);
      const innerRight = outer.right - parseFloat(style.borderRightWidth) - parseFloat(style.paddingRight);
      const slackLeft = text.left - innerLeft;
      const slackRight = innerRight - text.right;
      const fits = slackLeft < 1 && slackRight < 1;
      const align = fits
        ? Math.abs(outer.right - parent.right) < 40 && outer.left - parent.left > 40
          ? "right"
          : "left"
        : Math.abs(slackLeft - slackRight) < 1.5
          ? "center"
          : slackLeft > slackRight
            ? "right"
            : "left";
      const walker = Document.prototype.createTreeWalker.call(document, block, NodeFilter.SHOW_TEXT);
      const content: string[] = [];
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
        height: text.height,
      };
      const side = index === 0 ? "right" : "left";
      return (
        `@${edge === "header" ? "top" : "bottom"}-${side}{content:${content.join(" ")};width:${rect.width}px;height:${rect.height}px;${placed(edge, side, rect, height)};vertical-align:top;` +
        `text-align:${align};white-space:nowrap;${fontOf(style)};line-height:${text.height}px;color:${style.color};` +
        `letter-spacing:${style.letterSpacing};font-variant-numeric:${style.fontVariantNumeric};text-transform:${style.textTransform}}`
      );
    });
  };

  const familiesIn = (host: HTMLElement): Set<string> => {
    const families = new Set<string>();
    for (const element of [host, ...all(host, "*")]) {
      for (const family of getComputedStyle(element).fontFamily.split(","))
        families.add(family.trim().replace(/["']/g, ""));
    }
    return families;
  };

  /** Whether a `unicode-range` has any of the characters; without one a font is for all of them. */
  const covers = (ranges: string, characters: Set<number>): boolean =>
    ranges === "" ||
    ranges.split(",").some((range) => {
      const [from = "", to = from] = range.trim().replace(/^U\+/i, "").split("-");
      const [low, high] = [parseInt(from.replaceAll("?", "0"), 16), parseInt(to.replaceAll("?", "F"), 16)];
      return [...characters].some((character) => character >= low && character <= high);
    });

  /** The page's own rules, with only those fonts that the header or footer sets text in. */
  const stylesFor = (host: HTMLElement): string => {
    const families = familiesIn(host);
    const characters = new Set(Array.from(host.textContent ?? "", (character) => character.codePointAt(0) ?? 0));
    const isNeeded = ({ style }: CSSFontFaceRule) =>
      families.has(style.getPropertyValue("font-family").replace(/["']/g, "")) &&
      covers(style.getPropertyValue("unicode-range"), characters);
    return rules
      .filter((rule) => !(rule instanceof CSSPageRule) && (!(rule instanceof CSSFontFaceRule) || isNeeded(rule)))
      .map((rule) => rule.cssText)
      .join("\n");
  };

  const picture = (host: HTMLElement, height: number): string => {
    const svgNamespace = "http://www.w3.org/2000/svg";
    const svg = createNS(svgNamespace, "svg");
    const style = createNS(svgNamespace, "style");
    const foreign = createNS(svgNamespace, "foreignObject");
    for (const box of [svg, foreign]) {
      box.setAttribute("width", String(input.pageWidth));
      box.setAttribute("height", String(height));
    }
    style.textContent = stylesFor(host);
    const root = createNS("http://www.w3.org/1999/xhtml", "body");
    root.append(host.cloneNode(true));
    foreign.append(root);
    svg.append(style, foreign);
    return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  };

  /** One edge's margin boxes for the pages that `selector` names. */
  const marginsOf = (edge: Edge): { edge: Edge; selector: string; host: HTMLElement }[] => {
    const content = contentOf(`colophon-${edge}`);
    if (!content) return [];
    const later = { edge, selector: "", host: layOut(edge, content, ".first-page") };
    if (all(content, ".first-page, .later-pages").length === 0) return [later];
    return [later, { edge, selector: ":first", host: layOut(edge, content, ".later-pages") }];
  };

  /** The rule, and the picture that has to be decoded before it is printed: printing does not wait for it. */
  const marginRule = (
    edge: Edge,
    selector: string,
    host: HTMLElement,
  ): { rule: string; image: HTMLImageElement | null } => {
    const vertical = edge === "header" ? "top" : "bottom";
    const isEmpty = !host.textContent?.trim() && all(host, "img, svg").length === 0;
    if (isEmpty) {
      const none = ["left", "center", "right"].map((side) => `@${vertical}-${side}{content:none}`);
      return { rule: `@page ${selector}{${none.join("")}}`, image: null };
    }
    const height = Math.ceil(host.getBoundingClientRect().height);
    const counters = counterBoxes(edge, host, height);
    const image = new Image();
    image.src = picture(host, height);
    const { top, right, bottom, left } = input.margin;
    const room = edge === "header" ? top : bottom;
    const reserve = height > room ? `margin-${vertical}:${height}px;` : "";
    const across = edge === "header" ? `0 ${-right}px auto ${-left}px` : `auto ${-right}px 0 ${-left}px`;
    const place = `width:${input.pageWidth}px;height:${height}px;margin:${across};vertical-align:${vertical};text-align:left`;
    const boxes = `@${vertical}-center{content:url("${image.src}");${place}}${counters.join("")}`;
    return { rule: `@page ${selector}{${reserve}${boxes}}`, image };
  };

  const metadata = describeDocument(head, body, input.limits.maxTaggedElements);
  if (!metadata.isTagged)
    warnings.push("The document is too long for accessibility tags and was made without them; split it to have them.");
  const margins = input.format === "pdf" ? [...marginsOf("header"), ...marginsOf("footer")] : [];
  void body.offsetHeight;
  await fonts.ready;
  warnings.push(...(await findMissingGlyphs(body, fonts)));
  // An empty image is one that was left out on purpose, and one from elsewhere is reported as blocked.
  const inlined = all(document, "img").filter((image) => /^data:/i.test(attribute(image, "src") ?? ""));
  const fitted = await fitImages(inlined as HTMLImageElement[], rules, input.limits);
  warnings.push(...fitted.warnings);
  const undecodable = await decode(fitted.shown);
  if (undecodable > 0) warnings.push(`Images that could not be decoded and were left empty: ${undecodable}.`);
  if (removedLinks > 0)
    warnings.push(`Links without an http, https, mailto or tel address, which were removed: ${removedLinks}.`);

  if (input.format === "pdf") {
    // Measured all, then taken out all: each change of the page in between would lay it out again.
    const edges = margins.map(({ edge, selector, host }) => marginRule(edge, selector, host));
    for (const { host } of margins) host.remove();
    const styles = edges.map(({ rule }) => rule).join("\n");
    // The pictures of the document before are decoded already; they are often the same.
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
      warnings.push(`Page file ${index + 1} is higher than the requested height and was clipped.`);
  }
  return { boxHeights: boxes.map((box) => box.getBoundingClientRect().height), metadata, warnings };
}
