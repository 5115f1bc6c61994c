// Prints emoji in a font of the template, in regular and in bold text, with the rule that docs/template-limits.md recommends.
import { expect, inject, it } from "vitest";
import { readPdf } from "colophon-test-kit/pdf-reader";
import { rendered } from "../fixtures/rendered.ts";

it("emoji look the same in bold text as in regular text", async () => {
  const assets = { "emoji.woff2": { contentType: "font/woff2", base64: inject("fontFiles")["emoji.woff2"] } };
  const content = { css: "@font-face{font-family:Script;src:url(emoji.woff2);font-weight:1 1000}", assets };
  const drawn = async (weight: number) => {
    const { bytes } = await rendered({ page: `<p style="font:${weight} 20px Script">😀🚀</p>`, content });
    const { objects, streams } = readPdf(bytes);
    // The other objects have the time of the document.
    const isDrawing = ([number]: [number, Uint8Array]) =>
      !/\/Type\s*\/(?:Metadata|ObjStm|XRef)/.test(objects.get(number) ?? "");
    return [...streams].filter(isDrawing).map(([, bytes]) => Buffer.from(bytes).toString("base64"));
  };

  expect(await drawn(700)).toEqual(await drawn(400));
});
