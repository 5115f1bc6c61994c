// Embeds files into a PDF, so that readers list them as its attachments. In PDF/A-3 they are associated files of the document.
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { PdfWriter } from "../file/pdf-writer.ts";
import { dictionaryOf, nameSource, reference, textSource, textString, type PdfDictionary } from "../syntax/values.ts";
import { invoiceName, type EInvoice } from "./einvoice.ts";
import { dateSource } from "./metadata.ts";

/** How a file relates to the document, in the order of ISO 32000-2. */
export const relationships = ["source", "data", "alternative", "supplement", "unspecified"] as const;

/** `content` is in base64, or text if `isText`. */
export type Attachment = {
  name: string;
  mimeType: string;
  relationship: (typeof relationships)[number];
  description?: string | undefined;
  content: string;
  isText?: boolean;
};

/** What a document carries beside its pages. */
export type AttachedFiles = { attachments?: Attachment[] | undefined; einvoice?: EInvoice | undefined };

/** Returns the entries of the catalog; empty if nothing is attached. `createdAt` is in ms since the epoch. */
export function writeAttachments(
  writer: PdfWriter,
  { attachments = [], einvoice }: AttachedFiles,
  createdAt: number,
): PdfDictionary {
  const files = [...attachments, ...(einvoice ? [invoiceAttachment(einvoice)] : [])];
  if (files.length === 0) return new Map();
  const written = files.map((file) => ({ ...file, number: writeFile(writer, file, createdAt) }));
  const names = written.toSorted((a, b) => (textString(a.name).text < textString(b.name).text ? -1 : 1));
  const tree = writer.newObject(
    `<</Names[${names.map((file) => `${textSource(file.name)}${file.number} 0 R`).join(" ")}]>>`,
  );
  return dictionaryOf({
    Names: dictionaryOf({ EmbeddedFiles: reference(tree) }),
    AF: written.map(({ number }) => reference(number)),
  });
}

/** The lowest two profiles lack the lines of an invoice, so their XML is no alternative to the pages. */
function invoiceAttachment({ xml, profile }: EInvoice): Attachment {
  const isPartial = profile === "MINIMUM" || profile === "BASIC WL";
  return {
    name: invoiceName({ profile }),
    mimeType: "text/xml",
    relationship: isPartial ? "data" : "alternative",
    content: xml,
    isText: true,
  };
}

/** Returns the number of the file specification. */
function writeFile(writer: PdfWriter, file: Attachment, createdAt: number): number {
  const data = Buffer.from(file.content, file.isText ? "utf8" : "base64");
  const deflated = deflateSync(data);
  const isSmaller = deflated.length < data.length;
  const checkSum = createHash("md5").update(data).digest("hex");
  const params = `/Params<</Size ${data.length}/CheckSum<${checkSum}>/ModDate ${dateSource(createdAt)}>>`;
  const filter = isSmaller ? "/Filter/FlateDecode" : "";
  const content = writer.newNumber();
  const entries = `/Type/EmbeddedFile/Subtype${nameSource(file.mimeType)}${params}${filter}`;
  writer.addStream(content, entries, isSmaller ? deflated : data);
  const { relationship, description } = file;
  const capitalized = nameSource(`${relationship.charAt(0).toUpperCase()}${relationship.slice(1)}`);
  const text = textSource(file.name);
  const about = description === undefined ? "" : `/Desc ${textSource(description)}`;
  return writer.newObject(
    `<</Type/Filespec/F ${text}/UF ${text}/AFRelationship${capitalized}${about}/EF<</F ${content} 0 R/UF ${content} 0 R>>>>`,
  );
}
