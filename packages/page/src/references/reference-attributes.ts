// The attributes that carry page numbers and leaders to the styles of a document. A template writes
// `target-counter(attr(href), page)` and `leader(".")`, which Chromium does not support. The compiled styles instead read
// attributes that the page script sets. An attribute's name encodes its value.
import { isCounterStyle, type CounterStyle } from "./counter-styles.ts";

/**
 * A page number. `source` is the attribute of the same element that refers to the target, usually `href`. The style `part` is the number
 * within the target's part of the document, as viewers label the page.
 */
export type PageAttribute = { name: string; source: string; style: ReferenceStyle };
export type ReferenceStyle = CounterStyle | "part";

/** A leader. `pattern` is the string that is repeated. */
export type LeaderAttribute = { name: string; pattern: string };

/** The custom property of the root element that lists the attributes used in the template's styles. */
export const attributesProperty = "--colophon-references";

const pagePrefix = "data-colophon-page-";
export const leaderPrefix = "data-colophon-leader-";

export function pageAttributeName(source: string, style: ReferenceStyle): string {
  return `${pagePrefix}${style}-of-${source.toLowerCase()}`;
}

/** Returns a name that contains the pattern in hexadecimal, because a pattern can be any string. */
export function leaderAttributeName(pattern: string): string {
  let digits = "";
  for (let at = 0; at < pattern.length; at++) digits += pattern.charCodeAt(at).toString(16).padStart(4, "0");
  return `${leaderPrefix}${digits}`;
}

/** Parses names from `pageAttributeName` and `leaderAttributeName`, separated by spaces. Ignores other names. */
export function parseAttributeNames(names: string): { pages: PageAttribute[]; leaders: LeaderAttribute[] } {
  const pages: PageAttribute[] = [];
  const leaders: LeaderAttribute[] = [];
  for (const name of names.trim().split(/\s+/)) {
    const [, style = "", source = ""] = /^data-colophon-page-([a-z-]+?)-of-([a-z][\w-]*)$/.exec(name) ?? [];
    if (isCounterStyle(style) || style === "part") pages.push({ name, source, style });
    const [, digits = ""] = /^data-colophon-leader-((?:[0-9a-f]{4})+)$/.exec(name) ?? [];
    const units = (digits.match(/.{4}/g) ?? []).map((unit) => parseInt(unit, 16));
    if (units.length > 0) leaders.push({ name, pattern: String.fromCharCode(...units) });
  }
  return { pages, leaders };
}
