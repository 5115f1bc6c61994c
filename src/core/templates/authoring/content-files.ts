// The files of a template folder that a push turns into the given content. Lengths are written in pixels, and optional
// properties are written out, so the files are not byte for byte those that were pushed. What came from the folder that
// templates share becomes part of the template's own folder, because the shared one may have changed since.
import { base64Bytes } from "../../encoding.ts";
import { paperOfWidth } from "../../rendering/page-geometry.ts";
import type { Field, TemplateContent, TemplateManifest } from "../template.ts";
import type { TemplateFile } from "../folder/template-files.ts";

/** Returns the files, in the order in which the documentation lists them. */
export function contentFiles(content: TemplateContent): TemplateFile[] {
  const { manifest, pages, parts = [], locales = [], css, header, footer, assets, sampleData } = content;
  const optional = { "style.css": css === "" ? null : css, "header.liquid": header, "footer.liquid": footer };
  return [
    textFile("template.json", manifestJson(manifest)),
    ...pages.map(({ name, source }) => textFile(`pages/${name}`, source)),
    ...parts.map(({ file, source }) => textFile(file.replace(/^shared\//, ""), source)),
    ...locales.map(({ locale, source }) => textFile(`locales/${locale}.json`, source)),
    ...Object.entries(optional).flatMap(([path, text]) => (text === null ? [] : [textFile(path, text)])),
    ...Object.entries(assets).map(([name, { base64 }]) => ({ path: `assets/${name}`, bytes: base64Bytes(base64) })),
    textFile("sample.json", `${JSON.stringify(sampleData, null, 2)}\n`),
  ];
}

function textFile(path: string, text: string): TemplateFile {
  return { path, bytes: new TextEncoder().encode(text) };
}

/** Returns the `template.json` of a manifest. */
function manifestJson(manifest: TemplateManifest): string {
  const { title, description, orientation, margin, locale, timeZone, isPublished } = manifest;
  const settings = { title, description, ...sizeOf(manifest), orientation, margin, locale, timeZone, isPublished };
  const properties = Object.entries(settings).map(([name, value]) => `  ${JSON.stringify(name)}: ${onOneLine(value)},`);
  return ["{", ...properties, `  "fields": ${fieldsJson(manifest.fields, "  ")}`, "}", ""].join("\n");
}

/** Returns the properties that define the size of the page. */
function sizeOf({ pageSize, page, orientation }: TemplateManifest): Record<string, unknown> {
  if (pageSize !== "Custom") return { pageSize };
  const paper = page.height === "auto" ? paperOfWidth(page.cssWidth, orientation) : null;
  return paper ? { pageSize: paper, height: page.height } : { width: page.width, height: page.height };
}

/** Returns the JSON of field definitions, one on each line. `indent` is the indentation of the line on which it begins. */
export function fieldsJson(fields: readonly Field[], indent = ""): string {
  const lines = fields.map((field) => `${indent}  ${fieldJson(field, `${indent}  `)}`);
  return lines.length === 0 ? "[]" : ["[", lines.join(",\n"), `${indent}]`].join("\n");
}

/** What a push would add by itself is left out. */
function fieldJson(field: Field, indent: string): string {
  const { key, label, type, required, description, fields, ...rest } = field;
  const json = onOneLine({
    key,
    ...(label === key ? {} : { label }),
    type,
    ...(required ? { required } : {}),
    ...rest,
    ...(description === "" ? {} : { description }),
  });
  return fields ? `${json.slice(0, -2)}, "fields": ${fieldsJson(fields, indent)} }` : json;
}

/** Returns JSON with a space after each comma and colon. Line breaks in texts are escaped, so none is lost. */
function onOneLine(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n */g, " ");
}
