import { describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/accounts/account.ts";
import type { DocumentFormat } from "colophon-page/document-format";
import { defaultImageQuality } from "colophon-render/image-quality";
import { customGeometry } from "colophon-page/page-geometry";
import type { CreateDocumentInput } from "../../../src/operations/documents/create-document.ts";
import { fakeAccount, fakeTemplate } from "../../fakes/services.ts";
import { field, templateContent } from "../../fixtures/tenant.ts";
import { expectNothingLeft, refusalOf, world } from "./world.ts";

describe("validating a create before a hold is reserved", () => {
  it("fails with TEMPLATE_NOT_FOUND for an unknown id", async () => {
    const { create } = await world();

    const { code } = await refusalOf(create({ templateId: "nope" }));

    expect(code).toBe("TEMPLATE_NOT_FOUND");
  });

  it("fails with the same error for another account's template and for an unknown id", async () => {
    const { services, create } = await world();
    const { account: other } = await fakeAccount(services);
    const theirs = fakeTemplate(services, other, templateContent({}));

    const [foreign, unknown] = [
      await refusalOf(create({ templateId: theirs.id })),
      await refusalOf(create({ templateId: "nope" })),
    ];

    expect([foreign.code, foreign.message]).toEqual([unknown.code, unknown.message]);
  });

  it("renders the version that the request names", async () => {
    const { services, template, create } = await world();
    services.state.templates.set(template.id, {
      template: { ...template, version: 2 },
      content: templateContent({}),
      folder: "x",
    });

    const versions = [1, 2, undefined].map(async (version) => {
      const { document } = await create(version === undefined ? {} : { templateVersion: version });
      return document.templateVersion;
    });

    expect(await Promise.all(versions)).toEqual([1, 2, 2]);
  });

  it("names the newest version when the template lacks the one that the request names", async () => {
    const { create } = await world();

    const { code, details } = await refusalOf(create({ templateVersion: 3 }));

    const message = "The template has no version 3; its newest version is 1.";
    expect([code, details]).toEqual(["TEMPLATE_NOT_FOUND", [{ path: "templateVersion", message }]]);
  });

  const dayMs = 24 * 60 * 60 * 1000;

  it.each<[days: Account["retentionDays"], expiresIn: number | undefined, afterMs: number | null]>([
    ["keep", undefined, null],
    ["keep", 60, 60_000],
    [2, undefined, 2 * dayMs],
    [2, 60, 60_000],
    [2, 172_800, 2 * dayMs],
  ])(
    "with a retention of %s days and an `expiresIn` of %s, sets the expiry",
    async (retentionDays, expiresIn, afterMs) => {
      const { services, account, create } = await world();
      account.retentionDays = retentionDays;

      const { document } = await create(expiresIn === undefined ? {} : { expiresIn });

      expect(document.expiresAt).toBe(afterMs === null ? null : services.now() + afterMs);
    },
  );

  it("refuses an `expiresIn` after the end of the account's retention", async () => {
    const { account, create } = await world();
    account.retentionDays = 2;

    const { details } = await refusalOf(create({ expiresIn: 172_801 }));

    const message = "`expiresIn` must be at most 172800: the documents of this account are kept for 2 days.";
    expect(details).toEqual([{ path: "expiresIn", message }]);
  });

  it.each<[format: DocumentFormat, imageQuality: number | undefined, quality: number | null]>([
    ["pdf", 50, null],
    ["jpeg", 50, 50],
    ["webp", undefined, defaultImageQuality],
  ])("plans a %s with the quality %s", async (format, imageQuality, quality) => {
    const { create } = await world();

    const { document } = await create({ format, imageQuality, filename: "a" });

    expect([document.imageQuality, document.filename]).toEqual([quality, `a.${format === "jpeg" ? "jpg" : format}`]);
  });

  const invoice = [
    field("number", "string", { required: true }),
    field("total", "number"),
    field("paid", "boolean"),
    field("items", "list", { fields: [field("price", "number", { required: true })] }),
  ];

  it("names every missing field at once", async () => {
    const { create } = await world({}, { fields: invoice });

    const error = await refusalOf(create({ data: { items: [{ price: 1 }, {}] } }));

    expect(error.code).toBe("MISSING_FIELD");
    expect(error.message).toContain("`data.number`, `data.items.1.price`");
    expect(error.details?.map(({ path }) => path)).toEqual(["data.number", "data.items.1.price"]);
  });

  it("names all values of the wrong type together with all missing fields", async () => {
    const { create } = await world({}, { fields: invoice });

    const error = await refusalOf(create({ data: { total: "1", paid: "yes" } }));

    expect(error.code).toBe("VALIDATION_ERROR");
    expect(error.details?.map(({ path }) => path)).toEqual(["data.total", "data.paid", "data.number"]);
    expect(error.message).toBe(error.details?.map(({ message }) => message).join(" "));
  });

  it("counts the problems after the first 100", async () => {
    const { create } = await world({}, { fields: invoice });

    const { message, details } = await refusalOf(
      create({ data: { number: "1", items: Array.from({ length: 130 }, () => ({})) } }),
    );

    expect(details).toHaveLength(100);
    expect(message).toMatch(/ And 30 more problems\.$/);
  });

  it("accepts any known language for a template without messages", async () => {
    const { create } = await world();

    for (const locale of ["de", "DE-at", "tlh", "de-1901", "en-u-nu-arab", "ar"]) {
      expect(await create({ locale })).toMatchObject({ document: { status: "completed" } });
    }
  });

  it("warns that numbers and dates have no formats in a language", async () => {
    const { create } = await world();

    const { document } = await create({ locale: "tlh" });

    expect(document.warnings).toEqual([
      "Numbers and dates are formatted as in `en-US`, because there are no formats for `tlh`.",
    ]);
  });

  it("accepts variants of the languages of a template with messages", async () => {
    const manifest = { ...templateContent({}).manifest, locale: "en-US", locales: ["de", "en", "zh-Hant"] };
    const { create } = await world({}, { content: { manifest } });

    for (const locale of ["de", "de-AT", "en", "en-US", "en-GB", "zh-TW", undefined]) {
      expect(await create(locale === undefined ? {} : { locale })).toMatchObject({ document: { status: "completed" } });
    }
  });

  it.each(["fr", "zh", "sr-Latn", "denmark"])(
    "names the languages of the template for the locale %s",
    async (locale) => {
      const manifest = { ...templateContent({}).manifest, locale: "en-US", locales: ["de", "en", "zh-Hant"] };
      const services = await world({}, { content: { manifest } });

      const error = await refusalOf(services.create({ locale }));

      expect(error.code).toBe("VALIDATION_ERROR");
      const message = "`locale` must be one of the template's languages, or a variant of one: de, en, zh-Hant.";
      expect([error.message, error.details]).toEqual([message, [{ path: "locale", message }]]);
    },
  );

  it.each<[page: Partial<CreateDocumentInput>, path: string, size: string]>([
    [{ width: 96 }, "width", "96 x 1123 px"],
    [{ width: 96, height: "auto" }, "width", "96 px in width"],
    [{ width: 20, height: 400 }, "width", "20 x 400 px"],
    [{ width: 20, height: 20 }, "width", "20 x 20 px"],
    [{ width: 20, height: 10 }, "height", "20 x 10 px"],
    [{ height: 10 }, "height", "794 x 10 px"],
  ])("names the page size when the margins leave no room on a page with %j", async (page, path, size) => {
    const { create } = await world();

    const { code, details } = await refusalOf(create(page));

    expect(code).toBe("VALIDATION_ERROR");
    expect(details).toEqual([{ path, message: expect.stringContaining(`A page of ${size} leaves`) }]);
  });

  it("accepts an image whose height is known only after the layout", async () => {
    const { create } = await world();

    const { document } = await create({ format: "png", width: 5000, height: "auto", deviceScaleFactor: 3 });

    expect(document.status).toBe("completed");
  });

  it("names the size of an image that would be too large", async () => {
    const { create } = await world();

    const error = await refusalOf(create({ format: "png", width: 5000, height: 5000, deviceScaleFactor: 2 }));

    expect(error.code).toBe("VALIDATION_ERROR");
    expect(error.message).toContain("10000 x 10000 pixels");
  });

  it("names `deviceScaleFactor` when an image is too large and the request sets no width or height", async () => {
    const manifest = { ...templateContent({}).manifest, page: customGeometry(5000, 5000) };
    const { create } = await world({}, { content: { manifest } });

    const error = await refusalOf(create({ format: "png", deviceScaleFactor: 2 }));

    expect(error.details?.map(({ path }) => path)).toEqual(["deviceScaleFactor"]);
  });

  it("does not limit the pixels of a PDF", async () => {
    const { create } = await world();

    const { document } = await create({ format: "pdf", width: 5000, height: 5000, deviceScaleFactor: 3 });

    expect(document.status).toBe("completed");
  });

  it.each<[string, Partial<CreateDocumentInput>]>([
    ["an unknown template", { templateId: "nope" }],
    ["an unknown version", { templateVersion: 3 }],
    ["a missing field", { data: {} }],
    ["a mistyped value", { data: { number: 1 } }],
    ["margins that do not fit", { data: { number: "1" }, width: 20 }],
    [
      "an image that is too large",
      { data: { number: "1" }, format: "png", width: 5000, height: 5000, deviceScaleFactor: 3 },
    ],
  ])("persists nothing and reserves no hold when it refuses %s", async (_what, input) => {
    const all = await world({}, { fields: invoice });

    await refusalOf(all.create(input));

    expect(all.services.state.holds.size).toBe(0);
    expectNothingLeft(all);
  });
});
