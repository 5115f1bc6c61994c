import { describe, expect, it } from "vitest";
import {
  adjacentCursors,
  cutPage,
  formatCursor,
  parseCursor,
  type Cursor,
  type Position,
} from "../../src/core/pagination.ts";

const ids = ["a", "b", "c", "d"].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
const at = (createdAt: number, index = 0): Position => ({ createdAt, id: ids[index] ?? "" });

describe("a cursor", () => {
  it.each([at(0), at(1_790_000_000_123, 1), at(8_640_000_000_000_000, 2)])(
    "survives its way through a URL: %j",
    (position) => {
      for (const direction of ["older", "newer"] as const) {
        const text = formatCursor({ direction, ...position });

        expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(parseCursor(text)).toEqual({ direction, ...position });
      }
    },
  );

  it("is not found in any text that differs in one character", () => {
    const text = formatCursor({ direction: "older", ...at(1_790_000_000_123) });
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const changed = [...text].flatMap((_, index) =>
      [...alphabet].map((character) => text.slice(0, index) + character + text.slice(index + 1)),
    );

    // What is still a cursor is another position, written as the service writes it.
    const parsed = changed.flatMap((other) => {
      const cursor = parseCursor(other);
      return cursor ? [[formatCursor(cursor), other]] : [];
    });

    expect(parsed.map(([written]) => written)).toEqual(parsed.map(([, given]) => given));
  });
});

describe("a page", () => {
  const cursor = (direction: Cursor["direction"]): Cursor => ({ direction, ...at(5) });

  it("is sorted, newest first and then by descending id, whatever the order in which its items were found", () => {
    const found = [at(1), at(3, 1), at(2), at(3, 2)];

    const page = cutPage({ limit: 4, offset: 0 }, found);

    expect(page).toEqual({ items: [at(3, 2), at(3, 1), at(2), at(1)], more: null });
  });

  it("leaves out the item that is farthest from its start, and continues from the last one that it has", () => {
    const found = [at(1), at(2), at(3)];

    expect(cutPage({ limit: 2, offset: 0 }, found)).toEqual({ items: [at(3), at(2)], more: at(2) });
    expect(cutPage({ limit: 2, offset: 0, cursor: cursor("older") }, found)).toEqual({
      items: [at(3), at(2)],
      more: at(2),
    });
    expect(cutPage({ limit: 2, offset: 0, cursor: cursor("newer") }, found)).toEqual({
      items: [at(2), at(1)],
      more: at(2),
    });
  });

  const items = [at(3), at(2)];
  it.each([
    { start: "the beginning", page: {}, more: at(2), next: { direction: "older", ...at(2) }, previous: null },
    { start: "the beginning, to the end", page: {}, more: null, next: null, previous: null },
    {
      start: "a cursor to older items",
      page: { cursor: cursor("older") },
      more: null,
      next: null,
      previous: { direction: "newer", ...at(3) },
    },
    {
      start: "a cursor to newer items",
      page: { cursor: cursor("newer") },
      more: at(3),
      next: { direction: "older", ...at(2) },
      previous: { direction: "newer", ...at(3) },
    },
    {
      start: "a cursor to the newest items",
      page: { cursor: cursor("newer") },
      more: null,
      next: { direction: "older", ...at(2) },
      previous: null,
    },
  ])("from $start has these neighbours", ({ page, more, next, previous }) => {
    expect(adjacentCursors({ limit: 2, offset: 0, ...page }, items, more)).toEqual({ next, previous });
  });

  it("without items has no neighbours", () => {
    for (const direction of ["older", "newer"] as const) {
      const page = { limit: 2, offset: 0, cursor: cursor(direction) };
      expect(adjacentCursors(page, [], null)).toEqual({ next: null, previous: null });
    }
  });
});
