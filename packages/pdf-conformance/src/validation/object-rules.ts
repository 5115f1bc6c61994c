// The rules for every object, whatever it is: the limits of clause 6.1.13, the filters of streams, attachments and actions.
import type { FinishedPdf } from "colophon-pdf/open-finished-pdf";
import { isDictionary, isName, isReference, isString, type PdfDictionary, type PdfValue } from "colophon-pdf/values";
import type { Report } from "../problem.ts";
import { checkAction } from "./annotation-rules.ts";
import { dictionaryAt, listOf, streamOf, textOf } from "./file.ts";
import { isText } from "./tag-rules.ts";

export const maxNameBytes = 127;
const maxStringBytes = 32_767;
const maxInteger = 2 ** 31;
const maxObjects = 8_388_607;
const filters = new Set(
  "ASCIIHexDecode ASCII85Decode FlateDecode RunLengthDecode CCITTFaxDecode JBIG2Decode DCTDecode".split(" "),
);

/** `allowsFiles` is whether attachments of every kind are allowed. */
export function checkObjects(file: FinishedPdf, allowsFiles: boolean, report: Report): void {
  if (file.size > maxObjects) report("6.1.13-7", `The file has more than ${maxObjects} objects.`);
  const associated = new Set<number>();
  const attached: number[] = [];
  for (let number = 0; number < file.size; number++) {
    const stream = file.streams.get(number);
    const value = stream?.dictionary ?? file.object(number);
    checkLimits(value, report);
    if (!isDictionary(value)) continue;
    for (const item of listOf(file, value.get("AF"))) if (isReference(item)) associated.add(item.number);
    if (value.has("EF")) attached.push(number);
    if (value.has("FT") && value.has("AA")) report("6.4.1-2", "A form field has an action.");
    if (value.has("Title") && value.has("A")) checkAction(file, value.get("A"), report);
    if (stream) checkFilters(file, stream.dictionary, report);
  }
  for (const number of attached) {
    checkAttachment(file, dictionaryAt(file, file.object(number)), allowsFiles, report);
    if (!associated.has(number)) report("6.8-4", "An attachment is not associated with a part of the file.");
  }
}

function checkFilters(file: FinishedPdf, dictionary: PdfDictionary, report: Report): void {
  if (["F", "FFilter", "FDecodeParms"].some((key) => dictionary.has(key)))
    report("6.1.7.1-3", "The data of a stream is in a different file.");
  for (const filter of listOf(file, dictionary.get("Filter")).map(textOf)) {
    if (filter === "JPXDecode") report("6.1.1-1", "An image is in JPEG 2000, which is not supported.");
    else if (!filters.has(filter)) report("6.1.7.2-1", `A stream has the filter ${filter}, which is not allowed.`);
  }
}

function checkAttachment(file: FinishedPdf, about: PdfDictionary, allowsFiles: boolean, report: Report): void {
  if (!allowsFiles) report("6.8-5", "An attachment does not conform to PDF/A.");
  const embedded = streamOf(file, dictionaryAt(file, about.get("EF")).get("F"));
  if (!/^[-\w+.]+\/[-\w+.]+$/.test(textOf(embedded?.dictionary.get("Subtype"))))
    report("6.8-1", "An attachment has no media type.");
  if (!isText(file, about.get("F")) || !isText(file, about.get("UF"))) report("6.8-2", "An attachment has no name.");
  if (!about.has("AFRelationship")) report("6.8-3", "An attachment does not say its relationship.");
}

/** Checks the values in objects and in content. */
export function checkLimits(value: PdfValue, report: Report): void {
  if (typeof value === "number") {
    if (Number.isInteger(value) && (value >= maxInteger || value < -maxInteger))
      report("6.1.13-1", "A number is too large.");
  } else if (isName(value)) checkName(value.text, report);
  else if (isString(value)) {
    if (value.text.length > maxStringBytes) {
      const message = `A text has more than ${maxStringBytes} bytes, for example a title, an alternative text or a link.`;
      report("6.1.13-3", message);
    }
  } else if (Array.isArray(value)) for (const item of value) checkLimits(item, report);
  else if (isDictionary(value)) {
    value.forEach((entry, key) => {
      checkName(key, report);
      checkLimits(entry, report);
    });
  }
}

function checkName(name: string, report: Report): void {
  if (name.length > maxNameBytes) report("6.1.13-4", `A name has more than ${maxNameBytes} bytes.`);
}
