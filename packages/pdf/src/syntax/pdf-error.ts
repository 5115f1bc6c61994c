// The only error that this folder throws for a PDF that it cannot read.

/** Thrown for bytes that are not a PDF of the kind that Chromium writes. The message describes the problem. */
export class PdfError extends Error {}
