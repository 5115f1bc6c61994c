import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { copyOfInvoice } from "colophon-test-kit/template-copy";
import type { FolderState } from "../../src/dev/messages.ts";
import { Preview } from "../../src/dev/preview.ts";

async function previewOfCopy() {
  const folder = await copyOfInvoice();
  const states: FolderState[] = [];
  const preview = new Preview(folder, (state) => states.push(state));
  await preview.reload();
  return { folder, preview, states };
}

const styleOf = (preview: Preview) => preview.valid?.content.css;

it("the preview of a folder describes the template and its samples", async () => {
  const { preview } = await previewOfCopy();

  expect(preview.state).toMatchObject({ revision: 1, folder: "invoice", problems: [], warnings: [] });
  expect(preview.state.template).toMatchObject({
    title: "Invoice",
    locale: "en-GB",
    locales: [],
    page: { width: 794 },
  });
  expect(preview.state.template?.samples.map(({ file }) => file)).toEqual(["sample.json"]);
});

it("the preview of a folder with a problem keeps the last valid version, and names the problem with the lines around it", async () => {
  const { folder, preview } = await previewOfCopy();
  const before = styleOf(preview);

  await writeFile(join(folder, "style.css"), "p { color: red }\n\nb { background: url(none.png) }\n");
  await preview.reload();

  expect(preview.state.problems).toEqual([
    {
      file: "style.css",
      line: 3,
      message: expect.stringContaining("none.png"),
      source: [
        { number: 1, text: "p { color: red }" },
        { number: 2, text: "" },
        { number: 3, text: "b { background: url(none.png) }" },
        { number: 4, text: "" },
      ],
    },
  ]);
  expect(styleOf(preview)).toBe(before);
  expect(preview.state.template?.title).toBe("Invoice");
});

it("the preview of a lenient folder shows a template with mistakes that do not prevent a render", async () => {
  const folder = await copyOfInvoice();
  await writeFile(join(folder, "footer.liquid"), "<p>{{ numbr }}</p>");
  const [strict, lenient] = [new Preview(folder, () => {}), new Preview(folder, () => {}, { lenient: true })];

  await Promise.all([strict.reload(), lenient.reload()]);

  const mistake = expect.objectContaining({
    file: "footer.liquid",
    line: 1,
    message: expect.stringContaining("`numbr`"),
  });
  expect(strict.state).toMatchObject({ problems: [mistake], template: null });
  expect(lenient.state).toMatchObject({ problems: [], warnings: expect.arrayContaining([mistake]) });
  expect(lenient.valid?.content.footer).toContain("numbr");
});

it("the preview of a folder does not change after a save without a change", async () => {
  const { folder, preview, states } = await previewOfCopy();
  const style = join(folder, "style.css");

  await writeFile(style, await readFile(style));
  await preview.reload();

  expect(states).toHaveLength(1);
});

it("the preview of a folder shows the last of many changes", async () => {
  const { folder, preview } = await previewOfCopy();

  const reloads: Promise<void>[] = [];
  for (let size = 1; size <= 30; size++) {
    await writeFile(join(folder, "style.css"), `p { font-size: ${size}px }`);
    reloads.push(preview.reload());
  }
  await Promise.all(reloads);

  expect(styleOf(preview)).toBe("p { font-size: 30px }");
});

it("the preview of a folder lists the samples with their problems, and the template remains usable", async () => {
  const { folder, preview } = await previewOfCopy();
  await mkdir(join(folder, "samples"));
  const sample = JSON.parse(await readFile(join(folder, "sample.json"), "utf8")) as object;

  await writeFile(join(folder, "samples/long.json"), JSON.stringify({ ...sample, currency: "USD" }));
  await writeFile(join(folder, "samples/wrong.json"), JSON.stringify({ ...sample, currency: 5 }, null, 1));
  await writeFile(join(folder, "samples/broken.json"), "{\n");
  await preview.reload();

  expect(preview.state.problems).toEqual([]);
  const samples = preview.state.template?.samples ?? [];
  expect(samples.map(({ file, problems }) => [file, problems.length])).toEqual([
    ["sample.json", 0],
    ["samples/broken.json", 1],
    ["samples/long.json", 0],
    ["samples/wrong.json", 1],
  ]);
  expect(samples.at(-1)?.problems[0]).toMatchObject({ file: "samples/wrong.json", line: 7 });
  expect(preview.valid?.samples[2]?.data).toMatchObject({ currency: "USD" });
  await rm(join(folder, "samples"), { recursive: true });
  await preview.reload();
  expect(preview.state.template?.samples).toHaveLength(1);
});
