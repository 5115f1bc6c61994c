// Rewrites the pages of the body: checks their annotations, and puts sheets onto them.
import type { PdfFile } from "../file/open-pdf.ts";
import type { Page } from "../file/page-tree.ts";
import { isDictionary, isReference, reference, type PdfDictionary, type PdfValue } from "../syntax/values.ts";
import { checkAnnotation } from "./annotations.ts";

/** The name of the form with the sheet. Chromium names no form or image like this. */
export const formName = "Sheet";

/** What a sheet adds to a page. */
export type Stamp = {
  /** The object numbers of the streams before and after the page's own content. */
  before: number;
  after: number;
  /** The object number of the form. */
  form: number;
  /** The object numbers of the sheet's links. */
  links: number[];
};

export type CheckedPages = {
  /** The new values of annotations by object number. */
  annotations: ReadonlyMap<number, PdfDictionary>;
  /** Returns the new value of a page, and of what is put onto it. */
  pageWith(page: Page, stamp: Stamp | null): PdfDictionary;
  removedLinks: number;
};

/** Checks the annotations of all pages. */
export function checkPages(file: PdfFile, pages: readonly Page[]): CheckedPages {
  const annotations = new Map<number, PdfDictionary>();
  let removedLinks = 0;
  /** Returns the item for the new list; none for what is not an annotation. */
  const checkItem = (item: PdfValue): PdfValue[] => {
    const annotation = file.resolve(item);
    if (!isDictionary(annotation)) return [];
    const { dictionary, isLinkRemoved } = checkAnnotation(file, annotation);
    if (isLinkRemoved) removedLinks++;
    if (!isReference(item)) return [dictionary];
    annotations.set(item.number, dictionary);
    return [item];
  };
  const checked = new Map(
    pages.map((page) => {
      const list = file.resolve(page.dictionary.get("Annots"));
      return [page, Array.isArray(list) ? list.flatMap(checkItem) : []];
    }),
  );
  const pageWith = (page: Page, stamp: Stamp | null): PdfDictionary => {
    const links = [...(checked.get(page) ?? []), ...(stamp?.links ?? []).map(reference)];
    const dictionary: PdfDictionary = new Map([...page.dictionary, ...(stamp ? stampEntries(file, page, stamp) : [])]);
    for (const key of ["AA", "Annots"]) dictionary.delete(key);
    return links.length > 0 ? dictionary.set("Annots", links) : dictionary;
  };
  return { annotations, pageWith, removedLinks };
}

function stampEntries(file: PdfFile, { dictionary, resources }: Page, stamp: Stamp): [string, PdfValue][] {
  const contents = dictionary.get("Contents");
  const forms = file.resolve(resources.get("XObject"));
  const withForm = new Map([...(isDictionary(forms) ? forms : []), [formName, reference(stamp.form)]] as const);
  return [
    ["Contents", [reference(stamp.before), ...(contents ? [contents] : []), reference(stamp.after)]],
    ["Resources", new Map([...resources, ["XObject", withForm]])],
  ];
}
