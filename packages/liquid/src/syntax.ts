// The exports for checks of a template: the parse tree, the parts that its files use, and the limits that apply to all of its files.
export { maxCodeChars, maxPartDepth, maxTokens, tooManyParts, tooManyTokens } from "./syntax/limits.ts";
export { mistakeLimit, type Unparsed } from "./syntax/mistakes.ts";
export { allNodes, contentsOf, namesRead, readsVariable } from "./syntax/node-contents.ts";
export { filesUsedBy, isPartName, partUses, type Parts, type PartUse } from "./syntax/parts.ts";
export type * from "./syntax/tree.ts";
