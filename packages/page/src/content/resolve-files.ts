// Puts inlined files in place of their placeholders. This is a separate module, because the page script contains it.

/** A file as a `data:` URI, with the placeholder that stands for it in markup. The URI consists of ASCII characters. */
export type InlinedFile = { placeholder: string; uri: string };

/** A file that is sent apart from the markup. `type` is the beginning of its URI, up to the comma. */
export type SentFile = { placeholder: string; chars: number; type: string };

const anyPlaceholder = new RegExp(filePlaceholder("[\\da-f-]{36}", "\\d+"), "g");
const maxTypeChars = 100;

/** Returns the text that stands for a file of a document in markup. `id` is a UUID that does not occur in the markup otherwise. */
export function filePlaceholder(id: string, number: number | string): string {
  return `colophon-file-${id}:${number};`;
}

/** Returns the markup with these files in place of their placeholders. */
export function resolveFiles(markup: string, files: readonly InlinedFile[]): string {
  const uris = new Map(files.map(({ placeholder, uri }) => [placeholder, uri]));
  return markup.replace(anyPlaceholder, (text) => uris.get(text) ?? text);
}

export function sentFile({ placeholder, uri }: InlinedFile): SentFile {
  return { placeholder, chars: uri.length, type: uri.slice(0, maxTypeChars).split(",", 1).join() };
}
