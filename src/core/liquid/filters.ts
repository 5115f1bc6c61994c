// The filters that documents need in addition to Liquid's own filters. To add a filter, add an entry to
// `formatFilters`, to `codeFilters`, or to one of the records in this file.
import type { Liquid } from "liquidjs";
import { codeFilters } from "./code-filters.ts";
import { charge, isPrintable, scopeOf, type Filter } from "./filter-call.ts";
import { formatFilters } from "./format-filters.ts";
import { markdownHtml } from "./markdown.ts";

export function registerDocumentFilters(liquid: Liquid): void {
  for (const [name, handler] of Object.entries(textFilters)) liquid.registerFilter(name, handler);
  for (const [name, handler] of Object.entries(markupFilters)) liquid.registerFilter(name, { raw: true, handler });
}

/** Filters that return text, which is escaped like every other value. */
const textFilters: Record<string, Filter> = {
  ...formatFilters,
  /** Inlines a file from the template's `assets/`: `<img src="{{ 'logo.svg' | asset }}">`. */
  asset(name) {
    return scopeOf(this).assetReference(String(name));
  },
};

/** Filters that return safe markup, which is not escaped. */
const markupFilters: Record<string, Filter> = {
  ...codeFilters,
  /**
   * Converts CommonMark with tables and strikethrough to HTML: `{{ notes | markdown }}`. HTML tags are shown as text.
   */
  markdown(value) {
    const text = isPrintable(value) ? String(value) : "";
    // Converting a character takes about as long as rendering a node of the template, so each character is charged as
    // one visit.
    charge(this, text.length);
    return markdownHtml(text);
  },
};
