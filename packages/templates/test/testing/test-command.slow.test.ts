// `template test` with a real browser, on a copy of the sample `invoice`: what makes a case fail, and how the report describes it.
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { copyOfInvoice } from "colophon-test-kit/template-copy";
import { browserLauncher } from "../../src/browser/browser.ts";
import { runTemplate } from "../run-template.ts";

afterEach(() => void vi.unstubAllEnvs());

const test = (folder: string, ...args: string[]) => runTemplate("test", folder, ...args);

async function change(folder: string, file: string, from: string | RegExp, to: string): Promise<void> {
  const path = join(folder, file);
  const text = await readFile(path, "utf8");
  expect(text.replace(from, to)).not.toBe(text);
  await writeFile(path, text.replace(from, to));
}

const picture = (folder: string, name = "sample-1") => join(folder, "tests/pictures", `${name}.png`);

it.each<[what: string, file: string, from: string | RegExp, to: string, failure: RegExp]>([
  [
    "one colour",
    "style.css",
    /$/,
    "\nheader { color: #333366 }\n",
    /Page 1 differs from tests\/pictures\/sample-1\.png: 0\.\d+ % of the pixels, within \d+ × \d+ px at \d+, \d+\./,
  ],
  [
    "one page break",
    "style.css",
    /$/,
    "\ntbody tr:nth-child(3) { break-before: page }\n",
    /The document has 4 pages, expected 2\./,
  ],
])(
  "a case fails after a change of %s, and the report shows the position of the difference",
  async (_what, file, from, to, failure) => {
    const folder = await copyOfInvoice();
    await change(folder, file, from, to);

    const { code, out } = await test(folder, "--only", "sample", "--report", join(folder, "report.html"));

    expect(out).toMatch(failure);
    expect(code).toBe(1);
    const report = await readFile(join(folder, "report.html"), "utf8");
    expect(report).toMatch(failure);
    expect(report.match(/<figcaption>(Expected|This run|Difference)/g)?.length).toBeGreaterThanOrEqual(3);
  },
);

it("--update writes the missing picture so that the case passes, and removes the picture of a page that no longer exists", async () => {
  const folder = await copyOfInvoice();
  await rm(picture(folder));
  await rename(picture(folder, "sample-2"), picture(folder, "sample-9"));

  const before = await test(folder, "--only", "sample");
  const update = await test(folder, "--only", "sample", "--update");
  const after = await test(folder, "--only", "sample");

  expect(before.code).toBe(1);
  expect(before.out).toContain("tests/pictures/sample-1.png is missing. Run the command with --update");
  expect(before.out).toContain("The case expects no picture for tests/pictures/sample-9.png");
  expect(update.out).toContain("wrote tests/pictures/sample-1.png");
  expect(update.out).toContain("removed tests/pictures/sample-9.png");
  expect([update.code, after.code]).toEqual([0, 0]);
  expect((await test(folder, "--only", "sample", "--update")).out).not.toContain("wrote");
  expect((await readdir(join(folder, "tests/pictures"))).sort()).toEqual(["sample-1.png", "sample-2.png"]);
});

it("--update replaces a damaged picture, and keeps other failures", async () => {
  const folder = await copyOfInvoice();
  await writeFile(picture(folder), "no picture");
  await change(folder, "sample.json", "English edition", "French edition");

  const before = await test(folder, "--only", "sample");
  const update = await test(folder, "--only", "sample", "--update");

  expect(before.out).toContain("Page 1 differs from tests/pictures/sample-1.png: the page has");
  expect(before.out).toContain("but the file is damaged");
  expect(update.out).toContain("wrote tests/pictures/sample-1.png");
  expect(update.out).toContain("“Exhibition catalogue, English edition” is missing");
  expect(update.code).toBe(1);
});

it("--update writes nothing through a symbolic link", async () => {
  const folder = await copyOfInvoice();
  const [link, target] = [picture(folder), join(folder, "elsewhere")];
  await rm(link);
  await writeFile(target, "mine");
  await symlink(target, link);

  const { code, out } = await test(folder, "--only", "sample", "--update");

  expect([code, out]).toEqual([1, expect.stringContaining("this is a symbolic link")]);
  expect(await readFile(target, "utf8")).toBe("mine");
});

const withCase = async (content: object) => {
  const folder = await copyOfInvoice({ withTests: false });
  await mkdir(join(folder, "tests"));
  await writeFile(join(folder, "tests/a.json"), JSON.stringify(content));
  return folder;
};

it.each([
  ["that expects an error", { patch: { seller: null }, expect: { error: "seller" } }],
  ["that expects a warning", { patch: { sellr: 1 }, expect: { warnings: ["`sellr` is not a field"] } }],
  [
    "with its own size and format",
    { format: "webp", width: 500, height: 700, expect: { warnings: ["hides", "over other text"] } },
  ],
])("a case passes %s", async (_what, content) => {
  const { code, out } = await test(await withCase(content));

  expect([code, out]).toEqual([0, expect.stringContaining("1 case passed")]);
});

it.each([
  ["an error does not come", { expect: { error: "seller" } }, "There is a document, expected an error that contains"],
  ["an error differs", { patch: { seller: null }, expect: { error: "buyer" } }, "The error does not contain “buy"],
  ["a warning comes", { patch: { notes: "\u{10ffff}" } }, "The document has a warning: "],
])("a case fails if %s", async (_what, content, failure) => {
  const { code, out } = await test(await withCase(content));

  expect([code, out]).toEqual([1, expect.stringContaining(failure)]);
});

it("a case is rendered as if at the time that it states", async () => {
  const folder = await withCase({ now: "2031-05-06T12:00:00Z", expect: { texts: ["On 6 May 2031"] } });
  await writeFile(join(folder, "footer.liquid"), '<p>On {{ "now" | date: "%-d %B %Y" }}</p>');

  expect(await test(folder)).toMatchObject({ code: 0 });
});

it("the failure of a case contains a hint if the browser is not the installed one", async () => {
  const folder = await withCase({ expect: { pictures: [1] } });
  vi.stubEnv("CHROME_PATH", "");
  await test(folder, "--update");
  await change(folder, "style.css", /$/, "\nheader { color: #f00 }\n");

  expect((await test(folder)).out).not.toContain("This run used");
  vi.stubEnv("CHROME_PATH", await browserLauncher());
  expect((await test(folder)).out).toMatch(/This run used .*Chrome\/\d+/);
});

it("template test says how to begin in a folder without tests, and names a case that does not exist", async () => {
  const folder = await copyOfInvoice({ withTests: false });

  expect(await test(folder)).toMatchObject({
    code: 1,
    err: expect.stringContaining("Create the file tests/sample.json"),
  });
  expect(await test(folder, "--only", "b")).toMatchObject({ code: 1, err: "there is no case tests/b.json" });
});

it("template test prints results as JSON without pictures, and names the problems of a broken folder", async () => {
  const folder = await copyOfInvoice();

  const { out } = await test(folder, "--only", "german", "--json");
  await writeFile(join(folder, "style.css"), "b { background: url(none.png) }");
  const broken = await test(folder);

  expect(JSON.parse(out)).toEqual([
    { folder: "invoice", name: "german", description: "", failures: [], durationMs: expect.any(Number), updates: [] },
  ]);
  expect(broken).toMatchObject({ code: 1, out: expect.stringMatching(/failed {2}invoice\/template[^]*style\.css:1/) });
});
