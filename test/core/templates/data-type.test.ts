import { describe, expect, it } from "vitest";
import { dataTypeModule, dataTypeName, isTypeName } from "../../../src/core/templates/data-type.ts";
import type { Field, Template } from "../../../src/core/templates/template.ts";
import { field, templateContent } from "../../fixtures/tenant.ts";

/** Returns the module for a template with these fields. */
function moduleOf(fields: Field[], title = "Letter"): string {
  const { manifest } = templateContent({ fields });
  const template = { id: "t1", version: 3, manifest: { ...manifest, title } } as Template;
  return dataTypeModule(template, "Letter");
}

/** Returns the lines of the type, without the comment above it. */
const typeOf = (...fields: Field[]) => moduleOf(fields).split("\n").slice(1, -1).join("\n");

/** Returns what a compiler sees: the module without its comments and white space. */
const codeOf = (module: string) => module.replace(/\/\*[^]*?\*\//g, "").replace(/\s+/g, " ");

describe("the type of a template's data", () => {
  it("says which template and version it was made from", () => {
    expect(moduleOf([]).split("\n")[0]).toBe('/** The data of the template "Letter", version 3. Its id is t1. */');
  });

  it("allows no properties if the template has no fields", () => {
    expect(typeOf()).toBe("export type Letter = { [key: string]: never };");
  });

  it("requires exactly the fields that are required", () => {
    const type = typeOf(field("a", "string", { required: true }), field("b", "number"));

    expect(type).toBe("export type Letter = {\n  a: string;\n  b?: number | null;\n};");
  });

  it.each([
    ["string", "string"],
    ["text", "string"],
    ["number", "number"],
    ["integer", "number"],
    ["boolean", "boolean"],
    ["date", "string"],
    ["datetime", "string"],
    ["image", "string"],
  ] as const)("gives a field of the type %s the type %s", (type, expected) => {
    const code = codeOf(moduleOf([field("f", type, { required: true })]));

    expect(code).toContain(`{ f: ${expected}; }`);
  });

  it("nests objects and lists", () => {
    const item = field("items", "list", { required: true, fields: [field("price", "number", { required: true })] });
    const type = typeOf(
      field("buyer", "object", { fields: [item] }),
      field("tags", "list", { required: true, items: "string" }),
    );

    expect(type).toBe(
      [
        "export type Letter = {",
        "  buyer?: {",
        "    items: {",
        "      price: number;",
        "    }[];",
        "  } | null;",
        "  tags: string[];",
        "};",
      ].join("\n"),
    );
  });

  it("describes a field by its label, description, format, default and example", () => {
    const type = typeOf(
      field("due", "date", { label: "Due date", description: "The last day.\nOptional.", default: "2026-01-31" }),
      field("days", "list", { label: "Days", items: "date", example: ["2026-02-01"] }),
    );

    expect(type.split("\n").slice(1, -1)).toEqual([
      "  /**",
      "   * Due date",
      "   * The last day.",
      "   * Optional.",
      "   * A date: YYYY-MM-DD.",
      '   * @default "2026-01-31"',
      "   */",
      "  due?: string | null;",
      "  /**",
      "   * Days",
      "   * Each item: A date: YYYY-MM-DD.",
      '   * @example ["2026-02-01"]',
      "   */",
      "  days?: string[] | null;",
    ]);
  });

  it("leaves out labels that repeat the key along with long defaults", () => {
    expect(typeOf(field("note", "string", { default: "x".repeat(200) }))).toBe(
      "export type Letter = {\n  note?: string | null;\n};",
    );
  });
});

describe("the texts of a template", () => {
  it.each([
    ["the end of a comment", "*/ }; fetch('https://evil.example'); /*"],
    ["the end of a comment in two parts", "**//; evil(); /*"],
    ["the end of a comment around a control character", "*\u0000/; evil(); /*"],
    ["the end of a comment over two lines", "*\n/; evil(); /*"],
    ["the end of a comment at its end", "*"],
    ["a beginning of the end", "/"],
    ["line separators", "a\u2028evil();\u2029evil();\revil();"],
    ["a template literal", "`${evil()}`"],
    ["a lone surrogate", "\ud800"],
  ])("stay inside comments if they contain %s", (_what, text) => {
    const hostile = field("f", "string", { label: text, description: text, default: text, example: text });

    const module = moduleOf([{ ...hostile, required: true }], text);

    expect(codeOf(module).trim()).toBe("export type Letter = { f: string; };");
    expect(module.isWellFormed()).toBe(true);
  });

  it("lose characters that a terminal or an editor would obey", () => {
    const module = moduleOf([field("f", "string", { label: "a\u001b[2Jb\u202ec\u2066d\u009b1m" })]);

    expect(module).toContain("/** a [2Jb c d 1m */");
  });
});

describe("the name of the type", () => {
  it.each([
    ["Invoice", "Invoice"],
    ["Shipping label", "ShippingLabel"],
    ["rechnung für Müller & Söhne", "RechnungFürMüllerSöhne"],
    ["請求書", "請求書"],
    ["4 × 6 label", "Template46Label"],
    ["🧾", "TemplateData"],
    ["*/ evil(); /*", "Evil"],
    ["string", "String"],
  ])("for the title %j is %s", (title, name) => {
    expect(dataTypeName(title)).toBe(name);
    expect(isTypeName(name)).toBe(true);
  });

  it.each(["string", "any", "", "4A", "A-B", "A B", "A;", "A<T>", "$", "Ａ/**/"])("cannot be %j", (name) => {
    expect(isTypeName(name)).toBe(false);
  });
});
