// The part of a list that a request asks for. Lists are sorted by the time of creation, newest first, and then by id. A cursor
// is a position in this order, so it stays valid while items are created and deleted, and with other filters.
import { base64Url } from "./encoding.ts";
import { parseUuid } from "./uuid.ts";

/** A place in the order of a list. No item needs to be there. `createdAt` is in ms since the epoch. */
export type Position = { createdAt: number; id: string };

/** The items on one side of a position, nearest first. The item at the position is not among them. */
export type Cursor = Position & { direction: "older" | "newer" };

/** With a cursor, `offset` is 0. */
export type Page = { limit: number; offset: number; cursor?: Cursor | undefined };

/** The cursors of the pages before and after a page; null where the list ends. */
export type AdjacentCursors = { next: Cursor | null; previous: Cursor | null };

/** The latest time that a date can have, in ms since the epoch. */
const maxTimeMs = 8_640_000_000_000_000;
const signs = { older: "<", newer: ">" } as const;

/** Returns the cursor as text that needs no encoding in a URL. */
export function formatCursor({ direction, createdAt, id }: Cursor): string {
  return base64Url(new TextEncoder().encode(`${signs[direction]}${createdAt} ${id}`));
}

/** Returns the cursor that `formatCursor` wrote, or null if the text is anything else. */
export function parseCursor(text: string): Cursor | null {
  if (!/^[\w-]{1,80}$/.test(text)) return null;
  const [, sign, digits, idText = ""] = /^([<>])(\d{1,16}) (.+)$/.exec(decoded(text)) ?? [];
  const id = parseUuid(idText);
  const createdAt = Number(digits);
  if (id === null || createdAt > maxTimeMs) return null;
  const cursor: Cursor = { direction: sign === signs.newer ? "newer" : "older", createdAt, id };
  return formatCursor(cursor) === text ? cursor : null;
}

/** Returns the text of base64url, or an empty text if it is not base64url. */
function decoded(text: string): string {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}

/**
 * Returns the cursors around a page. `items` are the items of the page, and `more` is the position from which the list
 * continues in the direction of the page; null if it ends there. There is no previous cursor for a page that was asked for by
 * its offset.
 */
export function adjacentCursors({ cursor }: Page, items: Position[], more: Position | null): AdjacentCursors {
  const [first, last] = [items[0] ?? null, items.at(-1) ?? null];
  const isNewer = cursor?.direction === "newer";
  return {
    next: towards("older", isNewer ? last : more),
    previous: towards("newer", isNewer ? more : cursor ? first : null),
  };
}

function towards(direction: Cursor["direction"], position: Position | null): Cursor | null {
  return position && { direction, createdAt: position.createdAt, id: position.id };
}

/**
 * Returns the items of a page, newest first, from up to `limit + 1` items in any order, and the position from which the list
 * continues.
 */
export function cutPage<T extends Position>(
  { limit, cursor }: Page,
  found: T[],
): { items: T[]; more: Position | null } {
  const isNewer = cursor?.direction === "newer";
  const nearestFirst = found.toSorted((a, b) => (isNewer ? -1 : 1) * newestFirst(a, b));
  const kept = nearestFirst.slice(0, limit);
  const last = kept.at(-1);
  const more = nearestFirst.length > limit && last ? { createdAt: last.createdAt, id: last.id } : null;
  return { items: isNewer ? kept.toReversed() : kept, more };
}

/** Compares two items in the order of lists. */
export function newestFirst(a: Position, b: Position): number {
  return b.createdAt - a.createdAt || (a.id === b.id ? 0 : a.id < b.id ? 1 : -1);
}
