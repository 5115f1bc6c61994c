// Limits on the content of templates. They are checked when a template is parsed, and bound the time and the depth of
// parsing. The meter bounds the time of rendering.

/** The maximum number of characters in one tag or output. In a `liquid` tag, the limit applies to each line. */
export const maxTagChars = 20_000;
/** The maximum number of arguments of one part. */
export const maxArguments = 100;
/** The maximum nesting of brackets in expressions, as in `a[b[c]]`. */
export const maxExpressionDepth = 20;
/** After this number of filter mistakes, only the first one of each remaining file is listed. */
export const maxFilterMistakes = 100;
/** The maximum number of other mistakes in all files of a template that are listed. */
export const maxOtherMistakes = 20;
/** The maximum number of blocks nested inside one another. */
export const maxNesting = 100;
/**
 * The maximum number of texts, outputs and tags in all files of a template, including comments and closing tags. With
 * the limit below, it bounds the time in which a Worker parses a template, because parsing cannot pause.
 */
export const maxTokens = 20_000;
/** The maximum number of characters inside outputs and tags in all files of a template. */
export const maxCodeChars = 200_000;
/** The maximum number of files that use one another: a page, its layout, a part of the layout, and so on. */
export const maxPartDepth = 20;

export const tooManyParts = `parts and layouts are nested more than ${maxPartDepth} levels deep`;
export const tooManyTokens = `the template has more than ${maxTokens.toLocaleString("en-US")} texts, outputs and tags`;
export const tooDeep = `blocks are nested more than ${maxNesting} levels deep`;
