import { env, exports } from "cloudflare:workers";
import { expect, it } from "vitest";
import { lengthPx, pageSizeNames, paperGeometry } from "colophon-page/page-geometry";
import { readPdf } from "../../fixtures/pdf-reader.ts";
import { newTenant, post, pushed, templateContent, type Tenant } from "../../fixtures/tenant.ts";

async function rendered(tenant: Tenant, body: object): Promise<{ record: Rendered; bytes: Uint8Array }> {
  const response = await post(exports.default, tenant, { templateId: tenant.templateId, data: {}, ...body });
  const { data, error } = await response.json<{ data: Rendered; error?: unknown }>();
  expect(error).toBeUndefined();
  return { record: data, bytes: new Uint8Array(await (await exports.default.fetch(data.pdfUrl)).arrayBuffer()) };
}

type Rendered = {
  pdfUrl: string;
  pageCount: number;
  width: number;
  height: number;
  warnings: string[];
  sha256: string;
};

/** Returns the rounded width and height of every page's media box, in points. */
function pageSizes(pdf: Uint8Array): [number, number][] {
  const objects = [...readPdf(pdf).objects.values()].join("\n");
  return [...objects.matchAll(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, w, h]) => [
    Math.round(Number(w)),
    Math.round(Number(h)),
  ]);
}

function pngSize(png: Uint8Array): [number, number] {
  const view = new DataView(png.buffer, png.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
}

const points = (cssLength: string) => Math.round(((lengthPx(cssLength) ?? 0) * 72) / 96);

it.each([
  [16, 16],
  [74, 74],
  [40, 300],
  [300, 16],
])("prints a label of %i x %i pixels", async (width, height) => {
  const margin = { top: 0, right: 0, bottom: 0, left: 0 };
  const { manifest } = templateContent({});
  const tenant = await newTenant(env);
  const content = { manifest: { ...manifest, margin, fields: [] } };
  const templateId = await pushed(env, tenant.accountId, { page: "<b>1</b>", content }, "label");

  const { bytes, record } = await rendered(tenant, { templateId, width, height });

  expect(record).toMatchObject({ width, height });
  expect(pageSizes(bytes)[0]).toEqual([points(`${width}px`), points(`${height}px`)]);
});

it("prints a short document as one page of exactly the chosen paper size, in portrait and landscape", async () => {
  const tenant = await newTenant(env);

  for (const size of pageSizeNames) {
    for (const orientation of ["portrait", "landscape"] as const) {
      const page = paperGeometry(size, orientation);
      const { manifest } = templateContent({});
      const content = { manifest: { ...manifest, pageSize: size, orientation, page, fields: [] } };
      const templateId = await pushed(env, tenant.accountId, { page: "<p>x</p>", content }, `${size}-${orientation}`);

      const { bytes, record } = await rendered(tenant, { templateId });

      expect(pageSizes(bytes), `${size} ${orientation}`).toEqual([[points(page.cssWidth), points(page.cssHeight)]]);
      expect([record.width, record.height]).toEqual([page.width, page.height]);
    }
  }
});

it("prints A4 as 595 x 842 points", async () => {
  const tenant = await newTenant(env);

  const { bytes } = await rendered(tenant, {});

  expect(pageSizes(bytes)).toEqual([[595, 842]]);
});

it("lets the request override the width, the height, or both", async () => {
  const tenant = await newTenant(env);

  const both = await rendered(tenant, { width: 400, height: 600 });
  const width = await rendered(tenant, { width: 400 });
  const height = await rendered(tenant, { height: 600 });

  expect(pageSizes(both.bytes)).toEqual([[300, 450]]);
  expect(pageSizes(width.bytes)).toEqual([[300, 842]]);
  expect(pageSizes(height.bytes)).toEqual([[595, 450]]);
});

it("starts each page file on a new page without blank pages between them", async () => {
  const { manifest } = templateContent({});
  const bleed = "<div style='height:var(--page-height);background:#036'></div>";
  const content = { manifest: { ...manifest, margin: { top: 0, right: 0, bottom: 0, left: 0 }, fields: [] } };
  const tenant = await newTenant(env, { page: [bleed, "<p>second</p>", bleed], content });

  const { record, bytes } = await rendered(tenant, {});

  expect(record.pageCount).toBe(3);
  expect(pageSizes(bytes)).toHaveLength(3);
});

it("multiplies the requested width and height of a PNG by deviceScaleFactor", async () => {
  const tenant = await newTenant(env);

  for (const deviceScaleFactor of [1, 2, 3]) {
    const { bytes } = await rendered(tenant, { format: "png", width: 301, height: 203, deviceScaleFactor });
    expect(pngSize(bytes)).toEqual([301 * deviceScaleFactor, 203 * deviceScaleFactor]);
  }
});

it("stacks the growing boxes of the page files in a PNG without gaps", async () => {
  const tenant = await newTenant(env, { page: ["<p>one</p>", "<div style='height:1500px'>two</div>"], fields: [] });

  const { record, bytes } = await rendered(tenant, { format: "png", deviceScaleFactor: 1 });

  expect(record.pageCount).toBe(2);
  expect(pngSize(bytes)).toEqual([794, 1123 + 1500 + 96]);
});

it("clips the box of each page file in a PNG to the requested height", async () => {
  const tenant = await newTenant(env, { page: ["<p>one</p>", "<div style='height:1500px'>two</div>"], fields: [] });

  const { record, bytes } = await rendered(tenant, { format: "png", height: 500, deviceScaleFactor: 1 });

  expect(pngSize(bytes)).toEqual([794, 1000]);
  expect(record.warnings.join()).toMatch(/^Page 2: .* hides/);
});

it("rejects an oversized PNG with 400 or 422, whichever sets the size", async () => {
  const tenant = await newTenant(env, { page: "<div style='height:15000px'>tall</div>", fields: [] });
  const byRequest = {
    templateId: tenant.templateId,
    data: {},
    format: "png",
    width: 5000,
    height: 5000,
    deviceScaleFactor: 3,
  };
  const byLayout = { templateId: tenant.templateId, data: {}, format: "png", deviceScaleFactor: 2 };

  const refused = await post(exports.default, tenant, byRequest);
  const failed = await post(exports.default, tenant, byLayout);

  expect([refused.status, failed.status]).toEqual([400, 422]);
  expect(await refused.text()).toMatch(/15000 x 15000.*deviceScaleFactor/);
  expect(await failed.text()).toMatch(/1588 x 3\d{4} pixels.*deviceScaleFactor/);
});
