// The files that a document contains as `data:` URIs. While Liquid runs, a short placeholder represents each file, so Liquid's
// limits on markup do not count the files, and Liquid does not copy megabytes of base64.
import { LiquidError } from "colophon-liquid/liquid";
import { escapeHtml } from "colophon-liquid/values";
import { filePlaceholder, type InlinedFile } from "colophon-page/resolve-files";
import { assetName } from "../asset-names.ts";
import type { TemplateData } from "../template-data.ts";

export type InlinedFiles = ReturnType<typeof inlinedFiles>;

/** The maximum number of inlined bytes in one document; each base64 character counts as three quarters of a byte. */
export const maxInlinedBytes = 20_000_000;

/** Returns the number of characters in the markup that belong to `data:` URIs. */
export function dataUriChars(markup: string): number {
  let chars = 0;
  for (const [uri] of markup.matchAll(/data:[^"'()\s<>]*/gi)) chars += uri.length;
  return chars;
}

/** Returns the inlined files of one document. `assetUris` are the template's files as `data:` URIs, by name. */
export function inlinedFiles(assetUris: ReadonlyMap<string, string>) {
  const uris: string[] = [];
  const numbers = new Map<string, number>();
  // The id is random, so that a caller's text is never mistaken for a placeholder.
  const id = crypto.randomUUID();
  // Most documents have no files, and compiling the expression takes longer than the rest of this function.
  let expression: RegExp | null = null;
  const placeholdersIn = (markup: string) =>
    uris.length === 0 ? [] : markup.matchAll((expression ??= new RegExp(filePlaceholder(id, "(\\d+)"), "g")));
  const placeholder = (uri: string, key = uri): string => {
    const number = numbers.get(key) ?? uris.push(uri) - 1;
    numbers.set(key, number);
    return filePlaceholder(id, number);
  };
  return {
    /** Returns the values of `data`, with placeholders for the images' `data:` URIs. */
    insertPlaceholders({ values, images }: TemplateData): Record<string, unknown> {
      // Callers' URIs are escaped, because they may contain characters that end an attribute. The URIs of assets contain no
      // such characters.
      for (const { source, show } of images) show(isDataUri(source) ? placeholder(escapeHtml(ascii(source))) : source);
      return values;
    },
    /** Returns the placeholder of a file in the template's `assets/`; throws if the file does not exist. */
    assetReference(name: string): string {
      const asset = assetName(name);
      const uri = assetUris.get(asset);
      if (uri === undefined) throw new LiquidError(`there is no file assets/${name}`);
      // URIs are long, and V8 would compare each with all others of the same length.
      return placeholder(uri, `assets/${asset}`);
    },
    /** Returns how many characters `resolveFiles` would insert; a file that occurs twice counts twice. */
    charsIn(markup: string): number {
      let chars = 0;
      for (const [, number] of placeholdersIn(markup)) chars += uris[Number(number)]?.length ?? 0;
      return chars;
    },
    /** Returns each file that the markups refer to, without duplicates. */
    filesIn(markups: Iterable<string>): InlinedFile[] {
      const files = new Map<string, InlinedFile>();
      for (const markup of markups) {
        for (const [placeholder, number] of placeholdersIn(markup)) {
          const uri = uris[Number(number)];
          if (uri !== undefined) files.set(placeholder, { placeholder, uri });
        }
      }
      return [...files.values()];
    },
  };
}

/** Returns the URI with non-ASCII characters escaped, as a browser does. An ASCII string takes one byte per character. */
function ascii(uri: string): string {
  return uri.toWellFormed().replace(/[\u0080-\uffff]+/g, encodeURIComponent);
}

function isDataUri(source: string): boolean {
  return /^data:image\//i.test(source);
}
