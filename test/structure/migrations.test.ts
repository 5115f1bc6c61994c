// Checks the text of the migrations. Several users report that the remote `migrations apply` splits a trigger at the semicolons
// inside it unless the trigger is on one line. Therefore every statement that contains a semicolon must be on one line. The
// same splitter recognises `BEGIN` and `END` only in upper case, treats the first `END` as the end of the trigger, and fails at
// Windows line endings.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../migrations", import.meta.url).href);
const migrations = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".sql"))
  .map((name) => ({ name, sql: readFileSync(join(folder, name), "utf8") }));

const trigger = "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; DELETE FROM c; END;";

it.each(migrations)(
  "the migrations contain no statement of several lines with a semicolon inside ($name)",
  ({ sql }) => {
    expect(splittable(sql)).toEqual([]);
  },
);

it.each(migrations)("the migrations contain no trigger that the remote splitter misreads ($name)", ({ sql }) => {
  expect(misreadable(sql)).toEqual([]);
});

it("the migrations contain triggers, so that the check has statements to examine", () => {
  const triggers = migrations
    .flatMap(({ sql }) => statementsOf(sql))
    .filter((text) => text.startsWith("CREATE TRIGGER"));

  expect(triggers.length).toBeGreaterThanOrEqual(4);
});

it("the check finds a trigger on several lines, and two statements without a breakpoint", () => {
  const planted = trigger.replaceAll("; ", ";\n");

  expect(splittable(`-- A comment.\n${planted}\n--> statement-breakpoint\nDROP TABLE a;`)).toEqual([planted]);
  expect(splittable("DROP TABLE a;\nDROP TABLE b;")).toHaveLength(1);
});

it.each([
  ["in lower case", trigger.replace("BEGIN", "begin")],
  ["with a nested END", trigger.replace("DELETE FROM b", "SELECT CASE WHEN 1 THEN 2 END")],
  ["with a line end of Windows", `${trigger}\r`],
])("the check finds a trigger %s", (_what, planted) => {
  expect(misreadable(`DROP TABLE a;\n--> statement-breakpoint\n${planted}\n`)).toHaveLength(1);
  expect(misreadable(trigger)).toEqual([]);
});

it("the check accepts a trigger on one line, and a table definition on several lines", () => {
  expect(splittable(`-- One; two.\n${trigger}\n--> statement-breakpoint\nCREATE TABLE a (\n  x text\n);\n`)).toEqual(
    [],
  );
});

/**
 * Returns the statements that span several lines and contain a semicolon before the end, which a naive splitter would split.
 */
function splittable(sql: string): string[] {
  return statementsOf(sql).filter((statement) => statement.includes("\n") && statement.slice(0, -1).includes(";"));
}

/** Returns the triggers that the remote splitter would end too early or too late. */
function misreadable(sql: string): string[] {
  return sql
    .split("--> statement-breakpoint")
    .filter((text) => /CREATE TRIGGER/i.test(text))
    .map((text) => text.replace(/^--.*\n/gm, "").replace(/^\n+|\n+$/g, ""))
    .filter(
      (text) => !/ BEGIN .*; END;$/.test(text) || (text.match(/\bEND\b/gi) ?? []).length !== 1 || text.includes("\r"),
    );
}

function statementsOf(sql: string): string[] {
  return sql
    .split("--> statement-breakpoint")
    .map((text) => text.replace(/^--.*$/gm, "").trim())
    .filter((text) => text !== "");
}
