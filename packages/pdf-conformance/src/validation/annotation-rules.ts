// The rules for annotations and for the actions of a file.
import type { FinishedPdf } from "colophon-pdf/open-finished-pdf";
import type { Box } from "colophon-pdf/page-tree";
import { isDictionary, isReference, type PdfDictionary, type PdfValue } from "colophon-pdf/values";
import type { Report } from "../problem.ts";
import { dictionaryAt, listOf, streamOf, textOf } from "./file.ts";
import { isText, noLanguage, type TagIndex } from "./tag-rules.ts";

const subtypes = new Set(
  (
    "Text Link FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Stamp Caret Ink Popup FileAttachment " +
    "Widget PrinterMark TrapNet Watermark Redact"
  ).split(" "),
);
const flags = { invisible: 1, hidden: 2, print: 4, noView: 32, toggleNoView: 256 };
const hiding = flags.invisible | flags.hidden | flags.noView | flags.toggleNoView;

export function checkAnnotation(file: FinishedPdf, annotation: PdfDictionary, report: Report): void {
  const subtype = textOf(annotation.get("Subtype"));
  const flag = file.resolve(annotation.get("F"));
  if (!subtypes.has(subtype)) report("6.3.1-1", "An annotation is of a kind that is not allowed.");
  if (subtype !== "Popup" && typeof flag !== "number") report("6.3.2-1", "An annotation has no flags.");
  if (typeof flag === "number" && ((flag & hiding) !== 0 || (flag & flags.print) === 0))
    report("6.3.2-2", "An annotation is not printed.");
  if (!annotation.has("AP")) {
    const [left, bottom, right, top] = listOf(file, annotation.get("Rect"));
    if (subtype !== "Link" && subtype !== "Popup" && (left !== right || bottom !== top))
      report("6.3.3-1", "An annotation has no appearance.");
  } else checkAppearance(file, annotation, report);
  if (subtype === "Widget" && (annotation.has("A") || annotation.has("AA")))
    report("6.4.1-1", "A form field has an action.");
  if (annotation.has("A")) checkAction(file, annotation.get("A"), report);
  for (const action of dictionaryAt(file, annotation.get("AA")).values()) checkAction(file, action, report);
}

function checkAppearance(file: FinishedPdf, annotation: PdfDictionary, report: Report): void {
  const appearance = dictionaryAt(file, annotation.get("AP"));
  report("6.1.1-1", "An annotation has an appearance, which is not supported.");
  if ([...appearance.keys()].join(" ") !== "N") report("6.3.3-2", "An annotation has several appearances.");
  const normal = appearance.get("N");
  const kind = annotation.get("FT") ?? dictionaryAt(file, annotation.get("Parent")).get("FT");
  const isButton = textOf(annotation.get("Subtype")) === "Widget" && textOf(kind) === "Btn";
  if (isButton && streamOf(file, normal)) report("6.3.3-3", "A button has one appearance for all states.");
  else if (!isButton && !streamOf(file, normal)) report("6.3.3-4", "An appearance is not a stream.");
}

const actions = new Set("GoTo GoToR GoToE Thread URI Named SubmitForm".split(" "));
const namedActions = new Set("NextPage PrevPage FirstPage LastPage".split(" "));
const maxActions = 20;

export function checkAction(file: FinishedPdf, value: PdfValue | undefined, report: Report, depth = 0): void {
  const action = file.resolve(value);
  if (!isDictionary(action) || depth > maxActions) return;
  const kind = textOf(action.get("S"));
  if (!actions.has(kind)) report("6.5.1-1", "A link or a bookmark has an action that is not allowed.");
  if (kind === "Named" && !namedActions.has(textOf(action.get("N")))) report("6.5.1-2", "An action is not allowed.");
  for (const next of listOf(file, action.get("Next"))) checkAction(file, next, report, depth + 1);
}

type Tagged = { file: FinishedPdf; tags: TagIndex; hasLanguage: boolean; report: Report };

/** Checks what PDF/UA requires. `value` is the entry of the annotation in the list of its page. */
export function checkTaggedAnnotation({ file, tags, hasLanguage, report }: Tagged, value: PdfValue, box: Box): void {
  const annotation = dictionaryAt(file, value);
  const flag = file.resolve(annotation.get("F"));
  const owner = tags.owners(annotation.get("StructParent"));
  const tag = dictionaryAt(file, owner);
  const claimed = isReference(value) ? tags.claimed.get(value.number)?.[0] : undefined;
  const [subtype, type] = [textOf(annotation.get("Subtype")), tags.typeOf(tag)];
  if (claimed !== undefined && dictionaryAt(file, claimed) !== owner)
    report("6.7", "The index of the tags gives a link a different tag.");
  if (annotation.has("Contents") && !hasLanguage && !annotation.has("Lang") && !tag.has("Lang"))
    report("7.2-24", `The description of an annotation ${noLanguage}`);
  if ((typeof flag === "number" && (flag & flags.hidden) !== 0) || isOutside(file, annotation, box)) return;
  const hasContents = isText(file, annotation.get("Contents"));
  const isDescribed = hasContents || isText(file, tag.get("Alt"));
  if (subtype === "Widget") {
    if (type !== "Form") report("7.18.4-1", "A form field is not in a tag Form.");
  } else if (!isDescribed) report("7.18.1-2", "An annotation has no description.");
  if (subtype === "Link") {
    if (type !== "Link") report("7.18.5-1", "A link is not in a tag Link.");
    if (!hasContents) report("7.18.5-2", "A link has no description.");
  } else if (subtype === "TrapNet") report("7.18.2-1", "An annotation is of a kind that is not allowed.");
  else if (subtype === "PrinterMark") {
    if (tag.size > 0) report("7.18.8-1", "A printer's mark has a tag.");
  } else if (subtype !== "Widget" && type !== "Annot") report("7.18.1-1", "An annotation is not in a tag Annot.");
}

function isOutside(file: FinishedPdf, annotation: PdfDictionary, box: Box): boolean {
  const [left = 0, bottom = 0, right = 0, top = 0] = listOf(file, annotation.get("Rect")).map(Number);
  return left >= box.right || right <= box.left || bottom >= box.top || top <= box.bottom;
}
