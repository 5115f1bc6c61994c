// The types that the checks of a piece of CSS share.

/** `index` is the position in the CSS that the message is about. */
export type StyleMessage = { index: number; message: string };

/** The kind of a block's content. A `rules` block contains rules, as a style sheet does; a `style` block has declarations and rules. */
export type BlockKind = "rules" | "style" | "page" | "font-face";

/**
 * The families of a template's `@font-face` rules, by their names in lower case. `isIncomplete` is true if the name of one
 * contains Liquid, so that it is known only when a document is rendered.
 */
export type FontNames = { families: Map<string, string>; isIncomplete: boolean };

/**
 * `references` are the positions of the page references and leaders that the service itself prints; null for CSS outside
 * `style.css`, which can have none.
 */
export type CheckScope = { css: string; fonts: FontNames; references: ReadonlySet<number> | null };
