// The requests of `template test` to the page that reads documents (`dev-page/inspect-document.ts`), and its responses. Files and pictures
// are `data:` URLs; pictures are PNGs. Pages are counted from 1. An image is one page.

export type InspectionRequest = {
  file: string;
  /** The width of an image in CSS pixels. */
  width: number;
  /** The pages to paint. */
  pages: "all" | number[];
  /** The pictures for comparison, by page. A page without one is only painted. */
  expected: Record<number, string>;
};

/** `texts` contains the text of each page of a PDF, in lines. */
export type Inspection = { texts: string[]; pictures: PagePicture[] };

/** `difference` is null if there is no picture for comparison, or nothing differs. */
export type PagePicture = { page: number; actual: string; difference: Difference | null };

/** `share` is the fraction of differing pixels. `picture` shows them, and is null if the pictures have different sizes. */
export type Difference = { share: number; description: string; picture: string | null };
