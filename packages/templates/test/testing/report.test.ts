import { SaxesParser } from "saxes";
import { expect, it } from "vitest";
import { junitXml, reportHtml } from "../../src/testing/report.ts";
import type { CaseResult } from "../../src/testing/run-cases.ts";

const hostile = `<script>alert("1")</script> & ]]> \u0000\u202e\uffff 'x'`;
const passed: CaseResult = {
  folder: "invoice",
  name: "paid",
  description: "Nothing is due.",
  failures: [],
  durationMs: 123.4,
  pictures: [],
  updates: [],
};
const picture = "data:image/png;base64,AAAA";
const failed: CaseResult = {
  ...passed,
  name: hostile,
  description: hostile,
  failures: [hostile, "The text “a” is missing."],
  pictures: [
    {
      file: "tests/pictures/a-1.png",
      page: 1,
      expected: picture,
      actual: picture,
      difference: { share: 0.1, description: "", picture },
    },
    { file: "tests/pictures/a-2.png", page: 2, expected: null, actual: picture, difference: null },
  ],
};

/** Returns the tags of an XML document with their attributes. Throws if it is not well-formed. */
function tagsOf(xml: string): { name: string; attributes: Record<string, string> }[] {
  const tags: { name: string; attributes: Record<string, string> }[] = [];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => tags.push({ name, attributes: attributes as Record<string, string> }));
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(xml).close();
  return tags;
}

it("a JUnit report is well-formed, counts the cases, and names each failure", () => {
  const tags = tagsOf(junitXml([passed, failed]));

  expect(tags.map(({ name }) => name)).toEqual(["testsuite", "testcase", "testcase", "failure"]);
  expect(tags[0]?.attributes).toMatchObject({ tests: "2", failures: "1" });
  expect(tags[1]?.attributes).toEqual({ classname: "invoice", name: "paid", time: "0.123" });
  expect(tags[3]?.attributes["message"]).toContain('<script>alert("1")</script> &');
});

it("the report escapes texts, has no scripts and needs no other files", async () => {
  const html = await reportHtml([passed, failed]);

  expect(html).not.toContain("<script");
  expect(html).toContain("&lt;script&gt;");
  for (const character of "\u0000\u202e\uffff") expect(html).not.toContain(character);
  expect(html).toContain("default-src 'none'");
  expect(html).not.toMatch(/(src|href)="(?!data:)/);
});

it("the report shows failed cases first, with the three pictures of each page", async () => {
  const html = await reportHtml([passed, failed]);

  expect(html).toContain("<title>1 of 2 cases failed</title>");
  expect(html.indexOf("The text “a” is missing.")).toBeLessThan(html.indexOf("invoice / paid"));
  expect(html.match(/<img/g)?.length).toBe(4);
  expect(html.match(/<p>none<\/p>/g)?.length).toBe(2);
});

it("the report says how to begin if there are no tests", async () => {
  expect(await reportHtml([])).toContain("Create the file tests/sample.json");
});
