// Finds the styles in a Liquid file: the `<style>` elements and `style` attributes in its static text.
import { withMarks } from "colophon-liquid/marks";
import { markupPieces } from "./markup-tags.ts";

/** `start` is the position of the styles, or of their attribute, in the file. Lines count in the file. */
export type MarkupStyles = { kind: "rules" | "style"; css: string; start: number };

/** `source` must be a valid Liquid file. */
export function markupStyles(source: string): MarkupStyles[] {
  const text = withMarks(source);
  const { pieces } = markupPieces(text);
  return pieces.flatMap((tag, index): MarkupStyles[] => {
    if (tag.kind !== "start") return [];
    const attributes = tag.attributes.filter(({ name }) => name === "style");
    const found = attributes.map(({ value, start }): MarkupStyles => ({ kind: "style", css: value, start }));
    const content = pieces[index + 1];
    if (tag.name !== "style" || content?.kind !== "text") return found;
    return [...found, { kind: "rules", css: text.slice(content.start, content.end), start: content.start }];
  });
}
