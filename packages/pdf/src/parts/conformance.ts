// The standards that a file can conform to.

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

/** What a list of standards must be, as the end of a sentence. */
export const conformanceExpected = `an array of at most one level of PDF/A (${conformances
  .filter(isForArchives)
  .map((name) => `"${name}"`)
  .join(", ")}) and "pdf/ua-1"`;

/** Whether one file can conform to all of these standards. */
export function isPossible(conformance: readonly Conformance[]): boolean {
  return new Set(conformance).size === conformance.length && conformance.filter(isForArchives).length <= 1;
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

/** Returns the XMP properties by which readers recognise the version and the level. */
export function identification(conformance: readonly Conformance[]): string[] {
  const isBoth = conformance.length > 1 && conformance.includes("pdf/ua-1");
  const properties = conformance.map((value) => {
    if (value === "pdf/ua-1") return "<pdfuaid:part>1</pdfuaid:part>";
    const [part, level] = value.slice(-2);
    return `<pdfaid:part>${part}</pdfaid:part>\n<pdfaid:conformance>${level?.toUpperCase()}</pdfaid:conformance>`;
  });
  return isBoth ? [...properties, extensionSchema] : properties;
}

/** Returns the declarations of the namespaces of these properties. */
export function identificationNamespaces(conformance: readonly Conformance[]): string {
  const [forAccess, others] = [conformance.includes("pdf/ua-1"), conformance.some((value) => value !== "pdf/ua-1")];
  const ofArchives = `${namespaces.pdfaid}${forAccess ? namespaces.extension : ""}`;
  return `${others ? ofArchives : ""}${forAccess ? namespaces.pdfuaid : ""}`;
}

const namespaces = {
  pdfaid: ' xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"',
  pdfuaid: ' xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"',
  extension: ["Extension", "Schema", "Property"]
    .map(
      (part) =>
        ` xmlns:pdfa${part}="http://www.aiim.org/pdfa/ns/${part.toLowerCase()}${part === "Extension" ? "/" : "#"}"`,
    )
    .join(""),
};

/** PDF/A does not know the property of PDF/UA, and requires its description. */
const extensionSchema =
  '<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>PDF/UA identification</pdfaSchema:schema>' +
  "<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>" +
  '<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name>' +
  "<pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category>" +
  "<pdfaProperty:description>Part of ISO 14289</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag>" +
  "</pdfaExtension:schemas>";
