// What checks of a template read: the parse tree, the parts that its files use, and the limits that apply to all of its files.
export { maxCodeChars, maxMistakes, maxPartDepth, maxTokens, tooManyParts, tooManyTokens } from "./syntax/limits.ts";
export { allNodes, contentsOf } from "./syntax/node-contents.ts";
export { isPartName } from "./syntax/parts/part-tags.ts";
export { filesUsedBy, partUses, type Parts, type PartUse } from "./syntax/parts/part-uses.ts";
export { namesRead, readsVariable } from "./syntax/reads-variable.ts";
export type * from "./syntax/tree.ts";
