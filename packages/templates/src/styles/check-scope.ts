// The types that the checks of a piece of CSS share.
import type { TagNames } from "./inline-boxes.ts";

/** `index` is the position in the CSS that the message is about. */
export type StyleMessage = { index: number; message: string };

/**
 * The type of a block's content. A `rules` block contains rules, like a style sheet; a `style` block contains declarations and rules.
 */
export type BlockKind = "rules" | "style" | "page" | "font-face";

/**
 * The families in a template's `@font-face` rules, by name in lower case. `isIncomplete` is true if a name contains Liquid, so
 * that it is known only at render time.
 */
export type FontNames = { families: Map<string, string>; isIncomplete: boolean };

/**
 * `references` are the positions of the page references and leaders that the service itself prints; null for CSS outside
 * `style.css`, which cannot have any.
 */
export type CheckScope = {
  css: string;
  fonts: FontNames;
  references: ReadonlySet<number> | null;
  /** The selectors of the rule around a declaration, or the name of the element with a `style` attribute. */
  selectors: string;
  tags: TagNames;
};
