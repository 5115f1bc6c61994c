// The content security policy of every document. It is one of several measures that block network access. The others are in
// `harden-page.ts` of the package `render`.

/**
 * Allows `data:` URIs and the document's own styles. Blocks scripts, forms and all other sources. It does not block
 * frames with `srcdoc`, whose markup the page script removes.
 */
export const contentSecurityPolicy =
  "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
