// Draws forms on pages, above their content.
import type { PdfFile } from "../file/open-pdf.ts";
import type { Page } from "../file/page-tree.ts";
import type { PdfWriter } from "../file/pdf-writer.ts";
import { latin1Bytes } from "../syntax/characters.ts";
import { isDictionary, reference, type PdfDictionary } from "../syntax/values.ts";

/** Returns a function that returns the number of a stream, and writes the stream unless an equal one exists. */
export function streamsOnce(writer: PdfWriter): (text: string, entries?: string) => number {
  const numbers = new Map<string, number>();
  return (text, entries = "") => {
    const number = numbers.get(entries + text) ?? writer.newNumber();
    if (!numbers.has(entries + text)) writer.addStream(number, entries, latin1Bytes(text));
    numbers.set(entries + text, number);
    return number;
  };
}

/** `name` is used in the page's resources, with digits appended if the page already has a form with this name. */
type PageForm = { number: number; name: string };

/**
 * Returns the page with the form in its resources, and with a stream before and a stream after its content. `streams` returns
 * their numbers.
 */
export function withForm(
  file: PdfFile,
  { dictionary, resources: inherited }: Page,
  form: PageForm,
  streams: (formName: string) => { before: number; after: number },
): PdfDictionary {
  const ownResources = file.resolve(dictionary.get("Resources"));
  const resources = isDictionary(ownResources) ? ownResources : inherited;
  const xObjects = file.resolve(resources.get("XObject"));
  const forms: PdfDictionary = isDictionary(xObjects) ? xObjects : new Map();
  let formName = form.name;
  while (forms.has(formName)) formName += "1";
  const contents = dictionary.get("Contents");
  const list = file.resolve(contents);
  const inside = Array.isArray(list) ? list : contents ? [contents] : [];
  const { before, after } = streams(formName);
  return new Map([
    ...dictionary,
    ["Contents", [reference(before), ...inside, reference(after)]],
    ["Resources", new Map([...resources, ["XObject", new Map([...forms, [formName, reference(form.number)]])]])],
  ]);
}
