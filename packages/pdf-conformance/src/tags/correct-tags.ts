// Makes the tags of a printed file what PDF/UA and the levels A of PDF/A want: everything that is painted is tagged or an artifact, and the
// tag tree has the types and entries that programs expect which read the document aloud.
import type { CorrectedBody } from "colophon-pdf/assemble-pdf";
import { lateTags } from "colophon-pdf/late-tags";
import { withObjects, type PdfFile } from "colophon-pdf/open-pdf";
import { catalogOf, readPages, type Page } from "colophon-pdf/page-tree";
import { isDictionary, isReference, name, reference, type PdfDictionary, type PdfValue } from "colophon-pdf/values";
import type { ConformanceProblem } from "../problem.ts";
import { correctLinks, type CorrectedLinks } from "./correct-links.ts";
import { correctTree, findUntagged } from "./correct-tree.ts";
import { placesOf } from "./decoded-content.ts";
import { placeFigures } from "./figure-boxes.ts";
import { fontReader } from "./font-texts.ts";
import { tagGeneratedTexts } from "./generated-texts.ts";
import { correctGlyphTexts } from "./glyph-texts.ts";
import { markStreams, paintedForms, type MarkedStreams } from "./marked-streams.ts";
import {
  isContent,
  isTag,
  keepKids,
  readTags,
  tagsIn,
  writeTags,
  type MarkedContent,
  type ReadTags,
  type Tag,
} from "./structure-tree.ts";
import type { MarkedElement } from "./tag-marks.ts";
import { takeMarks } from "./take-marks.ts";

export type CorrectedTags = CorrectedBody & { problems: ConformanceProblem[] };

/** Throws `PdfError` if the tags are malformed. */
export function correctTags(body: PdfFile, elements: readonly MarkedElement[]): CorrectedTags {
  const read = readTags(body);
  if (!read) {
    const causes = elements.filter(({ kind, text }) => kind === "flattened" || (kind === "figure" && text === ""));
    return { file: body, late: null, streams: new Map(), problems: [...findUntagged(causes, new Set()), untagged] };
  }
  const { top } = read;
  const pages = readPages(body);
  const forms = paintedForms(body, pages);
  removeUnpainted(top, new Set([...pages.map(({ number }) => number), ...forms.keys()]));
  // A form keeps the marks in its content, so it is also marked anew if its tags are removed.
  const before = contentsIn(top);
  const marks = takeMarks(top, elements);
  const [places, fontsOf] = [placesOf(pages, forms), fontReader(body)];
  const texts = tagGeneratedTexts({ marks, file: body, places, contents: before, fontsOf });
  const { repeated, problems } = correctTree(top, { marks, pages, elements });
  placeFigures(top, body, pages, forms);
  const links = correctLinks(top, body, pages, marks);
  const contents = contentsIn(top);
  const copies = new Set(repeated.map(placeOf));
  const marked = markStreams(body, pages, {
    forms,
    tagged: new Set(before.keys()),
    fontsOf,
    marksOf: (place) => ({
      texts: texts.get(place) ?? new Map(),
      blockOf: (mcid) => contents.get(place)?.get(mcid),
      kindOf(mcid) {
        if (contents.get(place)?.has(mcid)) return "content";
        return copies.has(`${place} ${mcid}`) ? "pagination" : "artifact";
      },
    }),
  });
  for (const [number, stream] of correctGlyphTexts(body, places.values())) marked.streams.set(number, stream);
  return { ...withTags(body, { ...marked, pages, read, links }), problems };
}

const untagged: ConformanceProblem = {
  clause: "7.1",
  message: "The document has no tags, because it shows nothing that can be read aloud.",
};

function placeOf({ page, stream, mcid }: MarkedContent): string {
  return `${stream ?? page} ${mcid}`;
}

/** Removes the content of masks and patterns, which Chromium tags as if it were on the page. */
function removeUnpainted(top: Tag, painted: ReadonlySet<number>): void {
  for (const tag of tagsIn(top)) keepKids(tag, (kid) => !isContent(kid) || painted.has(kid.stream ?? kid.page));
}

/** Tags of parts of a line. */
const inline = new Set(["Span", "Link", "NonStruct", "Strong", "Em", "Sub", "Quote", "Code"]);

/** Returns the innermost block of each piece of content, by page or form and by number. */
function contentsIn(top: Tag): Map<number, Map<number, Tag>> {
  const contents = new Map<number, Map<number, Tag>>();
  const visit = (tag: Tag, outer: Tag): void => {
    const block = inline.has(tag.type) ? outer : tag;
    for (const kid of tag.kids) {
      if (isTag(kid)) visit(kid, block);
      if (!isContent(kid)) continue;
      const place = kid.stream ?? kid.page;
      contents.set(place, (contents.get(place) ?? new Map<number, Tag>()).set(kid.mcid, block));
    }
  };
  visit(top, top);
  return contents;
}

type NewTags = MarkedStreams & { pages: readonly Page[]; read: ReadTags; links: CorrectedLinks };

/** Returns the file with this tag tree except for its late part, to which its pages, forms and annotations refer. */
function withTags(body: PdfFile, { pages, read, streams, resources, links, ...marked }: NewTags): CorrectedBody {
  const { top } = read;
  const { objects, root, index, keyOf, size } = writeTags(top, pages, marked.size);
  const changed = new Map(body.changed);
  for (const number of read.objects) changed.set(number, null);
  for (const [number, entries] of objects) changed.set(number, entries);
  const setKey = (dictionary: PdfDictionary, number: number) => {
    const key = keyOf.get(number);
    dictionary.delete("StructParents");
    if (key !== undefined) dictionary.set("StructParents", key);
  };
  for (const page of pages) {
    const dictionary = new Map(page.dictionary);
    setKey(dictionary, page.number);
    const ownResources = resources.get(page.number);
    if (ownResources) dictionary.set("Resources", ownResources);
    dictionary.set("Tabs", name("S"));
    changed.set(page.number, dictionary);
  }
  for (const [number, { dictionary }] of streams) setKey(dictionary, number);
  for (const [number, entries] of links) {
    const annotation = body.object(number);
    const key = ["StructParent", keyOf.get(number) ?? 0] as const;
    changed.set(number, entries && isDictionary(annotation) ? new Map([...annotation, key, ...entries]) : null);
  }
  const catalog = body.trailer.get("Root");
  if (isReference(catalog))
    changed.set(catalog.number, new Map([...catalogOf(body), ["StructTreeRoot", reference(root)]]));
  const lateObject = (number: number) => {
    changed.set(number, null);
    return { number, entries: objects.get(number) ?? new Map<string, PdfValue>() };
  };
  const late = lateTags({ top: lateObject(top.number), index: lateObject(index), nextKey: keyOf.size });
  return { file: withObjects(body, changed, size), late, streams };
}
