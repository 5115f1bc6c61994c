// The common parts of the responses to all lists: `pagination`, and the `Link` header (RFC 8288) with the next page and, in a list by
// offset, the previous one.
import { basePath } from "../../core/api-paths.ts";
import { type Listed, formatCursor, type Page } from "../../core/pagination.ts";
import type { HttpContext } from "../context.ts";
import type { Pagination } from "../response-schemas.ts";
import { parametersOf } from "./query-parameters.ts";

type PageParameters = { limit: number; offset?: number | undefined; cursor?: Page["cursor"] };

/**
 * Returns the page that the query asks for, with its `pagination`. `name` is the property that contains the items. Sets
 * the `Link` header.
 */
export async function pageResponse<N extends string, T, R>(
  { context, query }: { context: HttpContext; query: PageParameters },
  name: N,
  read: (page: Page) => Promise<Listed<T>>,
  toRecord: (item: T) => R,
): Promise<Record<N, R[]> & { pagination: Pagination }> {
  const { limit, offset = 0, cursor } = query;
  const { items, more, total, totalIsExact = true } = await read({ limit, offset, cursor });
  const nextCursor = more && formatCursor(more);
  // A request with an offset gets the next offset. If the search stopped before the page was full, only a cursor can name
  // the place where the next page begins.
  const byOffset = query.offset !== undefined && items.length === limit;
  setLinks(context, limit, {
    next: nextCursor === null ? null : byOffset ? { offset: offset + limit } : { cursor: nextCursor },
    prev: offset > 0 ? { offset: Math.max(0, offset - limit) } : null,
  });
  // The compiler gives a computed key the type `string`.
  const named = { [name]: items.map(toRecord) } as Record<N, R[]>;
  return { ...named, pagination: { limit, offset, total, totalIsExact, nextCursor } };
}

type Start = { offset: number } | { cursor: string };

/** Sets the `Link` header if there are other pages. */
function setLinks(context: HttpContext, limit: number, starts: Record<"next" | "prev", Start | null>): void {
  const url = publicUrlOf(context);
  const links = Object.entries(starts).flatMap(([rel, start]) =>
    start ? [`<${url}?${queryAt(context, limit, start)}>; rel="${rel}"`] : [],
  );
  if (links.length > 0) context.header("Link", links.join(", "));
}

/**
 * Returns the query of the request for a page with a different start. Everything in it is percent-encoded, so it is safe in a header.
 */
function queryAt({ req }: HttpContext, limit: number, start: Start): string {
  const filters = parametersOf(req.url).filter(([name]) => !["limit", "offset", "cursor"].includes(name));
  const wanted = Object.entries({ limit, ...start }).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams([...filters, ...wanted]).toString();
}

/** Returns the public URL of the request, without its query. */
export function publicUrlOf({ req, var: { services } }: HttpContext): string {
  const { baseUrl } = services.settings;
  const isBelowBase = req.path.startsWith(`${basePath}/`);
  return isBelowBase ? baseUrl + req.path.slice(basePath.length) : new URL(baseUrl).origin + req.path;
}
