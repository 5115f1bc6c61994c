import { expect, it } from "vitest";
import { customGeometry } from "colophon-page/page-geometry";
import type { Conformance } from "colophon-pdf/conformance";
import type { TemplateManifest } from "colophon-template-model/template";
import { field, templateContent } from "colophon-test-kit/template-content";
import { planRender, type RenderRequest } from "../src/plan-render.ts";

const { manifest } = templateContent({});

function planned(request: Partial<RenderRequest> = {}, rest: Partial<TemplateManifest> = {}) {
  const asked: RenderRequest = { data: {}, format: "pdf", deviceScaleFactor: 2, ...request };
  return planRender({ ...manifest, ...rest }, asked, new Set());
}

const invoice = [
  field("number", "string", { required: true }),
  field("total", "number"),
  field("paid", "boolean"),
  field("items", "list", { fields: [field("price", "number", { required: true })] }),
];

it("all missing fields are named", () => {
  expect(planned({ data: { items: [{ price: 1 }, {}] } }, { fields: invoice })).toMatchObject({
    status: "missing",
    message: expect.stringContaining("`data.number`, `data.items.1.price`"),
    problems: [{ path: "data.number" }, { path: "data.items.1.price" }],
  });
});

const attachment = { name: "a", mimeType: "a/b", relationship: "data", content: "" } as const;
const einvoice = { xml: "<a/>", profile: "BASIC" } as const;
const forbidden = (level: string) => ({
  encryption: `\`encryption\` is not allowed with the conformance "${level}": PDF/A forbids it. \`"conformance": []\` asks for no standard.`,
});
const embedded = (level: string) => ({
  attachments: expect.stringMatching(
    `^\`attachments\` is not allowed with the conformance "${level}": PDF/A-2 allows only`,
  ),
});
const invoiceRefused = { einvoice: expect.stringMatching(/requires PDF\/A-3/) };
const untested = {
  encryption:
    '`encryption` is not allowed with the conformance "pdf/ua-1": an encrypted file cannot be validated. `"conformance": []` asks for no standard.',
};

it.each<[asked: Conformance[], passwords: object, attachments: object, invoice: object]>([
  [[], {}, {}, invoiceRefused],
  [["pdf/ua-1"], untested, {}, invoiceRefused],
  [["pdf/a-2b"], forbidden("pdf/a-2b"), embedded("pdf/a-2b"), invoiceRefused],
  [["pdf/ua-1", "pdf/a-2a"], forbidden("pdf/a-2a"), embedded("pdf/a-2a"), invoiceRefused],
  [["pdf/a-3b"], forbidden("pdf/a-3b"), {}, {}],
  [["pdf/ua-1", "pdf/a-3u"], forbidden("pdf/a-3u"), {}, {}],
])("a PDF with %j has passwords, attachments or an invoice only if the standards allow them", (asked, ...refusals) => {
  const given = [{ encryption: {} }, { attachments: [attachment] }, { einvoice }];
  const refusalOf = (request: Partial<RenderRequest>, rest: Partial<TemplateManifest> = {}) => {
    const plan = planned(request, rest);
    return plan.status === "planned"
      ? {}
      : Object.fromEntries(plan.problems.map(({ path, message }) => [path, message.replace(" in the template", "")]));
  };

  const byRequest = given.map((request) => refusalOf({ ...request, conformance: asked }));
  const byTemplate = given.map((request) => refusalOf(request, { conformance: asked }));
  const without = given.map((request) => refusalOf({ ...request, conformance: [] }, { conformance: asked }));

  expect([byRequest, byTemplate, without]).toEqual([refusals, refusals, [{}, {}, invoiceRefused]]);
});

it.each(["encryption", "attachments", "einvoice"])(
  "a refusal of %s says that the template asks for the standard",
  (path) => {
    const request = {
      encryption: { encryption: {} },
      attachments: { attachments: [attachment] },
      einvoice: { einvoice },
    }[path];
    const plan = planned({ ...request }, { conformance: ["pdf/a-2b"] });

    expect(plan).toMatchObject({
      problems: [{ path, message: expect.stringMatching(/"pdf\/a-2b".? in the template/) }],
    });
  },
);

it.each(["png", "jpeg", "webp"] as const)("a %s ignores the template's conformance, and has no passwords", (format) => {
  const template = { conformance: ["pdf/a-2b" as const] };

  expect(planned({ format }, template)).not.toHaveProperty("conformance");
  expect(planned({ format, encryption: {} }, template)).toMatchObject({ problems: [{ path: "encryption" }] });
});

it("values of the wrong type are named together with missing fields", () => {
  const plan = planned({ data: { total: "1", paid: "yes" } }, { fields: invoice });

  if (plan.status !== "invalid") throw new Error(plan.status);
  expect(plan.problems.map(({ path }) => path)).toEqual(["data.total", "data.paid", "data.number"]);
  expect(plan.message).toBe(plan.problems.map(({ message }) => message).join(" "));
});

it("problems after the first 100 are counted", () => {
  const plan = planned({ data: { number: "1", items: Array.from({ length: 130 }, () => ({})) } }, { fields: invoice });

  expect(plan).toMatchObject({ status: "missing", message: expect.stringMatching(/ And 30 more problems\.$/) });
  expect(plan.status === "missing" && plan.problems).toHaveLength(100);
});

it("a template without messages accepts every known language, with a warning if the language has no formats", () => {
  const noFormats = "Numbers and dates are formatted as in `en-US`, because there are no formats for `tlh`.";

  for (const locale of ["de", "DE-at", "de-1901", "en-u-nu-arab", "ar"])
    expect(planned({ locale })).toMatchObject({ status: "planned", warnings: [] });
  expect(planned({ locale: "tlh" })).toMatchObject({ status: "planned", warnings: [noFormats] });
});

it("a template with messages accepts the languages of its messages and their variants", () => {
  const own = { locale: "en-US", locales: ["de", "en", "zh-Hant"] };
  const message = "`locale` must be one of the template's languages, or a variant of one: de, en, zh-Hant.";

  for (const locale of ["de", "de-AT", "en", "en-US", "en-GB", "zh-TW", undefined])
    expect(planned({ locale }, own)).toMatchObject({ status: "planned" });
  for (const locale of ["fr", "zh", "sr-Latn", "denmark"])
    expect(planned({ locale }, own)).toEqual({ status: "invalid", message, problems: [{ path: "locale", message }] });
});

it.each<[page: Partial<RenderRequest>, path: string, size: string]>([
  [{ width: 96 }, "width", "96 x 1123 px"],
  [{ width: 96, height: "auto" }, "width", "96 px in width"],
  [{ width: 20, height: 400 }, "width", "20 x 400 px"],
  [{ width: 20, height: 20 }, "width", "20 x 20 px"],
  [{ width: 20, height: 10 }, "height", "20 x 10 px"],
  [{ height: 10 }, "height", "794 x 10 px"],
])("a page of %j is refused, because its margins leave no room", (page, path, size) => {
  expect(planned(page)).toMatchObject({
    status: "invalid",
    problems: [{ path, message: expect.stringContaining(`A page of ${size} leaves`) }],
  });
});

it.each<[Partial<RenderRequest>, Partial<TemplateManifest>, string]>([
  [{ width: 5000, height: 5000 }, {}, "width"],
  [{}, { page: customGeometry(5000, 5000) }, "deviceScaleFactor"],
])("a PNG of %j that would be too large is refused, with the property to lower", (size, own, path) => {
  expect(planned({ format: "png", ...size }, own)).toMatchObject({
    status: "invalid",
    problems: [{ path, message: expect.stringContaining("10000 x 10000 pixels") }],
  });
});

it("the number of pixels is not limited for a PDF or for an image whose height is not known", () => {
  expect(planned({ width: 5000, height: 5000, deviceScaleFactor: 3 }).status).toBe("planned");
  expect(planned({ format: "png", width: 5000, height: "auto", deviceScaleFactor: 3 }).status).toBe("planned");
});

it("the height of an image is fixed only by a height in the request", () => {
  const heights = [300, "auto", undefined] as const;

  const plans = heights.map((height) => planned({ format: "png", height }));

  expect(plans).toMatchObject([{ fixedHeight: true }, { fixedHeight: false }, { fixedHeight: false }]);
});
