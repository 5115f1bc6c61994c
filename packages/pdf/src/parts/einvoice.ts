// The container of an electronic invoice, as Factur-X 1.0 and ZUGFeRD 2 define it: the name of the XML, and the
// properties in the metadata by which programs find it.

/** The profiles as they are written into the file. */
export const invoiceProfiles = ["MINIMUM", "BASIC WL", "BASIC", "EN 16931", "EXTENDED", "XRECHNUNG"] as const;
export type EInvoice = { xml: string; profile: (typeof invoiceProfiles)[number] };

export function invoiceName({ profile }: Pick<EInvoice, "profile">): string {
  return profile === "XRECHNUNG" ? "xrechnung.xml" : "factur-x.xml";
}

export const invoiceNamespace = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#";

/** Returns the XMP properties. The version of XRechnung is in the XML, at the end of the name of its specification. */
export function invoiceProperties(invoice: EInvoice): string {
  const { xml, profile } = invoice;
  const version = profile === "XRECHNUNG" ? (/xrechnung_(\d{1,2}\.\d{1,2})/.exec(xml)?.[1] ?? "3.0") : "1.0";
  const values = {
    DocumentType: "INVOICE",
    DocumentFileName: invoiceName(invoice),
    Version: version,
    ConformanceLevel: profile,
  };
  return Object.entries(values)
    .map(([key, value]) => `<fx:${key}>${value}</fx:${key}>`)
    .join("\n");
}
