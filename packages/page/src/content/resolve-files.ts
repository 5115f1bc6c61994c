// Replaces placeholders with inlined files. This is a separate module, because the page script contains it.

/** A file as a `data:` URI, with its placeholder in markup. The URI consists of ASCII characters. */
export type InlinedFile = { placeholder: string; uri: string };

/** A file that is sent separately from the markup. `type` is the beginning of its URI, up to the comma. */
export type SentFile = { placeholder: string; chars: number; type: string };

const anyPlaceholder = new RegExp(filePlaceholder("[\\da-f-]{36}", "\\d+"), "g");
const maxTypeChars = 100;

/** Returns the placeholder of a document's file in markup. `id` is a UUID that occurs nowhere else in the markup. */
export function filePlaceholder(id: string, number: number | string): string {
  return `colophon-file-${id}:${number};`;
}

/** Returns the markup with the placeholders replaced by these files. */
export function resolveFiles(markup: string, files: readonly InlinedFile[]): string {
  const uris = new Map(files.map(({ placeholder, uri }) => [placeholder, uri]));
  return markup.replace(anyPlaceholder, (text) => uris.get(text) ?? text);
}

export function sentFile({ placeholder, uri }: InlinedFile): SentFile {
  return { placeholder, chars: uri.length, type: uri.slice(0, maxTypeChars).split(",", 1).join() };
}
