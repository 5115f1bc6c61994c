// Writes the metadata of a PDF: the document information, a copy of it as XMP, and the entries of the catalog. The bytes depend only on the
// document, so the time of printing is replaced with the time at which the document was created.
import type { PdfFile, PdfObjects } from "../file/open-pdf.ts";
import { catalogOf } from "../file/page-tree.ts";
import { latin1Bytes } from "../syntax/characters.ts";
import {
  dictionaryOf,
  isDictionary,
  isString,
  name,
  reference,
  sourceOf,
  textSource,
  type PdfDictionary,
  type PdfValue,
} from "../syntax/values.ts";
import { identification, identificationNamespaces, type Conformance } from "./conformance.ts";
import type { EInvoice } from "./einvoice.ts";

/** How readers show and print a file. Without an entry, the reader decides; the title is shown unless `displayTitle` is false. */
export type ViewerPreferences = {
  displayTitle?: boolean | undefined;
  /** `none` prints the pages at their own size. */
  printScaling?: "none" | undefined;
  duplex?: keyof typeof duplexNames | undefined;
};

const duplexNames = {
  simplex: "Simplex",
  flipLongEdge: "DuplexFlipLongEdge",
  flipShortEdge: "DuplexFlipShortEdge",
} as const;

/** From this page on, counted from 0, pages are numbered from 1 in this style. */
export type PageLabel = { page: number; numbering: keyof typeof labelStyles };

const labelStyles = {
  decimal: "D",
  "lower-roman": "r",
  "upper-roman": "R",
  "lower-alpha": "a",
  "upper-alpha": "A",
} as const;

/** The metadata to write. `createdAt` is in ms since the epoch, and `language` is a BCP 47 tag. */
export type PdfMetadata = {
  title: string;
  author: string;
  subject: string;
  keywords: string;
  createdAt: number;
  language: string;
  viewer?: ViewerPreferences | undefined;
};

/** The metadata in the finished file. */
export type WrittenMetadata = PdfMetadata & {
  creator: string;
  producer: string;
  conformance: readonly Conformance[];
  einvoice?: EInvoice | undefined;
};

/** Adds values that Chromium wrote: the programs, and the language if the document sets one. */
export function writtenMetadata(
  file: PdfFile,
  metadata: PdfMetadata,
  conformance: readonly Conformance[],
): WrittenMetadata {
  return {
    ...(conformance.length > 0 ? sameInXml(metadata) : metadata),
    conformance,
    language: textEntry(file, catalogOf(file), "Lang") || metadata.language,
    creator: infoEntry(file, "Creator"),
    producer: infoEntry(file, "Producer"),
  };
}

/** Returns the metadata that a finished file has outside of its XMP. */
export function readMetadata(file: PdfObjects): Omit<WrittenMetadata, "conformance"> {
  const keys = ["Title", "Author", "Subject", "Keywords", "Creator", "Producer", "CreationDate"];
  const entries = keys.map((key) => infoEntry(file, key));
  const [title = "", author = "", subject = "", keywords = "", creator = "", producer = "", date = ""] = entries;
  const createdAt = Date.parse(date.replace(/^D:(....)(..)(..)(..)(..)(..).*$/, "$1-$2-$3T$4:$5:$6Z")) || 0;
  const language = textEntry(file, catalogOf(file), "Lang");
  return { title, author, subject, keywords, creator, producer, createdAt, language };
}

/** Replaces the characters that XML cannot contain or would change, because both copies of a conforming file's metadata are equal. */
export function sameInXml<T extends Pick<PdfMetadata, "title" | "author" | "subject" | "keywords">>(metadata: T): T {
  const [title, author, subject, keywords] = [metadata.title, metadata.author, metadata.subject, metadata.keywords].map(
    (text) => allowedInXml(text).replaceAll("\r", " "),
  );
  return { ...metadata, title, author, subject, keywords };
}

/** Returns a string from the document information, or an empty string. */
export function infoEntry(file: PdfObjects, key: string): string {
  const info = file.resolve(file.trailer.get("Info"));
  return isDictionary(info) ? textEntry(file, info, key) : "";
}

function textEntry(file: PdfObjects, dictionary: PdfDictionary, key: string): string {
  const value = file.resolve(dictionary.get(key));
  return isString(value) ? decodeText(value.text) : "";
}

/** Chromium writes text strings in ASCII, or in UTF-16 with a byte order mark. `text` has one character per byte. */
function decodeText(text: string): string {
  if (!text.startsWith("\xfe\xff")) return text;
  return new TextDecoder("utf-16be").decode(latin1Bytes(text));
}

export function infoSource(metadata: WrittenMetadata): string {
  const { title, author, subject, keywords, creator, producer, createdAt } = metadata;
  const texts = { Title: title, Author: author, Subject: subject, Keywords: keywords };
  const entries = Object.entries({ ...texts, Creator: creator, Producer: producer })
    .filter(([, text]) => text !== "")
    .map(([key, text]) => `/${key} ${textSource(text)}`);
  const date = dateSource(createdAt);
  return `<<${entries.join("")}/CreationDate ${date}/ModDate ${date}>>`;
}

/** Returns the source of a time in ms since the epoch. */
export function dateSource(ms: number): string {
  return `(D:${isoSeconds(ms).replace(/[-:TZ]/g, "")}+00'00')`;
}

/** The entries of Chromium's catalog that are kept. All others, such as open actions, are left out. */
const keptEntries = ["Type", "Pages", "Dests", "MarkInfo", "StructTreeRoot", "PageLabels"];

/** `parts` are the numbers of the objects in the catalog; null for objects that the file does not have. */
export function catalogSource(
  file: PdfFile,
  { language, viewer }: WrittenMetadata,
  parts: {
    outline: number | null;
    xmp: number;
    destinations: number | null;
    labels: readonly PageLabel[];
    intents: PdfValue;
    attached: PdfDictionary;
  },
): string {
  const catalog = catalogOf(file);
  const entries: PdfDictionary = new Map();
  for (const key of keptEntries) {
    const value = catalog.get(key);
    if (value !== undefined) entries.set(key, value);
  }
  entries.set("Type", name("Catalog"));
  if (parts.destinations !== null) entries.set("Dests", reference(parts.destinations));
  if (parts.outline !== null) entries.set("Outlines", reference(parts.outline));
  entries.set("Metadata", reference(parts.xmp));
  if (parts.intents) entries.set("OutputIntents", parts.intents);
  if (parts.labels.length > 0) {
    const styles = parts.labels.flatMap(({ page, numbering }) => [
      page,
      dictionaryOf({ S: name(labelStyles[numbering]) }),
    ]);
    entries.set("PageLabels", dictionaryOf({ Nums: styles }));
  }
  for (const [key, value] of parts.attached) entries.set(key, value);
  entries.set("ViewerPreferences", viewerDictionary(viewer));
  return `${sourceOf(entries).slice(0, -2)}/Lang ${textSource(language)}>>`;
}

export function viewerDictionary(viewer: ViewerPreferences = {}): PdfDictionary {
  const { displayTitle = true, printScaling, duplex } = viewer;
  const entries: PdfDictionary = new Map([["DisplayDocTitle", displayTitle]]);
  if (printScaling === "none") entries.set("PrintScaling", name("None"));
  if (duplex) entries.set("Duplex", name(duplexNames[duplex]));
  return entries;
}

/** Returns a time in whole seconds, such as `2026-01-02T03:04:05Z`. */
function isoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Returns the metadata as an XMP packet in UTF-8. */
export function xmpPacket(metadata: WrittenMetadata): Uint8Array {
  const { title, author, subject, keywords, language, creator, producer, conformance, einvoice } = metadata;
  const date = isoSeconds(metadata.createdAt);
  const alternatives = (text: string) => `<rdf:Alt><rdf:li xml:lang="x-default">${xml(text)}</rdf:li></rdf:Alt>`;
  const list = (kind: string, text: string) => `<rdf:${kind}><rdf:li>${xml(text)}</rdf:li></rdf:${kind}>`;
  const properties = [
    "<dc:format>application/pdf</dc:format>",
    title && `<dc:title>${alternatives(title)}</dc:title>`,
    author && `<dc:creator>${list("Seq", author)}</dc:creator>`,
    subject && `<dc:description>${alternatives(subject)}</dc:description>`,
    language && `<dc:language>${list("Bag", language)}</dc:language>`,
    keywords && `<pdf:Keywords>${xml(keywords)}</pdf:Keywords>`,
    producer && `<pdf:Producer>${xml(producer)}</pdf:Producer>`,
    creator && `<xmp:CreatorTool>${xml(creator)}</xmp:CreatorTool>`,
    ...["CreateDate", "ModifyDate", "MetadataDate"].map((key) => `<xmp:${key}>${date}</xmp:${key}>`),
    ...identification(conformance, einvoice),
  ];
  const namespace = identificationNamespaces(conformance, einvoice);
  return new TextEncoder().encode(
    `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n` +
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
      `<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
      `xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"${namespace}>\n` +
      `${properties.filter((property) => property !== "").join("\n")}\n` +
      `</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end="r"?>`,
  );
}

/** Escapes text for XML, and replaces the characters that XML does not allow. */
function xml(text: string): string {
  return allowedInXml(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function allowedInXml(text: string): string {
  return text.toWellFormed().replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, "\ufffd");
}
