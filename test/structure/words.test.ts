// The project uses one word for each thing, and CONTRIBUTING.md lists the words to avoid. This test searches the sources and
// the documentation for the words in that list.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = new URL("../..", import.meta.url).pathname;

/** These files may contain the avoided words. CONTRIBUTING.md lists them, and CHANGELOG.md mentions old names. */
const exempt = new Set(["CONTRIBUTING.md", "CHANGELOG.md"]);

/**
 * Allowed phrases: a phrase from the API contract, a property that callers may send by mistake, and the name of a Liquid
 * filter.
 */
const quotations = /completion callback|callbackUrl|^ *floor: |["`]floor["`]/gim;

describe("avoided words", () => {
  it("do not occur in the sources and the documentation", () => {
    expect(occurrences(avoidedWords(), sources())).toEqual([]);
  });

  it("are read from CONTRIBUTING.md", () => {
    expect(avoidedWords()).toContain("callback");
    expect(avoidedWords()).toContain("waiting room");
    expect(avoidedWords().length).toBeGreaterThan(20);
  });

  it.each([
    ["// Calls the callback.", "callback"],
    ["It is put into the Waiting Room.", "waiting room"],
    ["A message is handed\nover.", "handed over"],
    ["const goOn = true;", "goOn"],
  ])("are found in %j", (text, word) => {
    expect(occurrences([word], { "src/a.ts": text })).toEqual([`src/a.ts: ${word}`]);
  });

  it.each(["Math.floor(1.5)", "`callbackUrl` is not a known property", "the completion callback of the contract"])(
    "are not found in %j",
    (text) => {
      expect(occurrences(avoidedWords(), { "src/a.ts": text })).toEqual([]);
    },
  );
});

function avoidedWords(): string[] {
  const guide = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const list = /```text\n([^]*?)```/.exec(guide)?.[1] ?? "";
  return list
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** Returns the text of each file to search, by path. */
function sources(): Record<string, string> {
  const packages = readdirSync(join(root, "packages")).filter((name) => !name.includes("."));
  const searched = [...packages.flatMap(partsOfPackage), "src", "test", "bench", "docs", "migrations"];
  const folders = searched.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  );
  const readmes = packages.map((name) => `packages/${name}/README.md`).filter((path) => existsSync(join(root, path)));
  const paths = [...folders, ...readdirSync(root), ...readmes].filter(
    (path) => /\.(ts|md|toml|sql)$/.test(path) && !path.includes(".generated.") && !exempt.has(path),
  );
  const own = paths.filter((path) => !path.startsWith("test/structure/words"));
  return Object.fromEntries(own.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

/** Returns the folders of a package that are written by hand. */
function partsOfPackage(name: string): string[] {
  return ["src", "test"].map((part) => `packages/${name}/${part}`).filter((path) => existsSync(join(root, path)));
}

function occurrences(words: string[], texts: Record<string, string>): string[] {
  return Object.entries(texts).flatMap(([path, text]) => {
    const searched = text.replace(quotations, "");
    return words.filter((word) => pattern(word).test(searched)).map((word) => `${path}: ${word}`);
  });
}

/**
 * Returns a pattern for a word or phrase. It matches a camel-case word only as written, and any other word in any case. A phrase
 * may continue on the next line.
 */
function pattern(word: string): RegExp {
  const flags = word === word.toLowerCase() ? "i" : "";
  return new RegExp(`(?<!Math\\.)\\b${word.replaceAll(" ", "[\\s/*]+")}\\b`, flags);
}
