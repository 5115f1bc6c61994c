// Finds the files that a style sheet refers to, and its syntax errors. The style sheet is read as tokens of CSS Syntax Level 3,
// as in a browser, so escapes, quotes and comments need no special treatment here. Nothing recurses, and the time is
// proportional to the length.
import { ParseErrorMessage, TokenType, tokenizer, type CSSToken, type ParseError } from "@csstools/css-tokenizer";
import { shortened } from "colophon-base/text";

/** A file named by `url(...)` or a quoted string. `start` and `end` delimit that token. */
export type StyleReference = { target: string; start: number; end: number };

/** `index` is the position of the problem in the style sheet. */
export type StyleProblem = { index: number; reason: string };

export type StyleScan = { references: StyleReference[]; problems: StyleProblem[] };

/** The scan stops after this many problems, because a hostile style sheet could have millions. */
export const maxStyleProblems = 100;
/** The maximum depth of nested brackets. Browsers recurse on them. */
const maxNesting = 100;

/** Functions whose quoted arguments are file names, unlike the arguments of other functions such as `format`. */
const fileFunctions = new Set(["url", "src", "image", "image-set", "-webkit-image-set"]);

const closers: Partial<Record<TokenType, TokenType>> = {
  [TokenType.Function]: TokenType.CloseParen,
  [TokenType.OpenParen]: TokenType.CloseParen,
  [TokenType.OpenSquare]: TokenType.CloseSquare,
  [TokenType.OpenCurly]: TokenType.CloseCurly,
};
const closing = new Set(Object.values(closers));

/** Descriptions of the tokenizer's errors. Errors inside a `url()` are left out, because a token also reports them. */
const tokenizerReasons: Record<string, string> = {
  [ParseErrorMessage.UnexpectedNewLineInString]: "the quoted text is not closed on its line",
  [ParseErrorMessage.UnexpectedEOFInString]: "the quoted text is never closed",
  [ParseErrorMessage.UnexpectedEOFInComment]: "the comment is never closed",
  [ParseErrorMessage.UnexpectedEOFInURL]: "the `url(` is never closed",
  [ParseErrorMessage.UnexpectedEOFInEscapedCodePoint]: "the file ends after a backslash",
  [ParseErrorMessage.InvalidEscapeSequenceAfterBackslash]: "a backslash outside quotes cannot end a line",
};

/** An open bracket or function. `name` is empty for a bracket. */
type Block = { closer: TokenType; name: string; text: string; index: number };

type Scan = StyleScan & {
  blocks: Block[];
  /** The rule around the token if its URL is not an asset: `@namespace` has only a name. */
  rule: "namespace" | "import" | null;
};

export function readStyles(css: string): StyleScan {
  const scan: Scan = { references: [], problems: [], blocks: [], rule: null };
  const report = (index: number, reason: string) => scan.problems.push({ index, reason });
  const end = css.search(/<\/style/i);
  if (end >= 0) report(end, "`</style` would end the style sheet");
  const onParseError = ({ message, sourceStart }: ParseError) => {
    const reason = tokenizerReasons[message];
    if (reason) report(sourceStart, reason);
  };
  const tokens = tokenizer({ css }, { onParseError });
  const isReadable = () => scan.blocks.length <= maxNesting && scan.problems.length < maxStyleProblems;
  while (!tokens.endOfFile() && isReadable()) readToken(scan, tokens.nextToken(), report);
  const open = scan.blocks.at(-1);
  if (scan.blocks.length > maxNesting) {
    report(open?.index ?? 0, `brackets are nested more than ${maxNesting} levels deep`);
  } else if (open && scan.problems.length === 0) {
    report(open.index, `\`${open.text}\` is never closed`);
  }
  scan.problems.sort((a, b) => a.index - b.index);
  return scan;
}

function readToken(scan: Scan, token: CSSToken, report: (index: number, reason: string) => void): void {
  const [type, text, start, end] = token;
  const closer = closers[type];
  if (closer) openBlock(scan, token, closer);
  if (closing.has(type)) closeBlock(scan, token, report);
  if (type === TokenType.Semicolon || type === TokenType.OpenCurly) scan.rule = null;
  if (type === TokenType.AtKeyword) {
    const name = token[4].value.toLowerCase();
    scan.rule = name === "namespace" || name === "import" ? name : null;
    if (name === "import") report(start, noImport);
  }
  if (type === TokenType.BadURL) {
    report(start, `\`${shortened(text)}\` is not a valid \`url()\`; put the file's name in quotes`);
  }
  const isFileString = type === TokenType.String && fileFunctions.has(scan.blocks.at(-1)?.name ?? "");
  if ((type === TokenType.URL || isFileString) && !scan.rule) {
    scan.references.push({ target: token[4].value, start, end: end + 1 });
  }
}

const noImport =
  "`@import` is not supported; put the styles into style.css, or into a file that `styles` of template.json lists, and fonts into assets/";

export function isImport({ reason }: StyleProblem): boolean {
  return reason === noImport;
}

function openBlock(scan: Scan, token: CSSToken, closer: TokenType): void {
  const [type, text, index] = token;
  const name = type === TokenType.Function ? token[4].value.toLowerCase() : "";
  scan.blocks.push({ closer, name, text: shortened(text), index });
}

/** Closes the innermost block. As in a browser, a bracket that does not match the innermost block closes nothing. */
function closeBlock({ blocks }: Scan, [type, text, index]: CSSToken, report: (index: number, reason: string) => void) {
  if (blocks.at(-1)?.closer === type) blocks.pop();
  else report(index, `\`${text}\` closes nothing`);
}
