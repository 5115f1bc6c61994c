// The limits on what a template may contain. They are checked when a template is parsed, so that the time to evaluate
// one node is bounded before any data is known.

/** The maximum number of characters in one tag or output. In a `liquid` tag, the limit applies to each line. */
export const maxTagChars = 20_000;
/** The maximum number of comparisons joined by `and` and `or` in one condition. */
export const maxOperands = 100;
/** The maximum number of filters in one chain. */
export const maxFilters = 50;
/** The maximum number of arguments of one filter, and of values in one `cycle`. */
export const maxArguments = 100;
/** The maximum number of steps in one path, such as `.name` or `[0]`. */
export const maxPathSteps = 50;
/** The maximum depth of expressions inside brackets, as in `a[b[c]]`. */
export const maxExpressionDepth = 20;
/** The maximum number of branches in one `if` or `case`, and of values in all `when` branches of one `case`. */
export const maxBranches = 500;
/** The maximum number of blocks nested inside one another. */
export const maxNesting = 100;
/**
 * The maximum number of texts, outputs and tags in all files of one template, comments and closing tags included. With
 * the limit below, it bounds the time in which a Worker parses a template, because it cannot stop in between.
 */
export const maxTokens = 20_000;
/** The maximum number of characters inside the outputs and tags of all files of one template. */
export const maxCodeChars = 200_000;
/** The maximum number of files that use one another: a page, its layout, a part of the layout, a part of that part... */
export const maxPartDepth = 20;

export const tooManyParts = `parts and layouts are nested more than ${maxPartDepth} levels deep`;
export const tooManyTokens = `the template has more than ${maxTokens.toLocaleString("en-US")} texts, outputs and tags`;
export const tooDeep = `blocks are nested more than ${maxNesting} levels deep`;
