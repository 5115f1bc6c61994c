import { zipSync } from "fflate";
import { expect, it } from "vitest";
import { diffVersions } from "../src/template/version-diff.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const zip = (files: Record<string, Uint8Array>) => new Blob([new Uint8Array(zipSync(files))]);

it("the diff of two versions lists the lines that differ, with the lines around them, and leaves out files that are the same", async () => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  const after = before.with(1, "second").with(18, "last but one");
  const same = bytes("p {}");

  const diffs = await diffVersions(
    zip({ "pages/1.liquid": bytes(before.join("\n")), "style.css": same }),
    zip({ "pages/1.liquid": bytes(after.join("\n")), "style.css": same }),
  );

  expect(diffs.map(({ path, change }) => [path, change])).toEqual([["pages/1.liquid", "changed"]]);
  const lines = diffs[0]?.lines ?? [];
  expect(lines.filter((line) => line && line.kind !== "same")).toEqual([
    { kind: "removed", text: "line 2" },
    { kind: "added", text: "second" },
    { kind: "removed", text: "line 19" },
    { kind: "added", text: "last but one" },
  ]);
  expect(lines.filter((line) => line === null)).toHaveLength(1);
});

it("the diff of two versions shows no lines of a file that is not text or has too many differences", async () => {
  const lines = (start: number) => bytes(Array.from({ length: 3_000 }, (_, index) => start + index).join("\n"));
  const older = zip({ "assets/logo.png": new Uint8Array([0x89, 0xff]), "pages/1.liquid": lines(0) });
  const newer = zip({ "assets/logo.png": new Uint8Array([0x89, 0xfe, 0]), "pages/1.liquid": lines(100_000) });

  const diffs = await diffVersions(older, newer);

  expect(diffs.map(({ path, lines, oldSize, newSize }) => [path, lines, oldSize < newSize])).toEqual([
    ["assets/logo.png", null, true],
    ["pages/1.liquid", null, true],
  ]);
});

it("the diff of two versions distinguishes added files from removed files", async () => {
  const diffs = await diffVersions(zip({ "header.liquid": bytes("a") }), zip({ "footer.liquid": bytes("b") }));

  expect(diffs.map(({ path, change }) => [path, change])).toEqual([
    ["footer.liquid", "added"],
    ["header.liquid", "removed"],
  ]);
});
