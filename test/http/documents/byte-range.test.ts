import { expect, it } from "vitest";
import { parseRange } from "../../../src/http/documents/file-response.ts";

it.each([
  ["the first bytes", "bytes=0-9", { offset: 0, length: 10 }],
  ["one byte", "bytes=99-99", { offset: 99, length: 1 }],
  ["the bytes from an offset to the end", "bytes=90-", { offset: 90, length: 10 }],
  [
    "the bytes up to the end of the file if the range extends beyond the end",
    "bytes=90-1000",
    { offset: 90, length: 10 },
  ],
  ["the last bytes", "bytes=-10", { offset: 90, length: 10 }],
  ["the whole file if the range asks for more last bytes than the file has", "bytes=-1000", { offset: 0, length: 100 }],
  ["a range with spaces around it", " bytes= 0-9 ", { offset: 0, length: 10 }],
  ["a range whose unit is in upper case", "BYTES=0-9", { offset: 0, length: 10 }],
  ["the whole file if the range ends at a huge number", `bytes=0-${"9".repeat(30)}`, { offset: 0, length: 100 }],
])("selects %s", (_what, header, expected) => {
  expect(parseRange(header, 100)).toEqual(expected);
});

it.each([
  ["a range after the end", "bytes=100-", 100],
  ["a range far after the end", `bytes=${"9".repeat(30)}-`, 100],
  ["the last 0 bytes", "bytes=-0", 100],
  ["any range of an empty file", "bytes=0-0", 0],
  ["the last bytes of an empty file", "bytes=-5", 0],
])("reports %s as unsatisfiable", (_what, header, size) => {
  expect(parseRange(header, size)).toBe("unsatisfiable");
});

it.each([
  ["a missing header", undefined],
  ["an empty header", ""],
  ["a range in another unit", "pages=1-2"],
  ["a space before the equals sign", "bytes =0-9"],
  ["spaces inside a range", "bytes=0 - 9"],
  ["several ranges", "bytes=0-1,5-6"],
  ["a backwards range", "bytes=9-5"],
  ["a range without numbers", "bytes=-"],
  ["letters instead of numbers", "bytes=a-b"],
  ["numbers with signs", "bytes=+1-5"],
  ["hexadecimal numbers", "bytes=0x1-0x5"],
])("ignores %s", (_what, header) => {
  expect(parseRange(header, 100)).toBeNull();
});
