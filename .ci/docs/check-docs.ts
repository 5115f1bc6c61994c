// `npm run docs:values` copies numbers from constants in the code, and the tables of other products' words, into the documents, and
// `npm run docs:check` fails if a document differs. `values.ts` contains the sentences.
import { readFile, writeFile } from "node:fs/promises";
import { withForeignTables } from "./foreign-tables.ts";
import { completeFiles, lists, sentences, type Sentence } from "./values.ts";

const root = new URL("../../", import.meta.url);
const isCheck = process.argv.includes("--check");
const problems: string[] = [];

/** Lines may be broken anywhere. A number matches a number, and a short string matches a string. */
function patternOf({ parts, values }: Sentence): RegExp {
  const literal = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
  const holes = values.map((value) => (typeof value === "number" ? "(\\d[\\d,.]*(?<=\\d))" : "([^|]{1,300}?)"));
  return new RegExp(parts.map((part, index) => literal(part) + (holes[index] ?? "")).join(""), "d");
}

function shown(value: number | string): string {
  return typeof value === "number" ? value.toLocaleString("en-US") : value;
}

/** Returns the document with the values from the code. */
function corrected(file: string, text: string): string {
  const covered: [number, number][] = [];
  let result = text;
  for (const sentence of sentences[file] ?? []) {
    const found = patternOf(sentence).exec(result);
    const whole = sentence.parts.reduce((start, part, index) => start + shown(sentence.values[index - 1] ?? "") + part);
    if (!found?.indices) {
      problems.push(`${file} lacks this sentence of .ci/docs/values.ts: ${whole}`);
      continue;
    }
    for (const [index, value] of [...sentence.values.entries()].toReversed()) {
      const [start, end] = found.indices[index + 1] ?? [0, 0];
      const written = result.slice(start, end).replace(/\s+/g, " ");
      if (written === shown(value)) continue;
      if (isCheck) problems.push(`${file} says ${written}, but the code has ${shown(value)}: ${whole}`);
      else result = result.slice(0, start) + shown(value) + result.slice(end);
    }
    covered.push([found.index, found.index + found[0].length]);
  }
  // Replaced values move the following text, so only the next check of this document has exact positions.
  if (completeFiles.includes(file) && result === text) findUncovered(file, text, covered);
  return result;
}

/** Every number in a complete document belongs to a sentence, except numbers in code blocks. */
function findUncovered(file: string, text: string, covered: [number, number][]): void {
  const prose = text.replace(/^```.*?^```/gms, (code) => " ".repeat(code.length));
  for (const { index, 0: number } of prose.matchAll(/(?<![#\w])\d[\d,.]*/g)) {
    if (covered.some(([start, end]) => index >= start && index < end)) continue;
    const line = text.slice(text.lastIndexOf("\n", index) + 1, text.indexOf("\n", index));
    problems.push(`${file}: no sentence of .ci/docs/values.ts contains the number ${number} in: ${line}`);
  }
}

for (const file of Object.keys(sentences)) {
  const text = await readFile(new URL(file, root), "utf8");
  const result = corrected(file, text);
  if (result !== text) await writeFile(new URL(file, root), result);
}
const foreign = new URL("docs/coming-from.md", root);
const written = await readFile(foreign, "utf8");
const generated = withForeignTables(written);
if (isCheck && generated !== written) problems.push("the tables of docs/coming-from.md differ from those in the code");
else if (generated !== written) await writeFile(foreign, generated);
for (const { file, what, pattern, expected } of lists) {
  const found = [...(await readFile(new URL(file, root), "utf8")).matchAll(pattern)].map((match) => match[1] ?? "");
  const [more, missing] = [new Set(found).difference(new Set(expected)), new Set(expected).difference(new Set(found))];
  if (missing.size > 0) problems.push(`${file} lacks ${what}: ${[...missing].join(", ")}`);
  if (more.size > 0) problems.push(`${file} has ${what} that the code does not have: ${[...more].join(", ")}`);
}
if (problems.length > 0) {
  console.error([...problems, "`npm run docs:values` corrects numbers; correct the rest by hand."].join("\n"));
  process.exitCode = 1;
}
