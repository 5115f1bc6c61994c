// Definitions that the checks of CSS share: their types, and the elements that are inline boxes.

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
  /** The counters of elements. Pages do not count in them. */
  counters: ReadonlySet<string>;
  /** The text of headers and footers. */
  margins: string;
  /** Whether each page file is a `div` in the body. Otherwise, the page file is the body. */
  hasPageBoxes: boolean;
};

/** The names of the elements that have a class or an id, which are written `.name` and `#name`. */
export type TagNames = ReadonlyMap<string, ReadonlySet<string>>;

const inlineTags = new Set(
  "a abbr b bdi bdo cite code del dfn em i ins kbd label mark q s samp small span strong sub sup time tt u var".split(
    " ",
  ),
);

export function tagNames(texts: readonly string[]): TagNames {
  const names = new Map<string, Set<string>>();
  for (const [, tag = "", attributes = ""] of texts.join("\n").matchAll(/<([a-z][a-z0-9]*)(?=[\s/>])([^<>]*)>/gi)) {
    for (const [, kind = "", value = ""] of attributes.matchAll(/\s(class|id)\s*=\s*["']([^"']*)/gi)) {
      for (const name of value.split(/\s+/)) {
        const shown = `${kind.toLowerCase() === "id" ? "#" : "."}${name}`;
        names.set(shown, (names.get(shown) ?? new Set()).add(tag.toLowerCase()));
      }
    }
  }
  return names;
}

/** Returns whether a rule is only for inline boxes. `selectors` is as in `CheckScope`. The tags of the Liquid files tell the rest. */
export function areInline(selectors: string, names: TagNames): boolean {
  return selectors.split(",").every((selector) => {
    const subject =
      selector
        .trim()
        .split(/[\s>+~]+/)
        .at(-1) ?? "";
    const [tag] = /^[\w-]+/.exec(subject) ?? [];
    const [name = ""] = /[.#][\w-]+/.exec(subject) ?? [];
    const tags = tag === undefined ? [...(names.get(name) ?? [])] : [tag.toLowerCase()];
    return tags.length > 0 && tags.every((each) => inlineTags.has(each));
  });
}
