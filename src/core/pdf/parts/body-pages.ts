// Rewrites the pages of the body: puts sheets onto them, and checks their annotations. Pages and annotations that need no
// change are left out of the result and copied as they are.
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

export type ChangedObjects = {
  /** The new values of pages and annotations by object number. */
  objects: Map<number, PdfValue>;
  removedLinks: number;
};

/** `stampOf` returns what is put onto the page with this index, or null. */
export function changePages(
  file: PdfFile,
  { pages, nodes }: PageTree,
  stampOf: (page: Page, index: number) => Stamp | null,
): ChangedObjects {
  const objects = new Map<number, PdfValue>();
  const annotations = annotationChecker(file, nodes, objects);
  for (const [index, page] of pages.entries()) {
    const stamp = stampOf(page, index);
    const changes: [string, PdfValue][] = [];
    const list = annotations.checkList(page.dictionary.get("Annots"), stamp?.links ?? []);
    if (list !== null) changes.push(["Annots", list]);
    if (stamp) changes.push(...stampEntries(file, page, stamp));
    if (changes.length === 0 && !page.dictionary.has("AA")) continue;
    const changed: PdfDictionary = new Map([...page.dictionary, ...changes]);
    changed.delete("AA");
    objects.set(page.number, changed);
  }
  return { objects, removedLinks: annotations.removedLinks() };
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

/** Checks each annotation once, even if several pages refer to it, and adds those that change to `objects`. */
function annotationChecker(file: PdfFile, nodes: ReadonlySet<number>, objects: Map<number, PdfValue>) {
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
    if (isChanged) objects.set(item.number, dictionary);
    checkedObjects.add(item.number);
    return item;
  };
  /** Returns the new list of a page's annotations; null if the list does not change. */
  const checkList = (list: PdfValue | undefined, added: number[]): PdfValue[] | null => {
    const items = file.resolve(list);
    if (items !== null && !Array.isArray(items)) throw new PdfError("the annotations of a page are not an array");
    const checked = (items ?? []).map(checkItem);
    const isSame = checked.every((item, index) => item !== null && item === items?.[index]);
    if (isSame && added.length === 0) return null;
    return [...checked.filter((item) => item !== null), ...added.map(reference)];
  };
  return { checkList, removedLinks: () => removedLinks };
}
