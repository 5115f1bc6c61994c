// Finds mistakes inside single tags that a browser has to repair: missing quotes and brackets, duplicate attributes, unclosed
// comments, and unknown character references.
import { quoted } from "colophon-base/quoted";
import { hasMarks, textBeforeMarks } from "colophon-liquid/marks";
import type { Report } from "../findings.ts";
import type { MarkupTag, TagError } from "./read-markup.ts";

type TagErrorInput = { source: string; text: string; tags: MarkupTag[]; errors: TagError[] };

/**
 * Returns whether the markup after the first error can be trusted, which is not the case if a tag or comment is unclosed.
 * `reportAt` takes a position in the file instead of a line.
 */
export function checkTagErrors(input: TagErrorInput, reportAt: Report): { isReadable: boolean } {
  const { text, tags, errors } = input;
  let isReadable = true;
  for (const { code, start } of errors) {
    const tag = tags.find((each) => each.start <= start && start <= each.end);
    switch (code) {
      case "eof-in-tag":
      case "eof-before-tag-name": {
        const open = lastTagStart(input);
        reportAt(open, `the tag ${quoted(tagBeginning(text, open))} is never closed; a \`>\` or a quote is missing`);
        return { isReadable: false };
      }
      case "eof-in-comment": {
        const reason = "the comment is never closed with `-->`, so everything after it is dropped";
        reportAt(text.lastIndexOf("<!--", start), reason);
        return { isReadable: false };
      }
      case "unexpected-character-in-attribute-name":
      case "unexpected-character-in-unquoted-attribute-value":
        if (!tag || (containsLiquidTags(input, tag) && !containsTag(text, tag))) break;
        reportAt(tag.start, `in the tag ${quoted(tagBeginning(text, tag.start))}, a quote or a \`>\` is missing`);
        isReadable = false;
        break;
      case "duplicate-attribute":
        if (tag && !containsLiquidTags(input, tag)) reportAt(start, duplicateAttribute(text, tag, start));
        break;
      case "unknown-named-character-reference": {
        const reference = /^&\w*;?/.exec(text.slice(text.lastIndexOf("&", start)))?.[0] ?? "";
        reportAt(start, `there is no character ${quoted(reference)}, so it is printed unchanged`, "warning");
      }
    }
  }
  return { isReadable };
}

/** Returns the position of the unclosed tag: the first `<` of a tag after the last complete tag. */
function lastTagStart({ text, tags }: TagErrorInput): number {
  const after = tags.at(-1)?.end ?? 0;
  const offset = text.slice(after).search(/<[/A-Za-z]|<$/);
  return offset < 0 ? after : after + offset;
}

function tagBeginning(text: string, at: number): string {
  const beginning = /^<\/?[^\s>]*/.exec(text.slice(at, at + 60))?.[0] ?? "<";
  return hasMarks(beginning) ? `${textBeforeMarks(beginning)}…` : beginning;
}

/** Attributes in the branches of a tag may exclude each other, and may contain quotes. */
function containsLiquidTags({ source }: TagErrorInput, { start, end }: MarkupTag): boolean {
  return source.slice(start, end).includes("{%");
}

/** Returns whether a tag begins inside this one, which happens if a quote is missing. */
function containsTag(text: string, { start, end }: MarkupTag): boolean {
  return /<\/?[a-z]/i.test(text.slice(start + 1, end));
}

/** Longer names are shown without their beginning. */
const maxNameChars = 100;

function duplicateAttribute(text: string, tag: MarkupTag, at: number): string {
  // The error is at the end of the second attribute's name.
  const name = /([^\s"'<>/=]+)[^\s"'<>/=]*$/.exec(text.slice(Math.max(tag.start, at - maxNameChars), at))?.[1] ?? "";
  return `${quoted(`<${tag.name}>`)} has the attribute ${quoted(name)} twice, and the second one is ignored`;
}
