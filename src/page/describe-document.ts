// Runs inside the page, handed to `preparePage` as text: it may use nothing but its arguments and the DOM. Finds what the
// document says of itself, and decides whether it is short enough for tags.
import type { DocumentMetadata } from "../core/rendering/prepared-page.ts";

export function describeDocument(
  head: HTMLElement,
  body: HTMLElement,
  maxTaggedElements: number | null,
): DocumentMetadata {
  const maxTextChars = 500;
  const plain = (text: string | null | undefined) => (text ?? "").replace(/\s+/g, " ").trim().slice(0, maxTextChars);
  const create = (tag: string) => Document.prototype.createElement.call(document, tag);
  const find = (root: Element, selector: string) => [...Element.prototype.querySelectorAll.call(root, selector)];

  const metaOf = (name: string) => {
    const named = find(body, "meta[name][content]").find((meta) => meta.getAttribute("name")?.toLowerCase() === name);
    return plain(named?.getAttribute("content"));
  };

  // A page file's own title takes the place of the template's, which stands first and would win.
  const ownTitle = plain(find(body, "title").find((title) => title instanceof HTMLTitleElement)?.textContent);
  const title = find(head, "title")[0];
  if (ownTitle !== "" && title) title.textContent = ownTitle;

  /** Chromium writes a destination for whatever a link points at, wherever the link is; thus a heading gets a page. */
  const markHeadings = () => {
    const headings = find(body, "h1,h2,h3,h4,h5,h6")
      .map((element) => ({ element, text: plain(element.textContent) }))
      .filter(({ element, text }) => text !== "" && element.getClientRects().length > 0);
    return headings.map(({ element, text }, index) => {
      const name = `colophon-heading-${index}`;
      // An id that is there already may be there twice, or in the template's styles: it is left alone.
      const marker = element.id === "" ? element : create("span");
      marker.id = name;
      if (marker !== element) element.prepend(marker);
      const link = create("a");
      link.setAttribute("href", `#${name}`);
      head.append(link);
      return { level: Number(element.tagName.slice(1)), text, name };
    });
  };

  const isTagged = maxTaggedElements === null || body.getElementsByTagName("*").length <= maxTaggedElements;
  return {
    author: metaOf("author"),
    subject: metaOf("description"),
    keywords: metaOf("keywords"),
    isTagged,
    outline: isTagged ? [] : markHeadings(),
  };
}
