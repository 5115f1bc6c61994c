// Merges files for tests, and describes PDFs with pdf.js, which shares no code with the package.
import { getDocumentProxy } from "unpdf";
import { pdfMerger, type MergeOptions, type PdfMerger } from "../src/merge-pdfs.ts";

export type Part = { bytes: Uint8Array; bookmark: string };
type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

export function merger(rest: Partial<MergeOptions> = {}): PdfMerger {
  return pdfMerger({ title: "All", language: "en", createdAt: Date.UTC(2026, 0, 2, 3, 4, 5), ...rest });
}

export function merged(parts: readonly Part[], rest: Partial<MergeOptions> = {}): Uint8Array<ArrayBuffer> {
  const merging = merger(rest);
  const added = parts.map(({ bytes, bookmark }) => merging.add(bytes, bookmark).bytes);
  return new Uint8Array(Buffer.concat([...added, merging.finish()]));
}

/** A position: the index of a page, and the coordinates on it. */
type Place = [number, ...unknown[]] | null;
type Item = { title: string; place: Place; items: Item[] };
type Tag = { role?: string; alt?: string; lang?: string; children?: Tag[] };
export type DescribedPdf = {
  pages: { text: string; links: { url: string | null; place: Place }[]; tags: string }[];
  outline: Item[];
};

/** Each position is moved by `pages`. */
export async function described(bytes: Uint8Array, pages = 0): Promise<DescribedPdf> {
  const pdf = await getDocumentProxy(bytes.slice());
  const numbers = Array.from({ length: pdf.numPages }, (_, index) => index + 1);
  return {
    pages: await Promise.all(numbers.map((number) => describedPage(pdf, number, pages))),
    outline: await items(pdf, ((await pdf.getOutline()) ?? []) as OutlineItem[], pages),
  };
}

async function describedPage(pdf: Pdf, number: number, moved: number) {
  const page = await pdf.getPage(number);
  const { items: texts } = await page.getTextContent();
  const links = (await page.getAnnotations()).map(async ({ url, dest }) => ({
    url: typeof url === "string" ? url : null,
    place: await placeOf(pdf, dest, moved),
  }));
  const tree = (await page.getStructTree()) as Tag | null;
  return {
    text: texts.map((item) => ("str" in item ? item.str : "")).join(""),
    links: await Promise.all(links),
    tags: tree ? tags(tree) : "",
  };
}

type Destination = [object, { name: string }, ...unknown[]];
type OutlineItem = { title: string; dest: unknown; items: OutlineItem[] };

async function placeOf(pdf: Pdf, dest: unknown, moved: number): Promise<Place> {
  const found = (typeof dest === "string" ? await pdf.getDestination(dest) : dest) as Destination | null | undefined;
  if (!found) return null;
  const [page, , ...coordinates] = found;
  return [(await pdf.getPageIndex(page as Parameters<Pdf["getPageIndex"]>[0])) + moved, ...coordinates];
}

function items(pdf: Pdf, list: OutlineItem[], moved: number): Promise<Item[]> {
  return Promise.all(
    list.map(async ({ title, dest, items: below }) => ({
      title,
      place: await placeOf(pdf, dest, moved),
      items: await items(pdf, below, moved),
    })),
  );
}

/** Returns the tags such as `Root(Document en(P H1))`. */
function tags({ role = "content", alt = "", lang = "", children = [] }: Tag): string {
  const inner = children.map(tags).join(" ");
  return [role, lang, alt].filter((text) => text !== "").join(" ") + (inner === "" ? "" : `(${inner})`);
}
