// What a header or footer can read about its page as `page` in Liquid: the number of the page, and the section that the
// page belongs to.

/**
 * The properties of `page`. `number` and `sectionNumber` count from 1: `number` among all pages of the document, and
 * `sectionNumber` among the pages of the section. `section` is the section's title, which is empty before the first
 * section.
 */
export type PageInfo = {
  number: number;
  total: number;
  section: string;
  sectionNumber: number;
  sectionTotal: number;
};

/** A section of the document. `page` is the page on which it starts, and counts from 0. */
export type SectionStart = { title: string; page: number };

/** A longer title is cut, because the title is repeated for every page of its section. */
const maxTitleChars = 500;

/**
 * Returns the information about each page. `sections` are in the order of the document. A page belongs to one section: the
 * first that starts on it, or else the section that continues from the page before. The pages before the first section
 * are counted like a section of their own.
 */
export function pageInfo(pageCount: number, sections: SectionStart[]): PageInfo[] {
  const owners = sectionOfEachPage(pageCount, sections);
  const sectionTotals = new Map<SectionStart | null, number>();
  for (const owner of owners) sectionTotals.set(owner, (sectionTotals.get(owner) ?? 0) + 1);
  const counted = new Map<SectionStart | null, number>();
  return owners.map((owner, index) => {
    const sectionNumber = (counted.get(owner) ?? 0) + 1;
    counted.set(owner, sectionNumber);
    return {
      number: index + 1,
      total: pageCount,
      section: owner ? shortened(owner.title) : "",
      sectionNumber,
      sectionTotal: sectionTotals.get(owner) ?? 0,
    };
  });
}

/**
 * Returns the information about four pages of an imaginary document: a first page, a later even and a later odd page, and a
 * last page. A new section starts on the third page. They stand for the real pages, which are not known yet, when the
 * heights of headers and footers are measured. `section` is a text that is about as long as the title of a section.
 */
export function probePages(section: string): PageInfo[] {
  return pageInfo(4, [
    { title: section, page: 0 },
    { title: section, page: 2 },
  ]);
}

/** Returns the section that each page belongs to; null before the first section. */
function sectionOfEachPage(pageCount: number, sections: SectionStart[]): (SectionStart | null)[] {
  const firstOnPage = new Map<number, SectionStart>();
  const lastOnPage = new Map<number, SectionStart>();
  for (const section of sections) {
    if (!firstOnPage.has(section.page)) firstOnPage.set(section.page, section);
    lastOnPage.set(section.page, section);
  }
  let continued: SectionStart | null = null;
  return Array.from({ length: pageCount }, (_, page) => {
    const owner = firstOnPage.get(page) ?? continued;
    continued = lastOnPage.get(page) ?? continued;
    return owner;
  });
}

/** Cuts the title without splitting a surrogate pair. */
function shortened(title: string): string {
  return title.length <= maxTitleChars ? title : title.slice(0, maxTitleChars).replace(/[\uD800-\uDBFF]$/, "");
}
