// What the responses to all lists have in common: `pagination`, and the `Link` header (RFC 8288) with the next page
// and, in a list by offset, the previous one.
import { formatCursor, type Page, type Position } from "../../core/pagination.ts";
import type { Listed } from "../../ports/accounts.ts";
import type { HttpContext } from "../context.ts";
import type { Pagination } from "../response-schemas.ts";
import { parametersOf } from "./query-parameters.ts";

export type PageParameters = { limit: number; offset?: number | undefined; cursor?: Page["cursor"] };

/** Returns the page that the validated parameters ask for. */
export function pageOf({ limit, offset = 0, cursor }: PageParameters): Page {
  return { limit, offset, cursor };
}

/** Returns the page that the query asks for, with its `pagination`. The items have this name. */
export async function pageResponse<N extends string, T extends Position, R>(
  { context, query }: { context: HttpContext; query: PageParameters },
  name: N,
  read: (page: Page) => Promise<Listed<T>>,
  toRecord: (item: T) => R,
): Promise<Record<N, R[]> & { pagination: Pagination }> {
  const listed = await read(pageOf(query));
  const pagination = paginate(context, query, listed);
  // The compiler gives a computed key the type `string`.
  const items = { [name]: listed.items.map(toRecord) } as Record<N, R[]>;
  return { ...items, pagination };
}

/** Returns the `pagination` of the response, and sets its `Link` header. */
export function paginate(context: HttpContext, parameters: PageParameters, listed: Listed<Position>): Pagination {
  const page = pageOf(parameters);
  const nextCursor = listed.more && formatCursor(listed.more);
  const links = {
    next: nextCursor && cursorOrOffset(parameters, listed, nextCursor),
    prev: page.offset > 0 ? { offset: Math.max(0, page.offset - page.limit) } : null,
  };
  const url = publicUrlOf(context);
  const shown = Object.entries(links).flatMap(([rel, position]) =>
    position ? [`<${url}?${queryAt(context, page.limit, position)}>; rel="${rel}"`] : [],
  );
  if (shown.length > 0) context.header("Link", shown.join(", "));
  const { total, totalIsExact = true } = listed;
  return { limit: page.limit, offset: page.offset, total, totalIsExact, nextCursor };
}

/** Returns the URL of the request without its query, as callers reach it. */
export function publicUrlOf({ req, var: { services } }: HttpContext): string {
  const { baseUrl } = services.settings;
  const belowBase = req.path.startsWith("/api/v1/") ? req.path.slice("/api/v1".length) : null;
  return belowBase === null ? `${new URL(baseUrl).origin}${req.path}` : `${baseUrl}${belowBase}`;
}

/** A caller who gave an offset gets offsets, unless the search ended within the page: the next page then begins elsewhere. */
function cursorOrOffset({ limit, offset }: PageParameters, { items }: Listed<Position>, cursor: string) {
  return offset !== undefined && items.length === limit ? { offset: offset + limit } : { cursor };
}

/** Returns the query of the request, at another position. Everything in it is percent-encoded, so it is safe in a header. */
function queryAt({ req }: HttpContext, limit: number, position: { offset: number } | { cursor: string }): string {
  const kept = parametersOf(req.url).filter(({ name }) => !["limit", "offset", "cursor"].includes(name));
  const pairs = [...kept.map(({ name, value }) => [name, value]), ["limit", String(limit)]];
  return new URLSearchParams([
    ...pairs,
    ...Object.entries(position).map(([name, value]) => [name, String(value)]),
  ]).toString();
}
