// Rewrites the pages of the body: checks their annotations, and puts sheets onto them. Pages and annotations that need no
// change are copied as they are.
import type { PdfFile } from "../file/open-pdf.ts";
import type { Page, PageTree } from "../file/page-tree.ts";
import { PdfError } from "../syntax/pdf-error.ts";
import { isDictionary, isReference, reference, type PdfDictionary, type PdfValue } from "../syntax/values.ts";
import { checkAnnotation, type CheckedAnnotation } from "./annotations.ts";

/** What a sheet adds to a page. */
export type Stamp = {
  /** The object numbers of the streams before and after the page's own content. */
  before: number;
  after: number;
  /** The name by which the content refers to the form, and the object number of the form. */
  formName: string;
  form: number;
  /** The object numbers of the sheet's links. */
  links: number[];
};

/** The annotations of a page. `isChanged` is whether the page's own list contains others. */
type Annotations = { items: PdfValue[]; isChanged: boolean };

export type CheckedPages = {
  /** The new values of annotations by object number. */
  changed: Map<number, PdfValue>;
  /** Gives a page, and what is put onto it, its new value; null if the page does not change. */
  pageWith(page: Page, stamp: Stamp | null): PdfDictionary | null;
  removedLinks: number;
};

/** Checks the annotations of all pages. */
export function checkPages(file: PdfFile, { pages, nodes }: PageTree): CheckedPages {
  const { checkList, changed, removedLinks } = annotationChecker(file, nodes);
  const checked = new Map(pages.map((page) => [page.number, checkList(page.dictionary.get("Annots"))]));
  const pageWith = (page: Page, stamp: Stamp | null): PdfDictionary | null => {
    const { items, isChanged } = checked.get(page.number) ?? { items: [], isChanged: true };
    const links = stamp?.links ?? [];
    const changes: [string, PdfValue][] = [];
    if (isChanged || links.length > 0) changes.push(["Annots", [...items, ...links.map(reference)]]);
    if (stamp) changes.push(...stampEntries(file, page, stamp));
    if (changes.length === 0 && !page.dictionary.has("AA")) return null;
    const dictionary: PdfDictionary = new Map([...page.dictionary, ...changes]);
    dictionary.delete("AA");
    return dictionary;
  };
  return { changed, pageWith, removedLinks: removedLinks() };
}

function stampEntries(file: PdfFile, { dictionary, resources }: Page, stamp: Stamp): [string, PdfValue][] {
  const contents = dictionary.get("Contents");
  const list = isReference(contents) && !file.extent(contents.number)?.isStream ? file.resolve(contents) : contents;
  const own = Array.isArray(list) ? list : list ? [list] : [];
  const forms = file.resolve(resources.get("XObject"));
  const withForm = new Map([...(isDictionary(forms) ? forms : []), [stamp.formName, reference(stamp.form)]] as const);
  return [
    ["Contents", [reference(stamp.before), ...own, reference(stamp.after)]],
    ["Resources", new Map([...resources, ["XObject", withForm]])],
  ];
}

/** Returns a name that is not in use among the forms and images of the page. */
export function unusedFormName(file: PdfFile, { resources }: Page): string {
  const forms = file.resolve(resources.get("XObject"));
  let name = "Sheet";
  for (let count = 1; isDictionary(forms) && forms.has(name); count++) name = `Sheet${count}`;
  return name;
}

/** Checks each annotation once, even if several pages refer to it. `changed` is filled by the checks. */
function annotationChecker(file: PdfFile, nodes: ReadonlySet<number>) {
  const changed = new Map<number, PdfValue>();
  const checkedObjects = new Set<number>();
  let removedLinks = 0;
  const check = (annotation: PdfDictionary): CheckedAnnotation => {
    const checked = checkAnnotation(file, annotation);
    if (checked.isLinkRemoved) removedLinks++;
    return checked;
  };
  /** Returns the item for the new list; null for what is not an annotation. */
  const checkItem = (item: PdfValue): PdfValue => {
    if (isDictionary(item)) return check(item).dictionary;
    if (!isReference(item) || nodes.has(item.number)) return null;
    if (checkedObjects.has(item.number)) return item;
    const annotation = file.object(item.number);
    if (!isDictionary(annotation)) return null;
    const { dictionary, isChanged } = check(annotation);
    if (isChanged) changed.set(item.number, dictionary);
    checkedObjects.add(item.number);
    return item;
  };
  const checkList = (list: PdfValue | undefined): Annotations => {
    const items = file.resolve(list);
    if (items !== null && !Array.isArray(items)) throw new PdfError("the annotations of a page are not an array");
    const checked = (items ?? []).map(checkItem);
    const isChanged = checked.some((item, index) => item === null || item !== items?.[index]);
    return { items: checked.filter((item) => item !== null), isChanged };
  };
  return { checkList, changed, removedLinks: () => removedLinks };
}
