// Shrinks the background images of style rules and of inline styles.
import { findInTrees, type Tree } from "../dom.ts";
import { isDecodable } from "./decode-images.ts";
import type { ImageShrinker } from "./image-shrinker.ts";

export async function shrinkBackgrounds(
  trees: readonly Tree[],
  rules: CSSRule[],
  shrinker: ImageShrinker,
): Promise<void> {
  /**
   * The CSS that replaces each URI. It is stored so that an image is examined only once, even if many styles use it.
   */
  const replacements = new Map<string, string>();
  const replacementOf = async (uri: string): Promise<string> => {
    const replacement = replacements.get(uri) ?? (await cssImage(uri, shrinker));
    replacements.set(uri, replacement);
    return replacement;
  };
  const inline = findInTrees(trees, '[style*="url("]');
  for (const rule of rules) if (rule instanceof CSSStyleRule) await replaceBackgrounds(rule.style, replacementOf);
  for (const element of inline) {
    if (element instanceof HTMLElement) await replaceBackgrounds(element.style, replacementOf);
  }
}

async function cssImage(uri: string, shrinker: ImageShrinker): Promise<string> {
  const image = new Image();
  image.src = uri;
  if (!(await isDecodable(image)) || !shrinker.isTooWide(image)) return `url("${uri}")`;
  const shrunk = shrinker.shrink(image);
  return `image-set(url("${shrunk.uri}") ${shrunk.density}x)`;
}

async function replaceBackgrounds(
  style: CSSStyleDeclaration,
  replacementOf: (uri: string) => Promise<string>,
): Promise<void> {
  const original = style.backgroundImage;
  let replaced = original;
  for (const [url, uri = ""] of original.matchAll(/url\("(data:image\/(?!svg)[^"]*)"\)/gi)) {
    const replacement = await replacementOf(uri);
    replaced = replaced.replace(url, () => replacement);
  }
  if (replaced === original) return;
  style.setProperty("background-image", replaced, style.getPropertyPriority("background-image"));
}
