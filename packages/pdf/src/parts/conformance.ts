// The standards that a file can conform to.
import { invoiceNamespace, invoiceProperties, type EInvoice } from "./einvoice.ts";

export const conformances = [
  "pdf/a-2b",
  "pdf/a-2u",
  "pdf/a-2a",
  "pdf/a-3b",
  "pdf/a-3u",
  "pdf/a-3a",
  "pdf/ua-1",
] as const;
export type Conformance = (typeof conformances)[number];

/** The most standards to which one file can conform. */
export const maxConformances = 2;

/** Returns why no file can conform to all of these standards, as the end of a sentence; null if one can. */
export function impossibleReason(conformance: readonly Conformance[]): string | null {
  const repeated = conformance.find((name, index) => conformance.indexOf(name) < index);
  if (repeated) return `has "${repeated}" twice; each standard can be given once`;
  const [first, second] = conformance.filter(isForArchives);
  return second ? `has "${first}" and "${second}", but a file can have only one level of PDF/A` : null;
}

function isForArchives(name: Conformance): boolean {
  return name !== "pdf/ua-1";
}

/** Whether the standards ask for tags. */
export function isAccessible(conformance: readonly Conformance[]): boolean {
  return conformance.some((value) => value === "pdf/ua-1" || value.endsWith("a"));
}

/** Whether the standards ask for the text of every glyph. */
export function hasTexts(conformance: readonly Conformance[]): boolean {
  return conformance.some((value) => !value.endsWith("b"));
}

/** Whether the standards allow attachments only if these conform to PDF/A as well. */
export function forbidsAttachments(conformance: readonly Conformance[]): boolean {
  return conformance.some((value) => value.startsWith("pdf/a-2"));
}

/** Whether the standards allow attachments of every kind, and programs to find them. */
export function hasAssociatedFiles(conformance: readonly Conformance[]): boolean {
  return conformance.some((value) => value.startsWith("pdf/a-3"));
}

/** Returns the XMP properties by which readers recognise the version and the level, and those of an electronic invoice. */
export function identification(conformance: readonly Conformance[], einvoice?: EInvoice): string[] {
  const isBoth = conformance.length > 1 && conformance.includes("pdf/ua-1");
  const properties = conformance.map((value) => {
    if (value === "pdf/ua-1") return "<pdfuaid:part>1</pdfuaid:part>";
    const [part, level] = value.slice(-2);
    return `<pdfaid:part>${part}</pdfaid:part>\n<pdfaid:conformance>${level?.toUpperCase()}</pdfaid:conformance>`;
  });
  const schemas = [...(isBoth ? [accessSchema] : []), ...(einvoice ? [invoiceSchema] : [])];
  const described = `<pdfaExtension:schemas><rdf:Bag>${schemas.join("")}</rdf:Bag></pdfaExtension:schemas>`;
  return [
    ...properties,
    ...(einvoice ? [invoiceProperties(einvoice)] : []),
    ...(schemas.length > 0 ? [described] : []),
  ];
}

/** Returns the declarations of the namespaces of these properties. */
export function identificationNamespaces(conformance: readonly Conformance[], einvoice?: EInvoice): string {
  const [forAccess, others] = [conformance.includes("pdf/ua-1"), conformance.some((value) => value !== "pdf/ua-1")];
  const ofArchives = `${namespaces.pdfaid}${forAccess || einvoice ? namespaces.extension : ""}`;
  return `${others ? ofArchives : ""}${forAccess ? namespaces.pdfuaid : ""}${einvoice ? namespaces.fx : ""}`;
}

const accessNamespace = "http://www.aiim.org/pdfua/ns/id/";
const namespaces = {
  pdfaid: ' xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"',
  pdfuaid: ` xmlns:pdfuaid="${accessNamespace}"`,
  fx: ` xmlns:fx="${invoiceNamespace}"`,
  extension: ["Extension", "Schema", "Property"]
    .map(
      (part) =>
        ` xmlns:pdfa${part}="http://www.aiim.org/pdfa/ns/${part.toLowerCase()}${part === "Extension" ? "/" : "#"}"`,
    )
    .join(""),
};

/** PDF/A requires the description of all properties that it does not know. */
const accessSchema = schema("PDF/UA identification", accessNamespace, "pdfuaid", [
  property("part", "Integer", "internal", "Part of ISO 14289"),
]);
const invoiceSchema = schema("Factur-X PDFA Extension Schema", invoiceNamespace, "fx", [
  property("DocumentFileName", "Text", "external", "The name of the embedded XML document"),
  property(
    "DocumentType",
    "Text",
    "external",
    "The type of the hybrid document in capital letters, e.g. INVOICE or ORDER",
  ),
  property("Version", "Text", "external", "The version of the standard applying to the embedded XML document"),
  property("ConformanceLevel", "Text", "external", "The conformance level of the embedded XML document"),
]);

function schema(title: string, uri: string, prefix: string, properties: string[]): string {
  return (
    `<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>${title}</pdfaSchema:schema>` +
    `<pdfaSchema:namespaceURI>${uri}</pdfaSchema:namespaceURI><pdfaSchema:prefix>${prefix}</pdfaSchema:prefix>` +
    `<pdfaSchema:property><rdf:Seq>${properties.join("")}</rdf:Seq></pdfaSchema:property></rdf:li>`
  );
}

function property(key: string, type: string, category: string, description: string): string {
  return (
    `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${key}</pdfaProperty:name><pdfaProperty:valueType>${type}</pdfaProperty:valueType>` +
    `<pdfaProperty:category>${category}</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`
  );
}
