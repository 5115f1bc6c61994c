// SECURITY.md names the tests that cover each threat. This test fails if a named file or test does not exist.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = new URL("../..", import.meta.url).pathname;
const document = readFileSync(join(root, "SECURITY.md"), "utf8");

it("the threats in SECURITY.md are each covered by at least one named test", () => {
  const uncovered = threatsIn(document).filter(({ tests }) => tests.length === 0);

  expect(uncovered).toEqual([]);
  expect(threatsIn(document).length).toBeGreaterThan(30);
});

it("the threats in SECURITY.md name only tests that exist", () => {
  expect(threatsIn(document).flatMap(({ tests }) => tests.filter((test) => !exists(test)))).toEqual([]);
});

type NamedTest = { file: string; name: string };

/** Returns the rows of the table of threats. The last column has files in backticks, each followed by quoted names of tests. */
function threatsIn(text: string): { threat: string; tests: NamedTest[] }[] {
  const rows = text.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| threat |"));
  return rows
    .map((row) => row.slice(2, -1).split(" | "))
    .filter(([threat = ""]) => !threat.startsWith("**"))
    .map(([threat = "", , tests = ""]) => ({ threat, tests: testsIn(tests) }));
}

function testsIn(cell: string): NamedTest[] {
  const files = cell.matchAll(/`((?:packages\/[a-z-]+\/)?test\/[^`]+\.ts)`((?:,? "(?:[^"\\]|\\.)*")*)/g);
  return [...files].flatMap(([, file = "", names = ""]) =>
    [...names.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, name = ""]) => ({ file, name: name.replaceAll('\\"', '"') })),
  );
}

/** A name counts only in quotes, as a string in the source. It may also be an entry in a table of cases. */
function exists({ file, name }: NamedTest): boolean {
  if (!existsSync(join(root, file))) return false;
  const source = readFileSync(join(root, file), "utf8");
  return [`"${name}"`, `'${name}'`, `\`${name}\``].some((quoted) => source.includes(quoted));
}
