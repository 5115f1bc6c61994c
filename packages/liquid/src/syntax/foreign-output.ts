// Outputs that a different template engine would read, and outputs and tags that lack a brace.
import { shortened } from "colophon-base/text";
import { foreignCode } from "./foreign-syntax.ts";
import { adviceOf } from "./foreign-words.ts";
import { quotedText } from "./remedies.ts";
import type { Token } from "./scanner.ts";

/** The inside of `{{!-- note --}}` and `{{-- note --}}`, as the scanner returns it. */
const foreignComment = /^(?:!--|-(?!\d))[^]*-$/;

/** Returns the position inside the token at which the token ends or a different one begins; -1 if there is none. */
export function unclosedAt(token: Token): number {
  if (token.kind === "text" || (token.kind === "tag" && (token.name === "#" || token.name === "liquid"))) return -1;
  if (!token.markup.includes("{") && !token.markup.includes("}")) return -1;
  if (token.kind === "output" && foreignComment.test(token.markup)) return -1;
  // An object of a different language, as in `trans({})`, has both its braces.
  const markup = token.markup.replace(quotedText, blank).replace(/\{[^{}%]*\}/g, blank);
  return markup.search(/\{[{%]|\}/);
}

function blank(text: string): string {
  return " ".repeat(text.length);
}

/** Recognises an output of a different engine; returns null for any other output. */
export function foreignOutput(markup: string): { reason: string; isEnd: boolean; changesNames: boolean } | null {
  const written = markup.trimEnd().slice(0, 500);
  const row = foreignCode.find(({ pattern }) => pattern?.test(written));
  if (!row) return null;
  const [engine] = row.engines.split(" ");
  // The scanner reads a dash at either end as whitespace control, and the third brace as text.
  const dashes = foreignComment.test(markup) ? [markup.startsWith("-") ? "-" : "", "-"] : ["", ""];
  const whole = `{{${dashes.join(markup)}}}${markup.startsWith("{") ? "}" : ""}`;
  const reason = `\`${shortened(whole.replace(/\s+/g, " "))}\` is code of ${engine}; ${adviceOf(row, written)}`;
  return { reason, isEnd: written.startsWith("/"), changesNames: /^\s*(?:[#^]|range|with)/.test(written) };
}
