import { expect, it } from "vitest";
import { latin1, pdf } from "colophon-test-kit/pdf";
import { photo, turned } from "colophon-test-kit/photo";
import { withoutMetadata } from "../src/parts/jpeg-metadata.ts";
import { assembled } from "./inputs.ts";

const plain = photo(32, 16);

/** Returns the photo with a segment after its first marker. */
const withSegment = (marker: number, text: string) =>
  Uint8Array.from([
    ...[0xff, 0xd8, 0xff, marker, (text.length + 2) >> 8, (text.length + 2) & 0xff],
    ...Buffer.from(text, "latin1"),
    ...plain.subarray(2),
  ]);
const jfif = "JFIF\0\x01\x02\0\0\x01\0\x01";

it.each<[string, Uint8Array]>([
  ["EXIF data", turned(plain, 1)],
  ["XMP", withSegment(0xe1, "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>")],
  ["IPTC", withSegment(0xed, "Photoshop 3.0\x008BIM")],
  ["a comment", withSegment(0xfe, "taken at home")],
  ["a preview", withSegment(0xe0, "JFXX\0\x10\xff\xd8")],
  ["several pictures in a file", withSegment(0xe2, "MPF\0II*\0")],
  ["data of a camera", withSegment(0xec, "Ducky")],
  ["application data without a name", withSegment(0xef, "")],
  ["data after its end", Buffer.concat([plain, Buffer.from("ftypmp42 a video")])],
  ["a late comment", Buffer.concat([plain.subarray(0, -2), Uint8Array.of(0xff, 0xfe, 0, 4, 1, 2, 0xff, 0xd9)])],
  ["all of them", turned(withSegment(0xfe, "a"), 1)],
])("the metadata of a JPEG is removed: %s", (_what, jpeg) => {
  expect(Buffer.from(withoutMetadata(jpeg))).toEqual(Buffer.from(plain));
});

it("the metadata of a JPEG is removed: a preview in its first segment", () => {
  const jpeg = withSegment(0xe0, `${jfif}\x01\x01abc`);

  expect(Buffer.from(withoutMetadata(jpeg))).toEqual(Buffer.from(withSegment(0xe0, `${jfif}\0\0`)));
});

it("the metadata of a JPEG is removed: text after the colours of Adobe", () => {
  const colours = "Adobe\0d\0\0\0\0\x01";

  const bare = withoutMetadata(withSegment(0xee, `${colours} taken at home`));

  expect(Buffer.from(bare)).toEqual(Buffer.from(withSegment(0xee, colours)));
});

it.each<[string, Uint8Array]>([
  ["without metadata", plain],
  ["with JFIF", withSegment(0xe0, `${jfif}\0\0`)],
  ["with a colour profile", withSegment(0xe2, "ICC_PROFILE\0\x01\x01profile")],
  ["with the colours of Adobe", withSegment(0xee, "Adobe\0d\0\0\0\0\x01")],
  ["if it is cut off in a segment", withSegment(0xfe, "x".repeat(100)).subarray(0, 50)],
  ["if a length is too short", Uint8Array.of(0xff, 0xd8, 0xff, 0xe1, 0, 1, 9, 9)],
  ["without a marker", Uint8Array.of(1, 2, 3)],
  ["if it is empty", new Uint8Array()],
])("a JPEG is not changed: %s", (_what, jpeg) => {
  expect(withoutMetadata(jpeg)).toBe(jpeg);
});

it("the finished file contains the images of the body without their metadata", () => {
  const image = (data: Uint8Array, filter: string) =>
    `<</Type /XObject /Subtype /Image /Filter /${filter} /Length ${data.length}>> stream\n${Buffer.from(data).toString("latin1")}\nendstream`;
  const secret = withSegment(0xfe, "taken at home");
  const body = pdf([
    "<</Type /Catalog /Pages 2 0 R>>",
    "<</Type /Pages /Count 1 /Kids [3 0 R]>>",
    "<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 400]>>",
    image(secret, "DCTDecode"),
    image(secret, "ASCII85Decode"),
  ]);

  const file = latin1(assembled(body).bytes);

  expect(file.match(/\/DCTDecode|\/ASCII85Decode|taken at home/g)).toEqual([
    "/DCTDecode",
    "/ASCII85Decode",
    "taken at home",
  ]);
});
