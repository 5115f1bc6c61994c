// The rules for every object, whatever it is: the limits of clause 6.1.13, and the filters of streams.
import type { FinishedPdf } from "colophon-pdf/open-finished-pdf";
import { isDictionary, isName, isString, type PdfValue } from "colophon-pdf/values";
import type { Report } from "../problem.ts";
import { listOf, textOf } from "./file.ts";

export const maxNameBytes = 127;
const maxStringBytes = 32_767;
const maxInteger = 2 ** 31;
const maxObjects = 8_388_607;
const filters = new Set(
  "ASCIIHexDecode ASCII85Decode FlateDecode RunLengthDecode CCITTFaxDecode JBIG2Decode DCTDecode".split(" "),
);

export function checkObjects(file: FinishedPdf, report: Report): void {
  if (file.size > maxObjects) report("6.1.13-7", `The file has more than ${maxObjects} objects.`);
  for (let number = 0; number < file.size; number++) {
    const stream = file.streams.get(number);
    checkLimits(stream?.dictionary ?? file.object(number), report);
    if (!stream) continue;
    if (["F", "FFilter", "FDecodeParms"].some((key) => stream.dictionary.has(key)))
      report("6.1.7.1-3", "The data of a stream is in a different file.");
    for (const filter of listOf(file, stream.dictionary.get("Filter")).map(textOf)) {
      if (!filters.has(filter)) report("6.1.7.2-1", `A stream has the filter ${filter}, which is not allowed.`);
    }
  }
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
    for (const [key, entry] of value) {
      checkName(key, report);
      checkLimits(entry, report);
    }
  }
}

function checkName(name: string, report: Report): void {
  if (name.length <= maxNameBytes) return;
  report(
    "6.1.13-4",
    `A name has more than ${maxNameBytes} bytes, for example the \`id\` of an element that has links to it.`,
  );
}
