// Reads test cases: strict rules, the data of a case, and hostile files, each with a message that says what to change.
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { copyOfInvoice } from "colophon-test-kit/template-copy";
import { readTemplateFolder } from "../../src/folder/template-folder.ts";
import { readCases, type TestCase } from "../../src/testing/read-cases.ts";

/**
 * Returns the cases of a copy of the sample `invoice` whose folder `tests` contains only this file, or after a change to the
 * folder.
 */
async function casesOf(content: object | string | ((tests: string) => Promise<unknown>)): Promise<TestCase[]> {
  const folder = await copyOfInvoice({ withTests: false });
  const tests = join(folder, "tests");
  await mkdir(tests);
  if (typeof content === "function") await content(tests);
  else await writeFile(join(tests, "a.json"), typeof content === "string" ? content : JSON.stringify(content, null, 1));
  const read = await readTemplateFolder(folder);
  if (read.status === "broken") throw new Error(JSON.stringify(read.problems));
  return readCases(folder, read.content);
}

async function problemOf(content: Parameters<typeof casesOf>[0]): Promise<string> {
  const [found] = await casesOf(content);
  if (found?.status !== "broken") return "none";
  return found.problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`).join("\n");
}

it.each<[what: string, content: object | string, problem: string]>([
  [
    "it has an unknown property",
    { expect: {}, patched: {} },
    'a.json:3: "patched" is not a known property; the properties are description, sample, data, ',
  ],
  ["it expects a wrong key", { expect: { page: 2 } }, 'a.json:3: expect: "page" is not a known property'],
  ["its pages are a text", { expect: { pages: "2" } }, "a.json:3: expect.pages: must be a number of pages, or "],
  ["a text is empty", { expect: { texts: [""] } }, "a.json:4: expect.texts.0: must be a string, or "],
  ["its pictures are a text", { expect: { pictures: "all" } }, "a.json:3: expect.pictures: must be true, or a list of"],
  ["an image must have texts", { format: "png", expect: { texts: ["a"] } }, "a.json:3: expect: an image has no texts"],
  ["it has data and a patch", { data: {}, patch: {} }, "a.json:3: patch: changes a sample, so it cannot be"],
  ["its locale is no language tag", { locale: "german" }, "tests/a.json:2: `locale` must be a BCP 47"],
  ["its time is a date", { now: "2026-03-31" }, 'tests/a.json:2: now: must be a time such as "2026-03-31T12:00:00Z"'],
  ["its sample is elsewhere", { sample: "../sample.json" }, 'a.json:2: sample: must be "sample.json" or a file in'],
  ["there is no such sample", { sample: "samples/none.json" }, "tests/a.json:2: there is no file samples/none.json"],
  ["its data lacks what is required", { patch: { seller: null } }, "tests/a.json:3: `seller`"],
  ["its data has the wrong type", { patch: { seller: { name: 7 } } }, "tests/a.json:4: `seller.name` must be"],
  ["its data has an unknown field", { patch: { sellr: {} } }, "a.json:3: `sellr` is not a field of the template"],
  ["it is not JSON", '{\n  "expect": {},\n}', "a.json:2: the file is not valid JSON: a property name"],
  ["it is nested deeply", "[".repeat(9_000), "tests/a.json:1: objects and lists are nested more than"],
])("a case is refused with its line and the allowed values if %s", async (_what, content, problem) => {
  expect(await problemOf(content)).toContain(problem);
});

it.each<[what: string, change: (tests: string) => Promise<unknown>, problem: string]>([
  [
    "a symbolic link",
    (tests) => symlink("/etc/hostname", join(tests, "a.json")),
    "tests/a.json:1: this is a symbolic link; a template folder must not contain any",
  ],
  [
    "bytes",
    (tests) => writeFile(join(tests, "a.json"), Buffer.from([0x7b, 0xff])),
    "tests/a.json:1: the line is not valid UTF-8",
  ],
  [
    "more than a thousand cases",
    async (tests) => {
      for (let index = 0; index < 1_001; index++) await writeFile(join(tests, `${index}.json`), "{}");
    },
    "tests:1: the folder has more than 1000 entries",
  ],
])("a hostile folder causes a message, and nothing outside it is read: %s", async (_what, change, problem) => {
  expect(await problemOf(change)).toContain(problem);
});

const dataOf = async (content: object) => {
  const [found] = await casesOf(content);
  if (found?.status !== "valid") throw new Error(JSON.stringify(found));
  return found.data as { seller: Record<string, unknown>; notes?: string; items: unknown[] };
};

it("a case changes the data of sample.json by a JSON Merge Patch, in which null removes a value and a list replaces one", async () => {
  const items = [{ description: "Print", quantity: 1, unitPrice: 3 }];
  const data = await dataOf({ patch: { notes: null, seller: { name: "Ada" }, items } });

  expect(data.seller).toMatchObject({ name: "Ada", vatNumber: "NL000000000B00" });
  expect(data).not.toHaveProperty("notes");
  expect(data.items).toEqual(items);
});

it("the data of a case is not validated if the case expects an error or a warning", async () => {
  expect(await dataOf({ patch: { seller: null }, expect: { error: "seller" } })).not.toHaveProperty("seller");
  expect(await dataOf({ patch: { sellr: 1 }, expect: { warnings: ["sellr"] } })).toHaveProperty("sellr", 1);
});

it("other files in the folder are ignored, and the cases are sorted by name", async () => {
  const cases = await casesOf(async (tests) => {
    for (const name of ["b.json", "a.json", ".hidden.json", "notes.txt"]) await writeFile(join(tests, name), "{}");
    await mkdir(join(tests, "pictures"));
  });

  expect(cases.map(({ name, status }) => [name, status])).toEqual([
    ["a", "valid"],
    ["b", "valid"],
  ]);
});
