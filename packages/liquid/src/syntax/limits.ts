// The limits on what a template may contain. They are checked when a template is parsed, and bound the time and the depth of
// parsing. The time of rendering is bounded by the meter.

/** The maximum number of characters in one tag or output. In a `liquid` tag, the limit applies to each line. */
export const maxTagChars = 20_000;
/** The maximum number of arguments of one part. */
export const maxArguments = 100;
/** The maximum depth of expressions inside brackets, as in `a[b[c]]`. */
export const maxExpressionDepth = 20;
/** After this number of mistakes in filters, only the first one of each remaining file is listed. */
export const maxMistakes = 100;
/** The maximum number of blocks nested inside one another. */
export const maxNesting = 100;
/**
 * The maximum number of texts, outputs and tags in all files of one template, comments and closing tags included. With
 * the limit below, it bounds the time in which a Worker parses a template, because it cannot stop in between.
 */
export const maxTokens = 20_000;
/** The maximum number of characters inside the outputs and tags of all files of one template. */
export const maxCodeChars = 200_000;
/** The maximum number of files that use one another: a page, its layout, a part of the layout, and so on. */
export const maxPartDepth = 20;

export const tooManyParts = `parts and layouts are nested more than ${maxPartDepth} levels deep`;
export const tooManyTokens = `the template has more than ${maxTokens.toLocaleString("en-US")} texts, outputs and tags`;
export const tooDeep = `blocks are nested more than ${maxNesting} levels deep`;
