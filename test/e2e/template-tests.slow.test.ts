// The test cases of the sample templates, and of the template that `template init` copies, as an author runs them.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** The pictures were created with the browser in package.json. */
const isOtherBrowser = Boolean(process.env["CHROME_PATH"] ?? process.env["CHROMIUM_VERSION"]);

function runTests(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync("packages/templates/template.mjs", ["test", ...args], {
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

describe.skipIf(isOtherBrowser)("the samples", () => {
  it("the samples have tests, and pass them", () => {
    const { status, output } = runTests("templates", "--all");

    expect(output).toMatch(/^\d+ cases passed$/m);
    expect(status).toBe(0);
    const tested = Array.from(output.matchAll(/^passed {2}(.+)\//gm), ([, folder]) => folder);
    expect([...new Set(tested)]).toEqual(readdirSync("templates"));
  });
});

it("the folder of `template init` passes its test", () => {
  expect(runTests("packages/templates/starter")).toEqual({
    status: 0,
    output: expect.stringContaining("1 case passed"),
  });
});
