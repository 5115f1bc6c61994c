// Parses a document's markup outside the page. Removes animations and the sources of frames, and creates no shadow roots, so that
// every link can be checked and cannot change afterwards.
import { counted } from "colophon-base/text";
import { attributeOf, findAll, removeAttribute } from "../dom.ts";

export type ParsedContent = {
  /** A document without a window, so it loads and animates nothing. */
  parsed: Document;
  /** The number of removed animations that would have set the target of a link. */
  animatedLinks: number;
  /** The warnings for the document. */
  warnings: string[];
};

export function parseContent(markup: string): ParsedContent {
  // `DOMParser` keeps `<template shadowrootmode>` as a template, which shows nothing. `Document.parseHTMLUnsafe` and
  // `Page.setDocumentContent` would create a shadow root from it, and scripts cannot search a closed one.
  const parsed = new DOMParser().parseFromString(markup, "text/html");
  // A refresh has no effect in a rendered file, but would still be pending when the next document is inserted.
  for (const refresh of findAll(parsed, 'meta[http-equiv="refresh" i]')) refresh.remove();
  // Chromium keeps the page's colour scheme after the element is removed, so the next documents would also be dark.
  for (const scheme of findAll(parsed, 'meta[name="color-scheme" i]')) scheme.remove();
  const animations = findAll(parsed, "svg *").filter(isAnimation);
  for (const animation of animations) animation.remove();
  // In new headless mode, Chromium connects to a frame's host before it checks the document's policy.
  const frames = findAll(parsed, "iframe[src], iframe[srcdoc], frame[src]");
  for (const frame of frames) for (const name of ["src", "srcdoc"]) removeAttribute(frame, name);
  const animatedLinks = animations.filter(setsLink).length;
  const others = counted(animations.length - animatedLinks, "SVG animation");
  const warnings = [
    ...(animations.length > animatedLinks
      ? [`Removed ${others}: documents are static, so elements keep the attributes from the markup.`]
      : []),
    ...(frames.length > 0 ? [`Left ${counted(frames.length, "frame")} empty: a document cannot contain frames.`] : []),
  ];
  return { parsed, animatedLinks, warnings };
}

function isAnimation(element: Element): boolean {
  return element instanceof SVGAnimationElement || element.localName === "discard";
}

function setsLink(animation: Element): boolean {
  return /href/i.test(attributeOf(animation, "attributeName") ?? "");
}
