// Templates that `init --data` and `init --html` have created, rendered in a real browser.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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

const resume = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Ada Lovelace</title>
  <style>
    @page { size: Letter; margin: 15mm; }
    .container { padding: 0 12px; }
    .row { display: flex; flex-wrap: wrap; margin: 0 -12px; }
    .col-4 { flex: 0 0 auto; width: 33.3333%; padding: 0 12px; box-sizing: border-box; }
    .col-8 { flex: 0 0 auto; width: 66.6667%; padding: 0 12px; box-sizing: border-box; }
    .badge { border-radius: 4px; padding: 2px 6px; background: #0d6efd; color: #fff; }
    .photo { width: 40px; height: 40px; background: url(photo.gif) center / cover; }
  </style>
</head>
<body class="bg-light" style="color: #222">
  <div class="container"><div class="row">
    <div class="col-4"><div class="photo"></div><span class="badge">Analysis</span></div>
    <div class="col-8"><h1>Ada Lovelace</h1><p>Notes on the Analytical Engine</p></div>
  </div></div>
</body>
</html>`;

const invoice = `<html><head><meta charset="windows-1252"><style>
body { font-family: Arial; } table { width: 100%; border-collapse: collapse; } td { border-bottom: 1px solid #ccc; }
</style></head><body><table width="100%"><tr><td><img src="photo.gif" width="20"></td><td align="right">Rechnung 7</td></tr></table>
<table cellpadding="4"><tr><th>Artikel</th><th>Preis</th></tr><tr><td>Gl\xfchlampe</td><td>3,50 \x80</td></tr></table></body></html>`;

it.each([
  ["a resume with flex boxes", resume, [612, 792], ["Ada Lovelace", "Notes on the Analytical Engine", "Analysis"]],
  ["an invoice in tables", Buffer.from(invoice, "latin1"), [595, 842], ["Rechnung 7", "Glühlampe", "3,50 €"]],
])("init --html creates a template of %s that renders without warnings", async (what, page, size, shown) => {
  const folder = join(root, what);
  await mkdir(folder);
  await writeFile(join(folder, "page.html"), page);
  await writeFile(join(folder, "photo.gif"), Buffer.from(gif.split(",")[1] ?? "", "base64"));
  const [DIR, output] = [join(folder, "template"), join(folder, "new.pdf")];

  await init.runOnFiles({ DIR, html: join(folder, "page.html") });
  const rendered = await render.runOnFiles({ DIR, output });

  expect(rendered).toMatchObject({ pageCount: 1, documentWarnings: [] });
  const pdf = await getDocumentProxy(new Uint8Array(await readFile(output)));
  const text = (await extractText(pdf)).text.join("\n");
  for (const value of shown) expect(text).toContain(value);
  const { view } = await pdf.getPage(1);
  expect(view.slice(2).map(Math.round)).toEqual(size);
});
