// Accesses the document in a way that its markup cannot interfere with. An element whose name is a member of `document`
// or of a form (`<img name="body">`, `<input name="querySelectorAll">`) hides that member, so this module takes the
// members from the prototypes.
import { percentDecoded } from "colophon-base/encoding";

/** A tree that a selector searches. */
export type Tree = Document | Element;

/** Returns a function that reads a member of the prototype, which an element with the same name cannot hide. */
function reader<Holder extends object, Value>(prototype: Holder, name: keyof Holder): (holder: Holder) => Value {
  const read = Object.getOwnPropertyDescriptor(prototype, name)?.get as (() => Value) | undefined;
  return (holder) => read?.call(holder) as Value;
}

function documentReader<Value>(name: keyof Document): () => Value {
  const read = reader<Document, Value>(Document.prototype, name);
  return () => read(document);
}

export const rootElement = documentReader<HTMLElement>("documentElement");
export const headElement = documentReader<HTMLElement>("head");
export const bodyElement = documentReader<HTMLElement>("body");
export const documentFonts = documentReader<FontFaceSet>("fonts");
export const documentStyleSheets = documentReader<StyleSheetList>("styleSheets");
/** A page is hidden while its documents become PDFs, if the browser supports that. A hidden page paints nothing. */
export const isPageHidden = documentReader<boolean>("hidden");

export function createElement<Tag extends keyof HTMLElementTagNameMap>(tag: Tag): HTMLElementTagNameMap[Tag] {
  return Document.prototype.createElement.call(document, tag) as HTMLElementTagNameMap[Tag];
}

export function createRange(): Range {
  return Document.prototype.createRange.call(document);
}

/** Returns the elements and the text nodes inside `root`, in tree order. */
export function* descendantsOf(root: Node, kinds = NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT): Generator<Node> {
  const walker = Document.prototype.createTreeWalker.call(document, root, kinds);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) yield node;
}

export function findInDocument(selector: string): Element[] {
  return findAll(document, selector);
}

/** Returns the elements with these tag names, name by name. A document with many elements is searched faster than by a selector. */
export function findNamed(...names: readonly string[]): Element[] {
  return names.flatMap((name) => [...Document.prototype.getElementsByTagName.call(document, name)]);
}

export function countElements(root: Tree): number {
  return prototypeOf(root).querySelectorAll.call(root, "*").length;
}

/** Returns the element that a link with this fragment points to, or null. */
export function elementById(fragment: string): Element | null {
  const find = (id: string): Element | null => Document.prototype.getElementById.call(document, id);
  return find(fragment) ?? find(percentDecoded(fragment));
}

/** Returns the elements that match `selector`, tree by tree. */
export function findInTrees(trees: readonly Tree[], selector: string): Element[] {
  return trees.flatMap((tree) => findAll(tree, selector));
}

export function findAll(root: Tree, selector: string): Element[] {
  return [...prototypeOf(root).querySelectorAll.call(root, selector)];
}

function prototypeOf(root: Tree): ParentNode {
  return root instanceof Element ? Element.prototype : Document.prototype;
}

export function attributeOf(element: Element, name: string): string | null {
  return Element.prototype.getAttribute.call(element, name);
}

export function setAttribute(element: Element, name: string, value: string): void {
  Element.prototype.setAttribute.call(element, name, value);
}

export function removeAttribute(element: Element, name: string): void {
  Element.prototype.removeAttribute.call(element, name);
}

const kindsWithStyle = [HTMLElement, SVGElement, MathMLElement].map((kind) => {
  return { kind, read: reader<Element, CSSStyleDeclaration>(kind.prototype, "style" as keyof Element) };
});

/** Returns the style in the `style` attribute, or null if elements of this type have none. */
export function inlineStyleOf(element: Element): CSSStyleDeclaration | null {
  return kindsWithStyle.find(({ kind }) => element instanceof kind)?.read(element) ?? null;
}

/** Adds important properties to an element's style. Returns a function that restores its style attribute. */
export function setStyle(element: Element, properties: Record<string, string>): () => void {
  const before = attributeOf(element, "style");
  const style = inlineStyleOf(element);
  for (const [name, value] of Object.entries(properties)) style?.setProperty(name, value, "important");
  return () => (before === null ? removeAttribute(element, "style") : setAttribute(element, "style", before));
}

const textContent = reader<Node, string | null>(Node.prototype, "textContent");

export function textOf(node: Node): string {
  return textContent(node) ?? "";
}

export const previousOf = reader<Node, Node | null>(Node.prototype, "previousSibling");
export const nextOf = reader<Node, Node | null>(Node.prototype, "nextSibling");
export const previousElementOf = reader<Element, Element | null>(Element.prototype, "previousElementSibling");
export const nextElementOf = reader<Element, Element | null>(Element.prototype, "nextElementSibling");

/** Whether the node is the element or inside it. */
export function isInside(element: Element | undefined, node: Node | null): boolean {
  return element !== undefined && Node.prototype.contains.call(element, node);
}

export const parentOf = reader<Node, Element | null>(Node.prototype, "parentElement");

/**
 * Returns the outermost formula or drawing around the element, because a PDF has no destinations inside these; otherwise the element
 * itself.
 */
export function outermostForeign(element: Element): Element {
  let outermost = element;
  for (let outer: Element | null = element; outer; outer = parentOf(outer))
    if (outer instanceof MathMLElement || outer instanceof SVGElement) outermost = outer;
  return outermost;
}

const children = reader<Element, HTMLCollection>(Element.prototype, "children");

export function childrenOf(element: Element): Element[] {
  return [...children(element)];
}

/** Replaces the node by the other, or removes it. */
export function replaceNode(node: ChildNode, ...other: Node[]): void {
  (node instanceof Element ? Element : CharacterData).prototype.replaceWith.call(node, ...other);
}

/** Inserts `child` as the first or the last child of `parent`. */
export function insertInside(parent: Element, child: Element, place: "start" | "end"): void {
  if (place === "start") Element.prototype.prepend.call(parent, child);
  else Element.prototype.append.call(parent, child);
}

/** Returns the value before the layout makes it a length: `auto` stays `auto`. */
export function unresolvedStyle(element: Element, property: string): string {
  return String(Element.prototype.computedStyleMap.call(element).get(property));
}

export function displayOf(element: Element): string {
  return getComputedStyle(element).display;
}

/** Returns the border box or, if the element is rotated, the rectangle around it. */
export function boxOf(element: Element): DOMRect {
  return Element.prototype.getBoundingClientRect.call(element);
}

/** Returns whether the element has a box. */
export function isLaidOut(element: Element): boolean {
  return Element.prototype.getClientRects.call(element).length > 0;
}

/** Whether the element has a position for which its container keeps no space. */
export function isOutOfFlow(element: Element): boolean {
  return /absolute|fixed/.test(getComputedStyle(element).position);
}

/** Whether the element has a box in the flow of its container. */
export function isInFlow(element: Element): boolean {
  return isLaidOut(element) && getComputedStyle(element).float === "none" && !isOutOfFlow(element);
}

export function checkVisibility(element: Element, options?: CheckVisibilityOptions): boolean {
  return Element.prototype.checkVisibility.call(element, options);
}

/**
 * Returns whether the browser creates boxes for the text. It creates none for text in a `textarea` or a `meter`, which
 * it draws differently.
 */
export function hasBoxes(node: Text): boolean {
  const range = createRange();
  range.selectNode(node);
  return range.getClientRects().length > 0;
}

/**
 * Adds a link to the head, where it is not displayed: Chromium writes destinations only for elements to which a link points.
 * `fragment` is escaped as in a URL.
 */
export function linkTo(fragment: string): HTMLAnchorElement {
  const link = createElement("a");
  link.setAttribute("href", `#${fragment}`);
  headElement().append(link);
  return link;
}
