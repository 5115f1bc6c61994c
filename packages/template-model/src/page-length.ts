// The schema of a page's width or height.
import { z } from "zod";
import { maxPagePx, minPagePx } from "colophon-page/page-geometry";

/** Accepts whole CSS pixels. Every other value is refused with `error`. */
export function pageLength(error: string) {
  return z.int({ error }).min(minPagePx, { error }).max(maxPagePx, { error });
}
