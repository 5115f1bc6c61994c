// The content security policy of every document. It is one of the layers that keep a render off the network; the others are
// in `objects/rendering/harden-page.ts`.

/** Allows `data:` URIs and the document's own styles; no script, form or frame, and no other source. */
export const contentSecurityPolicy =
  "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline' data:; base-uri 'none'; form-action 'none'";
