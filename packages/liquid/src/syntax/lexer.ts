// Divides the inside of a tag or output into lexemes: names, numbers, strings, operators and punctuation.
import { newlinesIn } from "colophon-base/line-counter";
import { LiquidSyntaxError } from "../errors.ts";
import { remedyFor, withRemedies } from "./remedies.ts";

/** The final lexeme has an empty text. `at` is the index in the markup. */
export type Lexeme = {
  kind: "name" | "number" | "string" | "operator" | "end";
  text: string;
  at: number;
  line: number;
};

// Sticky, so that each match begins where the previous one ended. The alternatives are, in order: white space, a
// string, a number, a name, a comparison, and punctuation.
const lexemePattern =
  /\s+|"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|(-?\d+(?:\.\d+)?)|([A-Za-z_][\w-]*\??)|(==|!=|<>|<=|>=|<|>)|(\.\.|[|:,.[\]()=])/y;

/** `line` is the line of the file on which `markup` begins. */
export function lex(markup: string, line: number): Lexeme[] {
  const lexemes: Lexeme[] = [];
  let lineHere = line;
  lexemePattern.lastIndex = 0;
  while (lexemePattern.lastIndex < markup.length) {
    const at = lexemePattern.lastIndex;
    const match = lexemePattern.exec(markup);
    if (!match) throw unexpected(markup, at, lineHere);
    const [whole, double, single, number, name, comparison, punctuation] = match;
    const string = double ?? single;
    const operator = comparison ?? punctuation;
    const position = { at, line: lineHere };
    if (string !== undefined) lexemes.push({ kind: "string", text: unescaped(string), ...position });
    else if (number !== undefined) lexemes.push({ kind: "number", text: number, ...position });
    else if (name !== undefined) lexemes.push({ kind: "name", text: name, ...position });
    else if (operator !== undefined) lexemes.push({ kind: "operator", text: operator, ...position });
    lineHere += newlinesIn(whole);
  }
  lexemes.push({ kind: "end", text: "", at: markup.length, line: lineHere });
  return lexemes;
}

/** Resolves escapes such as `\n`. A backslash before any other character is dropped. */
function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\(?:u([\da-fA-F]{4})|([^]))/g, (_whole, code?: string, character = "") =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : (escapes[character] ?? character),
  );
}

const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t" };

function unexpected(markup: string, at: number, line: number): LiquidSyntaxError {
  const character = String.fromCodePoint(markup.codePointAt(at) ?? 0);
  const isQuote = character === '"' || character === "'";
  const notExpected = `\`${character}\` is not expected here${remedyFor(character)}`;
  const message = isQuote
    ? `the string that begins with ${character} is not closed`
    : withRemedies(notExpected, markup);
  return new LiquidSyntaxError(message, line);
}
