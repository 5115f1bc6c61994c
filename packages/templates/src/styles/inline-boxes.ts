// Tells whether a rule is only for inline boxes. It reads the tags of the Liquid files for the classes and ids in selectors.

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

/** `selectors` is the selector list of a rule, or the name of the element with a `style` attribute. */
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
