// The project uses one word for each thing. CONTRIBUTING.md lists the words that it avoids because the field has better ones;
// this test reads that list and searches the sources and the documentation for them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = new URL("../..", import.meta.url).pathname;

/** The guide lists the words, and the changelog names what was renamed. */
const exempt = new Set(["CONTRIBUTING.md", "CHANGELOG.md"]);

/** What the API contract says, and a property that callers coming from other services send by mistake. */
const quotations = /completion callback|callbackUrl/gi;

describe("avoided words", () => {
  it("do not occur in the sources and the documentation", () => {
    expect(occurrences(avoidedWords(), sources())).toEqual([]);
  });

  it("are read from the guide", () => {
    expect(avoidedWords()).toContain("callback");
    expect(avoidedWords()).toContain("waiting room");
    expect(avoidedWords().length).toBeGreaterThan(20);
  });

  it.each([
    ["// Calls the callback.", "callback"],
    ["It is put into the Waiting Room.", "waiting room"],
    ["A message is handed\nover.", "handed over"],
    ["const goOn = true;", "goOn"],
  ])("are found: %s", (text, word) => {
    expect(occurrences([word], { "src/a.ts": text })).toEqual([`src/a.ts: ${word}`]);
  });

  it.each(["Math.floor(1.5)", "`callbackUrl` is not a known property", "the completion callback of the contract"])(
    "are not found in: %s",
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

/** Text by path. */
function sources(): Record<string, string> {
  const folders = ["src", "test", "bench", "docs", "migrations"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  );
  const paths = [...folders, ...readdirSync(root)].filter(
    (path) => /\.(ts|md|toml|sql)$/.test(path) && !path.includes(".generated.") && !exempt.has(path),
  );
  const own = paths.filter((path) => !path.startsWith("test/structure/words"));
  return Object.fromEntries(own.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

function occurrences(words: string[], texts: Record<string, string>): string[] {
  return Object.entries(texts).flatMap(([path, text]) => {
    const searched = text.replace(quotations, "");
    return words.filter((word) => pattern(word).test(searched)).map((word) => `${path}: ${word}`);
  });
}

/** Camel case is matched as written, other words in any case; a phrase may stand on two lines, also of a comment. */
function pattern(word: string): RegExp {
  const flags = word === word.toLowerCase() ? "i" : "";
  return new RegExp(`(?<!Math\\.)\\b${word.replaceAll(" ", "[\\s/*]+")}\\b`, flags);
}
