// Puts inlined files in place of their placeholders. This is a module of its own, because the page script contains it.

/** A file as a `data:` URI, with the placeholder that stands for it in markup. */
export type InlinedFile = { placeholder: string; uri: string };

const anyPlaceholder = /colophon-file-[\da-f-]{36}:\d+;/g;

/** Returns the markup with these files in place of their placeholders. */
export function resolveFiles(markup: string, files: InlinedFile[]): string {
  const uris = new Map(files.map(({ placeholder, uri }) => [placeholder, uri]));
  return markup.replace(anyPlaceholder, (text) => uris.get(text) ?? text);
}
