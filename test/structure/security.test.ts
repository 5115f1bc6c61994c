// SECURITY.md names the tests that cover each threat. This test fails if a named file or test does not exist.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = new URL("../..", import.meta.url).pathname;
const document = readFileSync(join(root, "SECURITY.md"), "utf8");

describe("the threats in SECURITY.md", () => {
  it("are each covered by at least one named test", () => {
    const uncovered = threatsIn(document).filter(({ tests }) => tests.length === 0);

    expect(uncovered).toEqual([]);
    expect(threatsIn(document).length).toBeGreaterThan(30);
  });

  it("name only tests that exist", () => {
    expect(threatsIn(document).flatMap(({ tests }) => tests.filter((test) => !exists(test)))).toEqual([]);
  });
});

describe("the check", () => {
  const rowWith = (tests: string) => threatsIn(`| threat | defence | tests |\n|---|---|---|\n| a | b | ${tests} |`);
  const own = "`test/structure/security.test.ts`";

  it.each([
    ["a file that does not exist", '`test/structure/gone.test.ts` "are each covered by at least one named test"'],
    ["a test that does not exist", `${own} "are each covered by no ${"test"}"`],
    ["a part of a test's name", `${own} "are each ${"covered"} by at least"`],
    ["the second test of a file", `${own} "name only tests that exist", "is ${"gone"}"`],
    ["the second file", `${own} "name only tests that exist"; \`test/gone.test.ts\` "x"`],
  ])("finds %s", (_what, tests) => {
    expect(rowWith(tests).flatMap((row) => row.tests.filter((test) => !exists(test)))).toHaveLength(1);
  });

  it.each(["", own, "`test/core`: bombs"])("finds a threat without a named test (%j)", (tests) => {
    expect(rowWith(tests)).toEqual([{ threat: "a", tests: [] }]);
  });

  it("skips the header and the rows that only group others", () => {
    expect(threatsIn("| threat | defence | tests |\n|---|---|---|\n| **Group** | | |\n")).toEqual([]);
  });
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
