// Iterates over all pages of a list.
import type { PageQuery, Pagination } from "./api.ts";
import { ColophonError } from "./errors.ts";
import { trusted } from "./transport.ts";

type Page = { pagination: Pagination };
/** The type of a page's items, which are next to its `pagination`. */
export type ItemOf<P> = P[Exclude<keyof P, "pagination">] extends (infer T)[] ? T : never;

/**
 * Returns an iterable that fetches page after page as its items are used, 100 items at a time unless the query has a `limit`.
 * Each iteration starts again.
 */
export function allItems<P extends Page, Q extends { limit?: unknown }>(
  getPage: (query: Q) => Promise<P>,
  { limit = 100, ...query }: Q,
): AsyncIterable<ItemOf<P>> {
  return {
    async *[Symbol.asyncIterator]() {
      for (let page: PageQuery = {}; ;) {
        const { pagination, ...items } = await getPage(trusted({ ...query, ...page, limit }));
        if (!pagination)
          throw new ColophonError("The response is not a page of a list.", { code: "UNEXPECTED_RESPONSE" });
        yield* trusted<ItemOf<P>[]>(Object.values(items).flat());
        // A filtered page can be empty although more pages follow.
        if (pagination.nextCursor === null) return;
        page = { cursor: pagination.nextCursor };
      }
    },
  };
}
