// The part of a list that a request asks for. Lists are sorted by creation time, newest first, and then by id. A cursor is a
// position in this order, so it remains valid while items are created and deleted, and with different filters.

/** A position in the order of a list. No item needs to exist there. `createdAt` is in ms since the epoch. */
export type Position = { createdAt: number; id: string };

/** With a cursor, the page begins after its position, and `offset` is 0. */
export type Page = { limit: number; offset: number; cursor?: Position | undefined };

/**
 * One page of a list, newest first, then by id. `more` is the position from which the list continues, or null on the last page.
 * `total` counts the items of all pages; there may be more if `totalIsExact` is false.
 */
export type Listed<T> = { items: T[]; more: Position | null; total: number; totalIsExact?: boolean };

/** The latest time that a date can have, in ms since the epoch. */
const maxTimeMs = 8_640_000_000_000_000;

/** Returns the position as a string that is safe in a URL. */
export function formatCursor({ createdAt, id }: Position): string {
  return Buffer.from(`${createdAt} ${id}`).toString("base64url");
}

/** Parses the output of `formatCursor`; returns null for any other string. */
export function parseCursor(text: string): Position | null {
  if (!/^[\w-]{1,80}$/.test(text)) return null;
  const [, digits, id] = /^(\d{1,16}) ([0-9a-z_-]{1,40})$/.exec(Buffer.from(text, "base64url").toString()) ?? [];
  const createdAt = Number(digits);
  if (id === undefined || createdAt > maxTimeMs) return null;
  return formatCursor({ createdAt, id }) === text ? { createdAt, id } : null;
}

/**
 * Returns the items of a page, newest first, from up to `limit + 1` items in any order, and the position at which the list
 * continues; null after the last page.
 */
export function cutPage<T extends Position>({ limit }: Page, rows: T[]): { items: T[]; more: Position | null } {
  const items = rows.toSorted(newestFirst).slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit && last ? { createdAt: last.createdAt, id: last.id } : null;
  return { items, more };
}

export function newestFirst(a: Position, b: Position): number {
  return b.createdAt - a.createdAt || (a.id === b.id ? 0 : a.id < b.id ? 1 : -1);
}
