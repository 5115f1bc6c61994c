// Iterates over all pages of a list.
import type { PageQuery, Pagination } from "./api.ts";
import { unexpectedResponse } from "./errors.ts";
import { trusted } from "./transport.ts";

type Page = { pagination: Pagination };
/** The items of a page, which stand beside its `pagination`. */
export type ItemOf<P> = P[Exclude<keyof P, "pagination">] extends (infer T)[] ? T : never;

/** Returns an iterable that asks for one page after the other as its items are used. Each iteration begins anew. */
export function allItems<P extends Page>(getPage: (query: PageQuery) => Promise<P>): AsyncIterable<ItemOf<P>> {
  return {
    async *[Symbol.asyncIterator]() {
      for (let query: PageQuery = {}; ;) {
        const { pagination, ...items } = await getPage(query);
        if (!pagination) throw unexpectedResponse("The response is not a page of a list.");
        yield* trusted<ItemOf<P>[]>(Object.values(items).flat());
        // A filtered page can be empty although others follow it.
        if (pagination.nextCursor === null) return;
        query = { cursor: pagination.nextCursor };
      }
    },
  };
}
