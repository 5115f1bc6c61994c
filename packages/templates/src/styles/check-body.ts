// Finds rules for `body` that cannot act, because each page file is a `div` in the body: in templates with several page files, or with
// automatic height. Otherwise, the page file is the body.
import type { Declaration } from "css-tree";
import { quoted } from "colophon-base/text";
import { type CheckScope, type StyleMessage } from "./check-scope.ts";
import { startOf, textOf } from "./css-syntax.ts";

const box = "each page file is a `div.page` in `body`";

/** `selectors` are the selectors of a rule whose text begins at `index`. */
export function* checkBodyChildren(selectors: string, index: number): Generator<StyleMessage> {
  for (const [shown, child = ""] of selectors.matchAll(/(?<![\w.#:-])body(?:[.#:[][^\s>,]*)?\s*>\s*([^\s>+~,]+)/gi)) {
    if (/\.page(?![\w])/.test(child)) continue;
    const replacement = quoted(shown.replace(/^[^>]*>/, ".page >"));
    yield { index, message: `${quoted(shown)} selects none of the content, because ${box}; write ${replacement}` };
  }
}

const layouts = new Set(["columns", "column-count", "column-width"]);

/** The declarations are in a rule for these selectors, or in the `style` attribute of the element with this name. */
export function* checkBodyLayout(declarations: Declaration[], { css, selectors }: CheckScope): Generator<StyleMessage> {
  if (!selectors.split(",").some((selector) => /(?<![\w.#:-])body(?:[.#:[][^\s>,]*)?\s*$/i.test(selector))) return;
  for (const declaration of declarations) {
    const name = declaration.property.toLowerCase();
    const value = textOf(css, declaration.value);
    const acts = name === "display" ? /\b(flex|grid)\b/i.test(value) : layouts.has(name) && !/^(auto|1)$/.test(value);
    const shown = quoted(`${name}: ${value}`);
    if (acts)
      yield {
        index: startOf(declaration),
        message: `${shown} for \`body\` does not reach the content, because ${box}; write \`.page\``,
      };
  }
}
