// The tables of `docs/coming-from.md`: what authors write who know other products, and what to write here. The checks of templates read the
// same rows. In the document, a table follows a comment that names its kind and its engines.
import { foreignCode, foreignSyntax } from "colophon-liquid/foreign-syntax";
import * as words from "colophon-liquid/foreign-words";
import * as markup from "colophon-template-checks/foreign-markup";
import { foreignCss } from "../../packages/templates/src/styles/foreign-css.ts";

type Row = { engines: string; there: string[]; here: string };

/** `write` returns a word as authors write it. */
function rowsOf(rows: readonly words.ForeignWord[], write = (word: string) => word): Row[] {
  return rows.map((row) => {
    const there = row.pattern ? [row.foreign] : row.foreign.split(" ").map(write);
    // Patterns of outputs match the inside.
    const inside = row.foreign.replace(/^\{\{|\}\}$/g, "");
    const isWhole = row.pattern?.test(row.foreign) ?? true;
    return { engines: row.engines, there, here: words.adviceOf(row, isWhole ? row.foreign : inside) };
  });
}

const properties = rowsOf(words.foreignProperties, (word) => `.${word}`);
const tables = new Map([
  [
    "words",
    [
      ...rowsOf(foreignCode),
      ...rowsOf(foreignSyntax).filter(({ engines }) => engines !== ""),
      ...rowsOf(words.foreignTags, (word) => `{% ${word} %}`),
      ...rowsOf(words.foreignFilters, (word) => `| ${word}`),
      ...rowsOf(words.foreignFunctions, (word) => `${word}()`),
      ...rowsOf(words.foreignNames),
      ...properties.map((row) => ({ ...row, here: `write \`.${row.here}\`` })),
    ],
  ],
  [
    "markup",
    [
      ...rowsOf(markup.foreignTagCode),
      ...rowsOf(markup.foreignTextCode),
      ...rowsOf(markup.foreignPlaceholders),
      ...rowsOf(markup.foreignComments),
      ...rowsOf(markup.foreignElements, (word) => `<${word}>`),
      ...rowsOf(markup.foreignAttributes, (word) => `${word}=""`),
    ],
  ],
  [
    "css",
    foreignCss.flatMap(({ kind, engines, names, instead }): Row[] => {
      const shown = (name: string) =>
        kind === "class" ? `class="${name}"` : `${kind === "at-rule" ? "@" : ""}${name}`;
      return instead === null ? [] : [{ engines, there: names.map(shown), here: instead }];
    }),
  ],
]);

const table = /(<!-- (\w+): ([\w ,.]+) -->)\n+(?:\|.*\n+)*/g;

/** Returns the document with its tables replaced. */
export function withForeignTables(text: string): string {
  const replaced = text.replace(table, (_table, comment: string, kind: string, engines: string) => {
    const wanted = engines.split(", ");
    const rows = (tables.get(kind) ?? []).filter((row) =>
      row.engines.split(/,? /).some((each) => wanted.includes(each)),
    );
    if (rows.length === 0) throw new Error(`docs/coming-from.md has a table without rows: ${comment}`);
    const lines = rows.map(({ there, here }) => `| ${there.map(code).join(", ")} | ${cell(here)} |`);
    return [comment, "", "| there | here |", "|---|---|", ...lines, "", ""].join("\n");
  });
  return `${replaced.trimEnd()}\n`;
}

/** A backtick would end the code. */
function code(text: string): string {
  return cell(text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``);
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
