import { expect, it } from "vitest";
import { filenameProblem, withExtension } from "../../../src/core/documents/filename.ts";
import { acceptedFilenames, refusedFilenames } from "../../fixtures/odd-filenames.ts";

it.each(acceptedFilenames)("filenameProblem accepts %j", (name) => {
  expect(filenameProblem(name)).toBeNull();
});

it.each(refusedFilenames.map(([name, reason]) => [JSON.stringify(name.slice(0, 40)), name, reason] as const))(
  "filenameProblem refuses %s, and says why",
  (_shown, name, reason) => {
    expect(filenameProblem(name)).toMatch(reason);
  },
);

it.each([
  ["Invoice", "pdf", "Invoice.pdf"],
  ["Invoice.pdf", "pdf", "Invoice.pdf"],
  ["Invoice.PDF", "pdf", "Invoice.PDF"],
  ["Invoice.pdf", "png", "Invoice.pdf.png"],
  ["Card", "jpeg", "Card.jpg"],
  ["Card.JPG", "jpeg", "Card.JPG"],
  ["Card.jpeg", "webp", "Card.jpeg.webp"],
] as const)("withExtension of %s for the format %s is %s", (name, format, expected) => {
  expect(withExtension(name, format)).toBe(expected);
});
