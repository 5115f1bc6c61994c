// The largest documents that the service accepts, by what is large about them.
import type { DocumentFormat } from "../../src/core/documents/document.ts";
import { customGeometry, type PageGeometry } from "../../src/core/rendering/page-geometry.ts";

/** `content` is the markup after the head. `fileBytes` bytes of pictures come with it, which no browser can decode. */
export type LargeDocument = {
  content: () => string;
  fileBytes: number;
  format: DocumentFormat;
  page?: PageGeometry;
};

/** Pixels that cannot be compressed. */
const noise = (width: number, height: number) =>
  `<svg width="${width}" height="${height}" style="display:block"><filter id="f" x="0" y="0" width="1" height="1">` +
  `<feTurbulence baseFrequency=".9"/></filter><rect width="${width}" height="${height}" filter="url(#f)"/></svg>`;

const page = (markup: string) => `<title>€</title></head><body><section class="page">${markup}</section></body></html>`;

/** Two bytes a character. */
const longMarkup = `<!--${"€".repeat(1_990_000)}-->`;

export const largeDocuments: Record<string, LargeDocument> = {
  small: { content: () => page("<p>€</p>"), fileBytes: 0, format: "pdf" },
  "large input": { content: () => page(longMarkup), fileBytes: 26_600_000, format: "pdf" },
  "large PDF": { content: () => page(noise(700, 1_000).repeat(6)), fileBytes: 0, format: "pdf" },
  "large input and PDF": {
    content: () => page(noise(700, 1_000).repeat(6) + longMarkup),
    fileBytes: 26_600_000,
    format: "pdf",
  },
  "large PNG": {
    content: () => page(noise(3_000, 2_600)),
    fileBytes: 0,
    format: "png",
    page: customGeometry(3_000, 2_600),
  },
};
