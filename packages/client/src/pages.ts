// Iterates over all pages of a list.
import type { PageQuery, Pagination } from "./api.ts";

type Page = { pagination: Pagination };

/** Returns an iterable that asks for one page after the other as its items are used. Each iteration begins anew. */
export function allItems<T, P extends Page>(
  getPage: (query: PageQuery) => Promise<P>,
  itemsOf: (page: P) => T[],
): AsyncIterable<T> {
  return {
    async *[Symbol.asyncIterator]() {
      for (let query: PageQuery = {}; ;) {
        const page = await getPage(query);
        yield* itemsOf(page);
        // A filtered page can be empty although others follow it.
        const { nextCursor } = page.pagination;
        if (nextCursor === null) return;
        query = { cursor: nextCursor };
      }
    },
  };
}
