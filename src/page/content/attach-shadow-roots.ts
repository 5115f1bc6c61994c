// Turns declarative shadow roots (`<template shadowrootmode>`) into open shadow roots, whatever their mode, so that the
// page script can search all of them. They are clonable, because headers and footers are copied.
import { attributeOf, findInTrees, type Tree } from "../dom.ts";

/**
 * Attaches the shadow roots of a document that was parsed without them, including those inside other shadow roots, and
 * returns them. The rules are those of the HTML parser: only the first `<template shadowrootmode>` of an element becomes its shadow
 * root, and only if the element can have one. Every other template stays a template.
 */
export function attachShadowRoots(parsed: Document): ShadowRoot[] {
  const attached: ShadowRoot[] = [];
  const trees: Tree[] = [parsed];
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

function attachShadowRoot(template: HTMLTemplateElement): ShadowRoot | null {
  const mode = attributeOf(template, "shadowrootmode")?.toLowerCase();
  const host = template.parentElement;
  if (!host || (mode !== "open" && mode !== "closed")) return null;
  try {
    const root = Element.prototype.attachShadow.call(host, { mode: "open", clonable: true });
    root.append(template.content);
    template.remove();
    return root;
  } catch {
    return null; // The element has a shadow root already, or cannot have one.
  }
}
