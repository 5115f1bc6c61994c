// The largest documents that the service accepts, by the property that is large.
import type { DocumentFormat } from "colophon-page/document-format";
import { customGeometry, type PageGeometry } from "colophon-page/page-geometry";

/**
 * `content` is the markup after the head, and `header` is a header that reads `page`. `pictures` is the number of pictures in
 * the content, or in the header if there is one.
 */
export type LargeDocument = {
  content: () => string;
  header?: () => string;
  pictures: number;
  format: DocumentFormat;
  imageQuality?: number;
  page?: PageGeometry;
};

/** Pixels that cannot be compressed. Four pictures have almost 20 MB, which is the maximum of a document. */
export const pictureSidePx = 1_290;
export const pictureCount = 4;

export const placeholderOf = (picture: number) => `colophon-file-11111111-1111-4111-8111-111111111111:${picture};`;

const shown = (attributes: string) =>
  Array.from({ length: pictureCount }, (_, picture) => `<img src="${placeholderOf(picture)}" ${attributes}>`).join("");

const page = (markup: string) => `<title>€</title></head><body><section class="page">${markup}</section></body></html>`;

/** Two bytes per character. */
const longMarkup = () => `<!--${"€".repeat(1_990_000)}-->`;

const pngSide = 2 * pictureSidePx;

/** 16 megapixels of noise are almost 25 MB as a JPEG; a WebP may have 12 megapixels. */
const jpegSide = 4_000;
const webpSide = 3_460;

/** The pictures in two columns, with sharp pixels, in a square image with this side. */
function enlarged(side: number): Pick<LargeDocument, "content" | "pictures" | "page"> {
  const style = `float:left;width:${side / 2}px;image-rendering:pixelated`;
  // Without the margin of `body`, two pictures fit next to each other.
  const content = () => page(`<div style="display:flow-root;margin:-8px">${shown(`style="${style}"`)}</div>`);
  return { content, pictures: pictureCount, page: customGeometry(side, side) };
}

/** The fake pool's message. */
export const nothingRendered = "nothing was rendered";

export const largeDocuments: Record<string, LargeDocument> = {
  small: { content: () => page("<p>€</p>"), pictures: 0, format: "pdf" },
  "large markup": { content: () => page(longMarkup()), pictures: 0, format: "pdf" },
  "large markup and PDF": {
    content: () => page(shown('width="300"') + longMarkup()),
    pictures: pictureCount,
    format: "pdf",
  },
  "large headers": {
    content: () => page("<p>€</p>"),
    header: () => shown('width="60" height="60"') + longMarkup(),
    pictures: pictureCount,
    format: "pdf",
  },
  "large PNG": {
    content: () => page(`<div style="display:flow-root">${shown(`style="float:left;width:${pictureSidePx}px"`)}</div>`),
    pictures: pictureCount,
    format: "png",
    page: customGeometry(pngSide, pngSide),
  },
  "large JPEG": { ...enlarged(jpegSide), format: "jpeg", imageQuality: 100 },
  "large WebP": { ...enlarged(webpSide), format: "webp", imageQuality: 99 },
};
