// Maps the families in styles onto those of a document, without reading the structure of the styles: whatever a browser may take
// for a declaration begins after `{`, `}` or `;`. A declaration that no browser reads is mapped too, which changes nothing.
import { TokenType, tokenizer, type CSSToken } from "@csstools/css-tokenizer";
import { declarationEdits, withoutSpace, type FamilyEdit } from "./declaration-edits.ts";
import { familyVariable, mappedVariable, ownFamilies } from "./family-values.ts";
import { closerOf } from "./value-parts.ts";

/** `kind` is `rules` for a style sheet and `style` for the value of a `style` attribute. */
type StyleText = {
  kind: "rules" | "style";
  css: string;
  /** Whether custom properties are mapped, to which the fonts of this or another text may refer. */
  withVariables: boolean;
};

/** `usesVariables` is whether a font refers to a custom property. */
export type StyleFamilies = { edits: FamilyEdit[]; usesVariables: boolean };

/** A block that is open, with the name of its at-rule; an empty name for other blocks. */
type Block = { rule: string; prelude: CSSToken[]; descriptors: Map<string, CSSToken[]> };
/** A declaration that is being read. `isNamed` is true after the colon. */
type Declaration = { name: string; isNamed: boolean; value: CSSToken[]; open: TokenType[]; end: number };
type Reading = StyleFamilies & {
  text: StyleText;
  blocks: Block[];
  declaration: Declaration | null;
  /** What stands before the next block: its at-rule, and the tokens after that as far as they are needed. */
  rule: string;
  prelude: CSSToken[];
  /** Whether a declaration or an at-rule can begin here. */
  isStart: boolean;
};

export function styleFamilies(text: StyleText): StyleFamilies {
  const reading: Reading = {
    text,
    edits: [],
    usesVariables: false,
    blocks: [],
    declaration: null,
    rule: "",
    prelude: [],
    isStart: true,
  };
  // Most styles without these words need no mapping.
  if (!(text.withVariables ? /font|\ball\b|\\|--/i : /font|\ball\b|\\/i).test(text.css)) return reading;
  withoutStacks(() => {
    const tokens = tokenizer({ css: text.css });
    while (!tokens.endOfFile()) {
      const token = tokens.nextToken();
      if (token[0] !== TokenType.EOF) readToken(reading, token);
    }
  });
  endDeclaration(reading);
  return reading;
}

/** The tokenizer creates an error for each mistake, of which a text may have a million. Most of their time is spent on stacks. */
function withoutStacks(run: () => void): void {
  const limit: unknown = Reflect.get(Error, "stackTraceLimit");
  Reflect.set(Error, "stackTraceLimit", 0);
  try {
    run();
  } finally {
    Reflect.set(Error, "stackTraceLimit", limit);
  }
}

/** Returns the text with the edits, which must be in order. */
export function withEdits(text: string, edits: readonly FamilyEdit[]): string {
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end, text: inserted } of edits) {
    // An edit inside another one is in a value that no browser supports, such as a file in place of a font family.
    if (start < copied) continue;
    parts.push(text.slice(copied, start), inserted);
    copied = end;
  }
  return [...parts, text.slice(copied)].join("");
}

function readToken(reading: Reading, token: CSSToken): void {
  const [type] = token;
  const { declaration } = reading;
  if (declaration?.isNamed) return readValue(reading, declaration, token);
  if (type === TokenType.Whitespace || type === TokenType.Comment) return;
  if (declaration && type === TokenType.Colon) {
    declaration.isNamed = true;
    declaration.end = token[3] + 1;
    return;
  }
  reading.declaration = null;
  readOther(reading, token);
}

function readOther(reading: Reading, token: CSSToken): void {
  const [type] = token;
  const { isStart } = reading;
  reading.isStart = type === TokenType.OpenCurly || type === TokenType.CloseCurly || type === TokenType.Semicolon;
  if (type === TokenType.OpenCurly) return openBlock(reading);
  if (type === TokenType.CloseCurly) return closeBlock(reading, token);
  if (type === TokenType.Semicolon) reading.rule = "";
  if (type === TokenType.CDO || type === TokenType.CDC) reading.isStart = isStart;
  if (isStart && type === TokenType.AtKeyword) {
    reading.rule = token[4].value.toLowerCase();
    reading.prelude = [];
  } else if (reading.rule === "property" || reading.rule === "font-feature-values") {
    reading.prelude.push(token);
  } else if (isStart && type === TokenType.Ident) {
    const { value } = token[4];
    const name = value.startsWith("--") ? value : value.toLowerCase();
    if (isRelevant(name, reading)) reading.declaration = { name, isNamed: false, value: [], open: [], end: 0 };
  }
}

function isRelevant(name: string, { blocks }: Reading): boolean {
  if (name.startsWith("--") || name === "font-family" || name === "font" || name === "all") return true;
  const rule = blocks.at(-1)?.rule;
  return (rule === "font-face" && name === "src") || rule === "property";
}

function openBlock(reading: Reading): void {
  const { rule, prelude, edits } = reading;
  if (rule === "font-feature-values") {
    const families = ownFamilies(prelude);
    const [first, last] = [prelude[0], prelude.at(-1)];
    if (families && first && last) edits.push({ start: first[2], end: last[3] + 1, text: families.join(",") });
  }
  reading.blocks.push({ rule, prelude, descriptors: new Map() });
  reading.rule = "";
  reading.prelude = [];
}

function closeBlock(reading: Reading, [, , , end]: CSSToken): void {
  const block = reading.blocks.pop();
  reading.rule = "";
  if (block?.rule === "property") {
    const text = mappedProperty(block);
    if (text !== null) reading.edits.push({ start: end + 1, end: end + 1, text });
  }
}

/** Returns the `@property` rule of the mapped custom property. */
function mappedProperty({ prelude: [name], descriptors }: Block): string | null {
  if (name?.[0] !== TokenType.Ident || !name[4].value.startsWith("--")) return null;
  const text = (descriptor: string) => (descriptors.get(descriptor) ?? []).map(([, source]) => source).join("");
  const initial = descriptors.get("initial-value");
  const value = initial ? `;initial-value:${mappedVariable(initial)}` : "";
  return `@property ${familyVariable(name[4].value)}{syntax:"*";inherits:${text("inherits")}${value}}`;
}

function readValue(reading: Reading, declaration: Declaration, token: CSSToken): void {
  const [type] = token;
  const { open, name, value } = declaration;
  const isOutside = open.length === 0;
  if (isOutside && (type === TokenType.Semicolon || type === TokenType.CloseCurly)) {
    endDeclaration(reading);
    readOther(reading, token);
    return;
  }
  // Names such as `font` are also those of elements, with which the selector of a rule can begin.
  const isValue = name.startsWith("--") && (reading.blocks.length > 0 || reading.text.kind === "style");
  if (isOutside && type === TokenType.OpenCurly && !isValue) {
    reading.declaration = null;
    readOther(reading, token);
    return;
  }
  const closer = closerOf(token);
  if (closer) open.push(closer);
  else if (open.at(-1) === type) open.pop();
  value.push(token);
}

function endDeclaration(reading: Reading): void {
  const { declaration, text, blocks, edits } = reading;
  reading.declaration = null;
  if (!declaration?.isNamed) return;
  const rule = blocks.at(-1)?.rule ?? "";
  if (rule === "property") {
    blocks.at(-1)?.descriptors.set(declaration.name, withoutSpace(declaration.value));
    return;
  }
  const found = declarationEdits(rule, declaration, text.withVariables);
  for (const edit of found.edits) edits.push(edit);
  reading.usesVariables ||= found.usesVariables;
}
