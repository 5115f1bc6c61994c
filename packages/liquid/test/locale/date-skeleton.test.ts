import { expect, it } from "vitest";
import { skeletonOptions } from "../../src/locale/date-skeleton.ts";

const date = new Date("2026-11-05T15:04:09Z");
const shown = (skeleton: string, locale = "en-US") =>
  new Intl.DateTimeFormat(locale, { ...skeletonOptions(skeleton), timeZone: "UTC" })
    .format(date)
    .replaceAll("\u202f", " ");

it.each([
  ["MMMM yyyy", "November 2026"],
  ["yyyy MMMM", "November 2026"],
  ["MMM d", "Nov 5"],
  ["EEEE", "Thursday"],
  ["EEE, d. MMM yy", "Thu, Nov 5, 26"],
  ["LLLL", "November"],
  ["MM/dd/y", "11/05/2026"],
  ["h:mm a", "3:04 PM"],
  ["a h mm", "3:04 PM"],
  ["HH:mm:ss", "15:04:09"],
  ["jmm", "3:04 PM"],
  ["yyyy G", "2026 AD"],
  ["HH z", "15 UTC"],
  ["HH OOOO", "15 GMT+00:00"],
])("the date skeleton %s prints %s in American English", (skeleton, text) => {
  expect(shown(skeleton)).toBe(text);
});

it.each([
  ["MMMM yyyy", "de-DE", "November 2026"],
  ["MMMM d", "de-DE", "5. November"],
  ["yyyy MMMM", "ja-JP", "2026年11月"],
  ["MMMM yyyy", "hu-HU", "2026. november"],
  ["jmm", "de-DE", "15:04"],
])("the date skeleton %s prints its parts in the order of %s: %s", (skeleton, locale, text) => {
  expect(shown(skeleton, locale)).toBe(text);
});

it.each(["", " ", "yyyyy", "MMMMMM", "ddd", "Q", "week", "long date", "M MM", "a", "yyyy OO", "constructor"])(
  "a date skeleton is not %j",
  (text) => {
    expect(skeletonOptions(text)).toBeNull();
  },
);
