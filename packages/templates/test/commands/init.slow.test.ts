// A template that `init --data` has created, rendered in a real browser.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, expect, it } from "vitest";
import { init } from "../../src/commands/init.ts";
import { render } from "../../src/commands/render.ts";

const root = await mkdtemp(join(tmpdir(), "colophon-draft-"));
afterAll(() => rm(root, { recursive: true }));

const gif = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAAIAQABBAQAOw==";
const data = {
  number: "PQ-7 <b>",
  due: "2026-12-20",
  sentAt: "2026-11-22T09:30:00Z",
  paid: false,
  total: 1234.5,
  notes: "first line\nsecond line",
  nothing: null,
  photo: gif,
  "left out": 1,
  seller: { name: "Ada", address: { city: "Utrecht" } },
  tags: ["red", "x".repeat(300)],
  items: [{ title: "Lamp", price: 3, photo: gif }, { title: "Chair" }],
  chapters: [{ title: "One", lines: [{ a: 11, b: 12, c: 13, d: 14, e: 15, f: 16, g: 17 }], pages: [4, 5] }],
};

it("init --data creates a template that renders without warnings and shows all of the data", async () => {
  const [file, DIR, output] = [join(root, "data.json"), join(root, "draft"), join(root, "draft.pdf")];
  await writeFile(file, JSON.stringify(data));

  await init.runOnFiles({ DIR, data: file });
  const rendered = await render.runOnFiles({ DIR, output });

  expect(rendered).toMatchObject({ documentWarnings: [] });
  const pdf = await getDocumentProxy(new Uint8Array(await readFile(output)));
  const text = (await extractText(pdf)).text.join("\n").normalize("NFKC");
  const shown = ["PQ-7 <b>", "December 20, 2026", "9:30", "false", "1,234.5", "second line", "Utrecht", "red", "Chair"];
  for (const value of [...shown, "17", "One"]) expect(text).toContain(value);
});
