// The commands that call a service, against a fake that follows the contract of its routes.
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readTemplateZip, templateZip } from "colophon-template-model/template-zip";
import { bytesOf, gif, manifest, validFiles, type Files } from "colophon-test-kit/template-files";
import { inFolder, newFolder, writeFiles } from "../folders.ts";
import { runTemplate as run } from "../run-template.ts";
import { error, fakeService, key, type FakeService } from "../service/fake-service.ts";

let service: FakeService;

beforeEach(async () => {
  service = await fakeService();
  vi.stubEnv("COLOPHON_URL", service.url);
  vi.stubEnv("COLOPHON_KEY", key);
});

afterEach(async () => {
  await service.close();
  vi.unstubAllEnvs();
});

/** Creates the folder of the template `letter`, with other files beside it. Returns its path. */
async function newLetter(changes: Files = {}, beside: Files = {}): Promise<string> {
  const parent = await newFolder({ ...inFolder("letter", { ...validFiles, ...changes }), ...beside });
  return join(parent, "letter");
}

/** The same, after a push. */
async function pushedLetter(changes?: Files, beside?: Files): Promise<string> {
  const letter = await newLetter(changes, beside);
  await run("push", letter);
  return letter;
}

const refused = (part: string) => ({ code: 1, out: "", err: expect.stringContaining(part) });

const storedPaths = (name: string) => {
  const zip = service.templates.get(name)?.at(-1)?.zip;
  return zip && readTemplateZip(zip).files.map(({ path }) => path);
};

const shared = {
  "shared/parts/row.liquid": "row",
  "shared/parts/unused.liquid": "unused",
  "shared/styles/base.css": "p { color: red }",
  "shared/styles/unused.css": "",
  "shared/assets/a.gif": gif,
  "shared/assets/unused.gif": gif,
};
const usesShared = {
  "template.json": manifest({ styles: ["base.css"] }),
  "pages/1.liquid": "{% render 'row' %}<img src=\"{{ 'a.gif' | asset }}\" alt=\"\">{{ name }}",
};

it("push creates a template named after the folder", async () => {
  const letter = await newLetter();

  const result = await run("push", letter);

  expect(result).toMatchObject({ code: 0, err: "" });
  expect(result.out).toContain("folder=letter  version=1  id=id-of-letter");
  expect(result.out).toContain("changed=true");
  expect(service.requests).toMatchObject([
    { method: "PUT", path: "/api/manage/v1/templates/letter", headers: { "content-type": "application/zip" } },
  ]);
  expect(service.requests[0]?.headers).not.toHaveProperty("if-match");
});

it("push sends the files of the folder and the shared files that the template uses", async () => {
  const others = { "notes.txt": "x", "tests/a.json": "{", "pages/.hidden": "x" };
  const letter = await newLetter({ ...usesShared, ...others }, shared);

  expect(await run("push", letter)).toMatchObject({ code: 0, err: "" });

  expect(storedPaths("letter")).toEqual([
    "pages/1.liquid",
    "sample.json",
    "shared/assets/a.gif",
    "shared/parts/row.liquid",
    "shared/styles/base.css",
    "template.json",
  ]);
});

it("push does not send a shared asset if the template has an asset with the same name", async () => {
  const letter = await newLetter({ ...usesShared, "assets/a.gif": gif }, shared);

  await run("push", letter);

  expect(storedPaths("letter")).not.toContain("shared/assets/a.gif");
});

it("push encodes the name in the path of the request", async () => {
  const letter = await newLetter();

  const result = await run("push", letter, "--name", "a/b ü?#%", "--json");

  expect(JSON.parse(result.out)).toMatchObject({ template: { folder: "a/b ü?#%", version: 1 }, changed: true });
  expect(service.requests[0]?.path).toBe("/api/manage/v1/templates/a%2Fb%20%C3%BC%3F%23%25");
});

it.each([".", "..", ""])("push refuses the name %j, which cannot be in a URL", async (name) => {
  const letter = await newLetter();

  expect(await run("push", letter, "--name", name)).toMatchObject({ code: 2 });
  expect(service.requests).toEqual([]);
});

it("push warns if the title changes, because another template may have been replaced", async () => {
  const letter = await pushedLetter();
  await writeFiles(letter, { "template.json": manifest({ title: "Bill" }) });

  expect((await run("push", letter)).err).toBe(
    "warning: template.json:1: this replaces version 1 of “letter”, whose title was “Letter”; `rollback letter --to 1` undoes it",
  );
});

it("push refuses a broken folder with the file and line, and sends nothing", async () => {
  const letter = await newLetter({ "pages/1.liquid": "\n{{ name | upcas }}" });

  expect(await run("push", letter)).toEqual({
    code: 1,
    out: "",
    err: "pages/1.liquid:2: there is no filter `upcas`; did you mean `upcase`?",
  });
  expect(service.requests).toEqual([]);
});

it("push sends the version that it expects to be the newest, and says what to do if a different one is", async () => {
  const letter = await pushedLetter();
  await writeFiles(letter, { "style.css": "p { color: red }" });
  await run("push", letter, "--if-version", "1");

  const result = await run("push", letter, "--if-version", "1");

  expect(service.requests.map(({ headers }) => headers["if-match"])).toEqual([undefined, '"1"', '"1"']);
  expect(result).toEqual({
    code: 1,
    out: "",
    err: "The newest version is 2; `diff DIR` shows what has changed, and `pull NAME DIR` downloads it; then push with the new version",
  });
});

it.each(["0", "1.5"])("push refuses the version %j", async (version) => {
  expect(await run("push", "nowhere", `--if-version=${version}`)).toMatchObject({ code: 2 });
});

it("push shows mistakes that the service finds in the same way as mistakes in the folder", async () => {
  const letter = await newLetter();
  service.fail(
    error(400, "VALIDATION_ERROR", "x", [{ path: "pages/1.liquid", line: 12, message: "it is \x1b[2J wrong" }]),
  );

  const { code, err } = await run("push", letter);

  expect({ code, err }).toEqual({ code: 1, err: "pages/1.liquid:12: it is \\u001b[2J wrong" });
});

it("push --all pushes each template in a folder, and reports refused templates", async () => {
  const parent = await newFolder({
    ...inFolder("letter", { ...validFiles, ...usesShared, "style.css": "p { colr: red }" }),
    ...inFolder("broken", { ...validFiles, "pages/1.liquid": "{{" }),
    ...inFolder(".hidden", validFiles),
    ...inFolder("other", { "a.txt": "x" }),
    ...shared,
  });
  await run("push", join(parent, "letter"), "--name", "kept");

  const result = await run("push", parent, "--all");

  expect(result.code).toBe(1);
  expect(result.out.split("\n")).toEqual([
    "refused    broken",
    expect.stringMatching(/^ {2}pages\/1\.liquid:1: /),
    "changed    letter  version=1  id=id-of-letter",
    "  warning: style.css:1: Chromium does not support the property `colr`; did you mean `color`?",
  ]);
  expect((await run("push", parent, "--all")).out).toContain("unchanged  letter  version=1");
  expect(storedPaths("letter")).toContain("shared/parts/row.liquid");
});

it("push --all sends at most four templates at the same time, and continues after a failure", async () => {
  const names = Array.from({ length: 10 }, (_, index) => `t${index}`);
  const parent = await newFolder(Object.assign({}, ...names.map((name) => inFolder(name, validFiles))) as Files);
  service.fail(error(503, "SERVICE_UNAVAILABLE", "The service is overloaded."));

  const result = await run("push", parent, "--all", "--json");

  expect(result.code).toBe(1);
  expect(result.out.match(/"status":"changed"/g)).toHaveLength(9);
  expect(result.out).toContain('"problems":["The service is overloaded; try again later"]');
  expect(service.mostAtOnce()).toBeLessThanOrEqual(4);
  expect(service.mostAtOnce()).toBeGreaterThan(1);
});

it.each(["--name", "--if-version"])("push --all is refused with %s", async (option) => {
  expect(await run("push", "nowhere", "--all", option, "1")).toMatchObject({ code: 2 });
});

it("push --all is refused for a folder that has no templates or does not exist", async () => {
  expect(await run("push", await newFolder(), "--all")).toMatchObject(refused("no template"));
  expect(await run("push", "nowhere", "--all")).toMatchObject(refused("be read"));
});

it("pull writes the pushed files, with the shared files in a folder next to the template's folder", async () => {
  await pushedLetter(usesShared, shared);
  const target = await newFolder();

  const result = await run("pull", "letter", join(target, "a/letter"), "--json");

  expect(JSON.parse(result.out)).toEqual({
    folder: join(target, "a/letter"),
    version: 1,
    written: [
      "../shared/assets/a.gif",
      "../shared/parts/row.liquid",
      "../shared/styles/base.css",
      "pages/1.liquid",
      "sample.json",
      "template.json",
    ],
  });
  expect(await readFile(join(target, "a/letter/pages/1.liquid"), "utf8")).toBe(usesShared["pages/1.liquid"]);
  expect(await run("push", join(target, "a/letter"), "--json")).toMatchObject({
    out: expect.stringContaining('"changed":false'),
  });
  expect(await hiddenFiles(target)).toEqual([]);
});

it("pull downloads the newest version or the given version", async () => {
  const letter = await newLetter();
  for (const page of ["one", "two", "three"]) {
    await writeFiles(letter, { "pages/1.liquid": page });
    await run("push", letter);
  }
  const [newest, second] = [await newFolder(), await newFolder()];

  await run("pull", "letter", newest);
  await run("pull", "letter", second, "--version", "2");

  expect(await readFile(join(newest, "pages/1.liquid"), "utf8")).toBe("three");
  expect(await readFile(join(second, "pages/1.liquid"), "utf8")).toBe("two");
});

it("pull overwrites changed files only with --force, and leaves files that the version does not contain", async () => {
  await pushedLetter();
  const target = await newFolder({ "pages/1.liquid": "mine", "sample.json": "mine", "parts/a.liquid": "kept" });

  const refused = await run("pull", "letter", target);

  expect(refused.code).toBe(1);
  expect(refused.err.match(/:1: the file differs from the version; --force overwrites it$/gm)?.length).toBe(2);
  expect(await readdir(target)).toEqual(["pages", "parts", "sample.json"]);
  expect(await readFile(join(target, "pages/1.liquid"), "utf8")).toBe("mine");

  expect(await run("pull", "letter", target, "--force")).toMatchObject({ code: 0 });
  expect(await readFile(join(target, "pages/1.liquid"), "utf8")).toBe(validFiles["pages/1.liquid"]);
  expect(await readFile(join(target, "parts/a.liquid"), "utf8")).toBe("kept");
  expect(JSON.parse((await run("pull", "letter", target, "--json")).out)).toMatchObject({ written: [] });
});

it.each(["pages", "pages/1.liquid"])("pull does not write through the symbolic link %s", async (name) => {
  await pushedLetter();
  const [target, outside] = [await newFolder(), await newFolder({ "1.liquid": "outside" })];
  await mkdir(dirname(join(target, name)), { recursive: true });
  await symlink(name === "pages" ? outside : join(outside, "1.liquid"), join(target, name));

  const result = await run("pull", "letter", target, "--force");

  expect(result).toMatchObject(refused("this is a symbolic link"));
  expect(await readFile(join(outside, "1.liquid"), "utf8")).toBe("outside");
});

it.each(["../../outside", "/etc/passwd", "pages/../../outside"])("pull writes nothing for %j", async (path) => {
  const file = { path, bytes: bytesOf("x") };
  service.templates.set("letter", [{ version: 1, title: "x", zip: templateZip([file]), createdAt: "x" }]);
  const target = join(await newFolder(), "new");

  const result = await run("pull", "letter", target);

  expect(result).toMatchObject(refused("the service sent files that are not"));
  expect(existsSync(target)).toBe(false);
});

it("pull leaves the folder unchanged if a file cannot be written", async () => {
  await pushedLetter({ "locales/en.json": "{}" });
  const target = await newFolder({ "pages/1.liquid": "mine" });
  vi.resetModules();
  vi.doMock("node:fs/promises", async (original) => {
    const real: typeof import("node:fs/promises") = await original();
    const writeFile = (path: string, bytes: Uint8Array) =>
      path.includes("template.json") ? Promise.reject(new Error("the disk is full")) : real.writeFile(path, bytes);
    return { ...real, writeFile };
  });
  const { pull } = await import("../../src/commands/pull.ts");
  vi.doUnmock("node:fs/promises");

  await expect(pull.runOnFiles({ NAME: "letter", DIR: target, force: "on" })).rejects.toThrow("the disk is full");

  expect(await readFile(join(target, "pages/1.liquid"), "utf8")).toBe("mine");
  expect(await hiddenFiles(target)).toEqual([]);
  expect(existsSync(join(target, "sample.json"))).toBe(false);
});

it("pull is refused if DIR is a file", async () => {
  await pushedLetter();
  const file = join(await newFolder({ a: "x" }), "a");

  expect(await run("pull", "letter", file)).toMatchObject(refused("not a folder"));
});

it.each([["letter"], ["a", "b", "c"]])("pull needs a NAME and a DIR, not %j", async (...args) => {
  expect(await run("pull", ...args)).toMatchObject({
    code: 2,
    err: expect.stringContaining("give exactly one NAME and one DIR"),
  });
});

async function hiddenFiles(target: string): Promise<string[]> {
  return (await readdir(target, { recursive: true })).filter((path) => /(?:^|\/)\./.test(path));
}

it("diff exits with 0 if there are no differences", async () => {
  const letter = await pushedLetter(usesShared, shared);

  expect(await run("diff", letter)).toEqual({
    code: 0,
    out: "no differences from version 1 of “letter”",
    err: "",
  });
  expect(await run("diff", letter, "--json")).toEqual({ code: 0, out: "[]", err: "" });
});

it("diff lists what a push would change, with the lines of text files", async () => {
  const page = ["one", "two", "three", "four", "five", "six", "seven {{ name }}", ""].join("\n");
  const changes = { "pages/1.liquid": page, "assets/a.gif": gif, "style.css": "" };
  const letter = await newLetter({ ...usesShared, ...changes }, shared);
  await run("push", letter, "--name", "bill");
  await writeFiles(letter, {
    "pages/1.liquid": page.replace("five", "\tfive\u202e"),
    "pages/2.liquid": "{% render 'row' %}",
    "assets/a.gif": `${gif}x`,
    "style.css": null,
  });

  const result = await run("diff", letter, "--name", "bill");

  expect(result).toEqual({
    code: 1,
    out: [
      "changed  assets/a.gif",
      "changed  pages/1.liquid",
      "  @@ -2,6 +2,6 @@",
      "   two",
      "   three",
      "   four",
      "  -five",
      "  +\tfive\\u202e",
      "   six",
      "   seven {{ name }}",
      "added    pages/2.liquid",
      "added    shared/parts/row.liquid",
      "removed  style.css",
    ].join("\n"),
    err: "",
  });
});

it("diff names very different files quickly and without their lines", async () => {
  const lines = (text: string) => Array.from({ length: 100_000 }, (_, index) => `${text}${index}\n`).join("");
  const letter = await pushedLetter({ "style.css": `/*\n${lines("a")}*/` });
  await writeFiles(letter, { "style.css": `/*\n${lines("b")}*/` });

  const start = performance.now();
  expect(await run("diff", letter)).toMatchObject({ code: 1, out: "changed  style.css" });
  expect(performance.now() - start).toBeLessThan(15_000);
});

it("diff prints 500 lines of a longer patch", async () => {
  const lines = (text: string) => `/*\n${`${text}\n`.repeat(1_000)}*/`;
  const letter = await pushedLetter({ "style.css": lines("a") });
  await writeFiles(letter, { "style.css": lines("b") });

  expect((await run("diff", letter)).out).toMatch(/\n {2}and \d{4} more lines$/);
});

it("diff can compare with an older version", async () => {
  const letter = await pushedLetter();
  await writeFiles(letter, { "style.css": "p { color: red }" });
  await run("push", letter);

  expect(await run("diff", letter)).toMatchObject({ code: 0 });
  expect(await run("diff", letter, "--version", "1")).toMatchObject({
    code: 1,
    out: "added    style.css",
  });
});

it("diff refuses a broken folder before it sends a request to the service", async () => {
  const letter = await newLetter({ "sample.json": null });

  expect(await run("diff", letter)).toMatchObject(refused("sample.json:1"));
});

it("versions, rollback and list print all pages of the service's lists, with the newest versions first", async () => {
  const letter = await newLetter();
  for (let version = 1; version <= 3; version++) {
    await writeFiles(letter, { "style.css": `p { margin: ${version}px }` });
    await run("push", letter);
    await run("push", letter, "--name", `t${version}`);
  }

  const versions = JSON.parse((await run("versions", "letter", "--json")).out);
  const templates = JSON.parse((await run("list", "--json")).out);

  expect(versions.versions.map(({ version }: { version: number }) => version)).toEqual([3, 2, 1]);
  expect(templates.templates.map((template: { folder: string }) => template.folder)).toEqual([
    "letter",
    "t1",
    "t2",
    "t3",
  ]);
  expect((await run("versions", "id-of-letter")).out.split("\n")[0]).toBe(
    "version=3  createdAt=2026-11-26T10:00:00.000Z  title=Letter  pagesCount=1  contentHash=hash-3",
  );
  expect((await run("list")).out.split("\n")[0]).toMatch(/^folder=letter {2}version=3 {2}id=id-of-letter {2}title/);
});

it("versions, rollback and list name the existing templates or versions when the given one does not exist", async () => {
  await pushedLetter();

  expect((await run("versions", "nothing")).err).toBe(
    "The account has no such template; `list` shows the account's templates, and `push DIR` creates one",
  );
  expect((await run("rollback", "letter", "--to", "7")).err).toBe(
    "The template has no version 7; `versions NAME` shows the existing versions",
  );
  expect(await run("rollback", "letter", "--to", "x")).toMatchObject({ code: 2 });
  expect(await run("rollback", "letter")).toMatchObject({ code: 2, err: expect.stringContaining("missing: --to") });
});

it.each(["", "ftp://x"])("every command that calls a service says what to do when COLOPHON_URL is %j", async (url) => {
  vi.stubEnv("COLOPHON_URL", url);

  expect(await run("list")).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^COLOPHON_URL must be the address of the service/),
  });
});

it.each(["", "a key"])("every command that calls a service says what to do when COLOPHON_KEY is %j", async (value) => {
  vi.stubEnv("COLOPHON_KEY", value);

  expect(await run("list")).toMatchObject({ code: 1, err: expect.stringMatching(/^set COLOPHON_KEY to a key/) });
  expect(service.requests).toEqual([]);
});

it("every command that calls a service says what to do when the service refuses the key", async () => {
  vi.stubEnv("COLOPHON_KEY", "other");

  expect(await run("list")).toEqual({
    code: 1,
    out: "",
    err: "The API key is invalid; COLOPHON_KEY must be a valid key of the service at COLOPHON_URL",
  });
});

it.each([
  [
    error(403, "INSUFFICIENT_SCOPE", "The key lacks the scope templates:write."),
    /lacks the scope templates:write; use/,
  ],
  [error(429, "TOO_MANY_REQUESTS", "Too many requests."), /^Too many requests; try again later$/],
  [error(500, "INTERNAL_ERROR", "It failed \x1b[2J."), /^It failed \\u001b\[2J \(INTERNAL_ERROR\)$/],
  [{ status: 404, body: bytesOf("<html>") }, /responded with status 404, which is not from Colophon; check/],
  [{ status: 200, body: { success: true, data: {} } }, /responded with something else, which is not from Colophon/],
  [null, /^http:\/\/127\.0\.0\.1:\d+ cannot be reached \(UND_ERR_SOCKET\); check COLOPHON_URL/],
])("every command that calls a service says what to do if the service responds with %j", async (response, message) => {
  service.fail(response);

  expect(await run("list")).toMatchObject({ code: 1, out: "", err: expect.stringMatching(message) });
});

it("every command that calls a service says what to do when nothing listens at COLOPHON_URL", async () => {
  await service.close();

  expect((await run("list")).err).toBe(
    `${service.url} cannot be reached (ECONNREFUSED); check COLOPHON_URL and whether the service is running`,
  );
});

it("every command that calls a service says what to do when the service does not respond in time", async () => {
  const { setTimeout } = globalThis;
  vi.stubGlobal("setTimeout", (work: () => void, ms: number) => setTimeout(work, ms === 120_000 ? 0 : ms));

  const { err } = await run("list");
  vi.unstubAllGlobals();
  expect(err).toContain("did not respond within 120 s; `versions NAME` shows");
});
