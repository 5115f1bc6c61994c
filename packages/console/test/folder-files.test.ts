import { expect, it } from "vitest";
import { readTemplateZip } from "colophon-template-model/template-zip";
import { readFolder, zipOf } from "../src/template/folder-files.ts";

const file = (path: string, text = path) => ({ path, file: new File([text], path.split("/").at(-1) ?? "") });

it("a dropped folder becomes a zip that the service reads, without the files that only its author needs", async () => {
  const folder = await readFolder([
    file("letter/template.json", "{}"),
    file("letter/pages/1.liquid", "<p>ü</p>"),
    file("letter/.git/config"),
    file("letter/samples/long.json"),
    file("letter/tests/short.json"),
    file("shared/parts/row.liquid", "<tr>"),
    file("notes.txt"),
  ]);

  const { files, problems } = readTemplateZip(zipOf(folder));

  expect(folder.name).toBe("letter");
  expect(problems).toEqual([]);
  expect(files.map(({ path }) => path)).toEqual(["pages/1.liquid", "shared/parts/row.liquid", "template.json"]);
  expect(new TextDecoder().decode(files[0]?.bytes)).toBe("<p>ü</p>");
});

it.each([
  ["without a template", [file("letter/pages/1.liquid")], /no template\.json/],
  ["of two templates", [file("a/template.json"), file("b/template.json")], /several templates/],
  ["that is too large", [file("a/template.json"), file("a/assets/x.png", "x".repeat(20_000_001))], /20 MB/],
])("a dropped folder: %s is refused with the reason", async (_, files, reason) => {
  await expect(readFolder(files)).rejects.toThrow(reason);
});
