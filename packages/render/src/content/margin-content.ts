// The headers and footers that read `page`, on their way from the Worker to a pool. With their files they can be as long as a document, so
// they are sent in the same form.
import type { SentMargins } from "colophon-page/prepared-page";
import { sentFile } from "colophon-page/resolve-files";
import type { PageInfo } from "colophon-template-model/page-info";
import type { PageMargins, RenderMargins } from "../render-services.ts";
import { contentOf, type Content } from "./job-content.ts";

/** Headers and footers, or why there are none. The text of the content is a `SentMargins`. */
export type MarginsForPool = ({ status: "ok" } & Content) | Exclude<PageMargins, { status: "ok" }>;

/** `RenderMargins`, as a pool calls it. Each call is a request back to the Worker. */
export type PoolMargins = (pages: PageInfo[]) => Promise<MarginsForPool>;

/** Returns the function for a pool. */
export function poolMargins(renderMargins: RenderMargins): PoolMargins {
  return async (pages) => {
    const margins = await renderMargins(pages);
    if (margins.status !== "ok") return margins;
    const { status, files, ...markups } = margins;
    const text: SentMargins = { ...markups, files: files.map(sentFile) };
    return { status, ...contentOf(text, files) };
  };
}
