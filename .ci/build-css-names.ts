// Asks Chromium which names of CSS it knows, and writes them into a file that a push of a template reads.
// `npm run css:build -- CHROMIUM...` takes the executables of several versions: the oldest supported one, the newest one, and
// any between them. A Chromium of @sparticuz/chromium finds its libraries in the folder `al2023/lib` beside the executable.
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { launch } from "puppeteer-core";
import { functionSamples, keywords, selectorSamples } from "./css-samples.ts";

const output = new URL("../src/core/templates/styles/support/names/css-names.generated.ts", import.meta.url).pathname;

type Kind = "properties" | "functions" | "pseudoClasses" | "pseudoElements";
/** `values` are the keywords of each property that does not accept every word. */
type Known = Record<Kind, string[]> & { values: Record<string, string[]> };
type Browser = { version: number; known: Known };

/** Evaluates `inPage` in a page of the browser. */
async function ask(executablePath: string): Promise<Browser> {
  const folder = dirname(executablePath);
  const browser = await launch({
    executablePath,
    headless: "shell",
    args: ["--no-sandbox", ...(existsSync(join(folder, "vk_swiftshader_icd.json")) ? softwareGraphics : [])],
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, "al2023/lib") },
  });
  try {
    const page = await browser.newPage();
    const known = (await page.evaluate(
      `(${inPage})(${JSON.stringify({ functionSamples, selectorSamples, keywords })})`,
    )) as Known;
    return { version: Number(/\d+/.exec(await browser.version())?.[0]), known };
  } finally {
    await browser.close();
  }
}

/** For old versions, which do not start without a graphics library. Its files must be beside the executable. */
const softwareGraphics = ["--no-zygote", "--in-process-gpu", "--use-gl=angle", "--use-angle=swiftshader"];

/** JavaScript that runs in the page, as text, because the types of this project have no DOM. */
const inPage = String.raw`({ functionSamples, selectorSamples, keywords }) => {
  const dashed = (key) => key === "cssFloat" ? "float" : key.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase()).replace(/^webkit-/, "-webkit-");
  const properties = new Set();
  for (const key in document.body.style) if (CSS.supports(dashed(key), "initial")) properties.add(dashed(key));
  const values = {};
  for (const name of properties) {
    if (!CSS.supports(name, "any-word")) values[name] = keywords.filter((word) => CSS.supports(name, word));
  }
  const functions = new Set();
  for (const sample of functionSamples) {
    const [property, value] = sample.split(/: (.*)/s);
    if (CSS.supports(property, value)) for (const [, name] of value.matchAll(/(-?[a-z][\w-]*)\(/gi)) functions.add(name.toLowerCase());
  }
  const pseudoClasses = new Set(), pseudoElements = new Set();
  for (const sample of selectorSamples) {
    if (!CSS.supports("selector(" + sample + ")")) continue;
    for (const [, colons, name] of sample.matchAll(/(::?)(-?[a-z][\w-]*)/g)) (colons === ":" ? pseudoClasses : pseudoElements).add(name);
  }
  return { values, properties: [...properties], functions: [...functions], pseudoClasses: [...pseudoClasses], pseudoElements: [...pseudoElements] };
}`;

function generatedModule(asked: Browser[]): string {
  const kinds: Kind[] = ["properties", "functions", "pseudoClasses", "pseudoElements"];
  const entries = kinds.map((kind) => `  ${kind}: [\n${ranges(asked, kind).join("")}  ],\n`);
  return [
    "// Generated from browsers by `npm run css:build`. Do not edit it.\n",
    `// The versions of Chromium that were asked: ${asked.map(({ version }) => version).join(", ")}.\n\n`,
    "/**\n * Names that the same versions know. `after` is the newest version that did not know them yet, and `before` the oldest\n",
    " * version that no longer knows them; null if all versions in that direction know them.\n */\n",
    "export type NameRange = { after: number | null; before: number | null; names: string };\n\n",
    `export const cssNames = {\n${entries.join("")}} satisfies Record<string, NameRange[]>;\n\n`,
    "/**\n * The keywords of properties that every asked version knows and that do not accept every word. After a keyword, `>131`\n",
    " * means that 131 and older versions do not know it, and `<131` that 131 and newer ones do not. `<color>` stands for `colors`.\n */\n",
    `export const cssKeywords: { properties: string; words: string }[] = [\n${valueGroups(asked).join("")}];\n\n`,
    `export const colors =\n  "${wordsOf(asked, "color").join(" ")}";\n`,
  ].join("");
}

function valueGroups(asked: Browser[]): string[] {
  const properties = asked[0]?.known.properties.filter((name) => !name.startsWith("-webkit-")) ?? [];
  const colors = new Set(wordsOf(asked, "color"));
  const groups = new Map<string, string[]>();
  for (const name of properties.sort()) {
    if (!asked.every(({ known }) => known.values[name])) continue;
    const words = wordsOf(asked, name);
    const others = words.filter((word) => !colors.has(word));
    const isColor = words.length - others.length === colors.size;
    const key = (isColor ? ["<color>", ...others] : words).join(" ");
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return [...groups].map(
    ([words, names]) => `  {\n    properties: "${names.join(" ")}",\n    words: "${words}",\n  },\n`,
  );
}

/** Returns the keywords of a property, each with the versions that do not know it. */
function wordsOf(asked: Browser[], property: string): string[] {
  return keywords.flatMap((word) => {
    const knows = asked.map(({ known }) => known.values[property]?.includes(word) ?? false);
    if (!knows.includes(true)) return [];
    const after = asked[knows.indexOf(true) - 1];
    const before = asked[knows.lastIndexOf(true) + 1];
    return [`${word}${after ? `>${after.version}` : before ? `<${before.version}` : ""}`];
  });
}

/** Returns the names of one kind, grouped by the versions that know them. */
function ranges(asked: Browser[], kind: Kind): string[] {
  const groups = new Map<string, string[]>();
  for (const name of [...new Set(asked.flatMap(({ known }) => known[kind]))].sort()) {
    const knows = asked.map(({ known }) => known[kind].includes(name));
    const after = asked[knows.indexOf(true) - 1]?.version ?? null;
    const before = asked[knows.lastIndexOf(true) + 1]?.version ?? null;
    const key = `after: ${after}, before: ${before}`;
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return [...groups].map(
    ([key, names]) =>
      `    {\n${key
        .split(", ")
        .map((part) => `      ${part},\n`)
        .join("")}      names:\n        "${names.join(" ")}",\n    },\n`,
  );
}

const browsers: Browser[] = [];
for (const path of process.argv.slice(2)) browsers.push(await ask(path));
browsers.sort((a, b) => a.version - b.version);
if (browsers.length < 2) throw new Error("Name the executables of at least two versions of Chromium.");
await writeFile(output, generatedModule(browsers));
for (const { version, known } of browsers) console.log(version, known.properties.length, "properties");
