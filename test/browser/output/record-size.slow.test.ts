// Compares the width and height of document records with the files that were made.
import { exports } from "cloudflare:workers";
import { getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { get, templateContent } from "../../fixtures/tenant.ts";
import { rendered, sharedTenant, type DocumentRecord } from "../fixtures/rendered.ts";

/** Returns the width and height of the first page in CSS pixels. */
async function firstPagePx(bytes: Uint8Array): Promise<[number, number]> {
  const pdf = await getDocumentProxy(bytes);
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
  return [Math.round(width / 0.75), Math.round(height / 0.75)];
}

const narrow = {
  ...templateContent({}).manifest,
  fields: [],
  page: { width: 302, height: 945, cssWidth: "302px", cssHeight: "945px" },
};

it("tells the size of the first page when the styles turn the paper", async () => {
  const content = { manifest: narrow, css: "@page{size:landscape}" };

  const { record, bytes } = await rendered({ page: "<p>x</p>", content });

  expect([record.width, record.height]).toEqual([945, 302]);
  const [width, height] = await firstPagePx(bytes);
  expect(Math.abs(width - 945)).toBeLessThanOrEqual(1);
  expect(Math.abs(height - 302)).toBeLessThanOrEqual(1);
});

it("tells the size of the first page when the styles give the pages other sizes", async () => {
  const content = { css: "@page wide{size:400px 200px} @page{size:500px 600px} .page-1{page:wide}" };

  const { record } = await rendered({ page: ["<p>one</p>", "<p>two</p>"], content });

  expect([record.width, record.height]).toEqual([400, 200]);
  const read = await get(exports.default, await sharedTenant(), `/documents/${record.id}`);
  expect((await read.json<{ data: DocumentRecord }>()).data).toMatchObject({ width: 400, height: 200 });
});

it("tells the size of the paper when the page differs from it only by rounding", async () => {
  const { record, bytes } = await rendered({ page: "<p>x</p>" });

  expect(await firstPagePx(bytes)).toEqual([793, 1123]);
  expect([record.width, record.height]).toEqual([794, 1123]);
});

it("tells the size of the first box of a PNG", async () => {
  const page = ["<div style='height:1500px'>one</div>", "<p>two</p>"];

  const { record } = await rendered({ page }, { format: "png", deviceScaleFactor: 1 });

  expect([record.width, record.height]).toEqual([794, 1500 + 96]);
});
