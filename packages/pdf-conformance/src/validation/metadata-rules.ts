// The rules for the metadata and for the other entries of the catalog.
import type { Conformance } from "colophon-pdf/conformance";
import { invoiceProfiles } from "colophon-pdf/einvoice";
import { readMetadata, xmpPacket } from "colophon-pdf/metadata";
import type { FinishedPdf } from "colophon-pdf/open-finished-pdf";
import { isDictionary, type PdfDictionary } from "colophon-pdf/values";
import type { Report } from "../problem.ts";
import { checkAction } from "./annotation-rules.ts";
import { decoded, dictionaryAt, listOf, streamOf, textOf, type Stream } from "./file.ts";
import { checkLanguage, isText, noLanguage } from "./tag-rules.ts";

const catalogKeys = new Set(
  (
    "Type Pages Dests Outlines PageLabels MarkInfo StructTreeRoot Metadata OutputIntents ViewerPreferences Lang Names AF AA OpenAction " +
    "AcroForm NeedsRendering Version PageMode PageLayout Extensions"
  ).split(" "),
);

type Input = { file: FinishedPdf; catalog: PdfDictionary; conformance: readonly Conformance[]; report: Report };

export function checkCatalog(input: Input): void {
  const { file, catalog, report } = input;
  if (!isText(file, listOf(file, file.trailer.get("ID"))[0])) report("6.1.3-1", "The file has no identifier.");
  const metadata = streamOf(file, catalog.get("Metadata"));
  if (metadata) checkMetadata(input, metadata);
  else report("6.6.2.1-1", "The file has no metadata.");
  for (const key of catalog.keys())
    if (!catalogKeys.has(key)) report("6.1.1-1", `The catalog has the entry ${key}, which is not supported.`);
  if (catalog.has("AA")) report("6.5.2-1", "The catalog has an action.");
  checkAction(file, catalog.get("OpenAction"), report);
  checkForms(file, catalog, report);
  const names = dictionaryAt(file, catalog.get("Names"));
  for (const key of names.keys())
    if (key !== "EmbeddedFiles" && key !== "Dests")
      report("6.1.1-1", `The file has names for ${key}, which is not supported.`);
  const marks = dictionaryAt(file, catalog.get("MarkInfo"));
  if (file.resolve(marks.get("Marked")) !== true) report("6.7.2.2-1", "The file is not marked as tagged.");
  if (file.resolve(marks.get("Suspects")) === true) report("7.1-4", "The tags are marked as suspect.");
  if (file.resolve(dictionaryAt(file, catalog.get("ViewerPreferences")).get("DisplayDocTitle")) !== true)
    report("7.1-10", "Readers do not show the title.");
  if (catalog.has("Lang")) checkLanguage(file, catalog.get("Lang"), report);
  else if (dictionaryAt(file, catalog.get("Outlines")).has("First")) report("7.2-2", "The bookmarks have no language.");
}

function checkForms(file: FinishedPdf, catalog: PdfDictionary, report: Report): void {
  const form = file.resolve(catalog.get("AcroForm"));
  if (file.resolve(catalog.get("NeedsRendering")) === true) report("6.4.2-2", "The file needs rendering.");
  if (!isDictionary(form)) return;
  report("6.1.1-1", "The file has a form, which is not supported.");
  if (form.has("XFA")) report("6.4.2-1", "The file has an XFA form.");
  if (file.resolve(form.get("NeedAppearances")) === true) report("6.4.1-3", "The fields of a form need appearances.");
}

const archiveUri = "http://www.aiim.org/pdfa/ns/id/";
const accessUri = "http://www.aiim.org/pdfua/ns/id/";

function checkMetadata(input: Input, stream: Stream): void {
  const { file, catalog, conformance, report } = input;
  const xmp = Buffer.from(decoded(file, stream) ?? []).toString("utf8");
  const packet = /<\?xpacket[^>]*>/.exec(xmp)?.[0] ?? "";
  if (/\sbytes\s*=/.test(packet)) report("6.6.2.1-2", "The metadata has an entry `bytes`.");
  if (/\sencoding\s*=/.test(packet)) report("6.6.2.1-3", "The metadata has an entry `encoding`.");
  if (!/<dc:title[\s>]/.test(xmp)) report("7.1-9", "The metadata has no title.");
  const hasDefault = /xml:lang\s*=\s*["']x-default/.test(xmp) && !/xml:lang\s*=\s*["'](?!x-default)/.test(xmp);
  if (hasDefault && !catalog.has("Lang")) report("7.2-33", `The title ${noLanguage}`);
  const types = [stream.dictionary.get("Type"), stream.dictionary.get("Subtype")].map(textOf);
  if (types.join(" ") === "Metadata XML" && isAsWritten(input, xmp)) return;
  report("6.1.1-1", "The metadata differs from the document information.");
  for (const name of conformance) {
    const forAccess = name === "pdf/ua-1";
    const [uri, expected] = forAccess ? [accessUri, "pdfuaid"] : [archiveUri, "pdfaid"];
    const [clause, missing] = forAccess ? ["5", "5-1"] : ["6.6.4", "6.6.4-1"];
    const prefixes = [...xmp.matchAll(/xmlns:([\w-]+)\s*=\s*["']([^"']*)["']/g)].flatMap(([, prefix = "", bound]) =>
      bound === uri ? prefix : [],
    );
    const values = (key: string) => prefixes.map((prefix) => propertyOf(xmp, `${prefix}:${key}`)).find(Boolean);
    const [part, level] = [values("part"), values("conformance")];
    if (part === undefined && level === undefined && !values("amd") && !values("corr"))
      report(missing, "The metadata does not name the standard.");
    else if (part !== name.at(forAccess ? -1 : -2)) report(`${clause}-2`, "The metadata names a different part.");
    if (!forAccess && part !== undefined && level !== name.at(-1)?.toUpperCase())
      report("6.6.4-3", "The metadata names a different level.");
    for (const [key, number] of [
      ["part", forAccess ? 3 : 4],
      ["conformance", 5],
      ["amd", forAccess ? 4 : 6],
      ["corr", forAccess ? 5 : 7],
    ] as const)
      if (prefixes.some((prefix) => prefix !== expected && propertyOf(xmp, `${prefix}:${key}`)))
        report(`${clause}-${number}`, "The metadata names the standard with a different prefix.");
  }
}

/** Whether the metadata is what our writer writes for the document information. The properties of an invoice are only in the metadata. */
function isAsWritten({ file, conformance }: Input, xmp: string): boolean {
  const profile = invoiceProfiles.find((name) => xmp.includes(`<fx:ConformanceLevel>${name}<`));
  const einvoice = profile && { profile, xml: `xrechnung_${propertyOf(xmp, "fx:Version")}` };
  return xmp === Buffer.from(xmpPacket({ ...readMetadata(file), conformance, einvoice })).toString("utf8");
}

/** Returns a simple property of the metadata, as an element or as an attribute. */
function propertyOf(xmp: string, name: string): string | undefined {
  const [, element, attribute] =
    new RegExp(`<${name}>\\s*([^<\\s]*)\\s*<|\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(xmp) ?? [];
  return element ?? attribute;
}
