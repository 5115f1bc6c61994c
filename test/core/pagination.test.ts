import { expect, it } from "vitest";
import { cutPage, formatCursor, parseCursor, type Position } from "../../src/core/pagination.ts";

const ids = ["a", "b", "c", "d"].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
const at = (createdAt: number, index = 0): Position => ({ createdAt, id: ids[index] ?? "" });

it.each([at(0), at(1_790_000_000_123, 1), at(8_640_000_000_000_000, 2)])(
  "a cursor is unchanged by its way through a URL: %j",
  (position) => {
    const text = formatCursor(position);

    expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(parseCursor(text)).toEqual(position);
  },
);

it("a cursor is invalid if any character is changed", () => {
  const text = formatCursor(at(1_790_000_000_123));
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const changed = [...text].flatMap((_, index) =>
    [...alphabet].map((character) => text.slice(0, index) + character + text.slice(index + 1)),
  );

  // A changed string that is still a cursor is a different position, in the form that the service writes.
  const parsed = changed.flatMap((other) => {
    const cursor = parseCursor(other);
    return cursor ? [[formatCursor(cursor), other]] : [];
  });

  expect(parsed.map(([written]) => written)).toEqual(parsed.map(([, given]) => given));
});

it("a page is sorted from newest to oldest and then by descending id, whatever the order in which its items were found", () => {
  const found = [at(1), at(3, 1), at(2), at(3, 2)];

  const page = cutPage({ limit: 4, offset: 0 }, found);

  expect(page).toEqual({ items: [at(3, 2), at(3, 1), at(2), at(1)], more: null });
});

it("a page leaves out the oldest item if there is one too many, and the next page continues after the last included item", () => {
  const found = [at(1), at(2), at(3)];

  expect(cutPage({ limit: 2, offset: 0 }, found)).toEqual({ items: [at(3), at(2)], more: at(2) });
});
