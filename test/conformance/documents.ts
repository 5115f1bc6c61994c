// The documents of the conformance lane: the samples in their languages, difficult pages, and documents that are generated from numbered seeds.
import { readdirSync } from "node:fs";
import { paperGeometry } from "colophon-page/page-geometry";
import type { TemplateContent } from "colophon-template-model/template";
import { templateContent } from "colophon-test-kit/template-content";
import { readTemplateFolder } from "../../packages/templates/src/folder/template-folder.ts";
import { attached } from "./attached.ts";
import { images } from "./images.ts";
import { pieces } from "./pages.ts";
import type { LaneDocument } from "./render.ts";
import { documentSizes, structureParts, structures } from "./structures.ts";

const samplesFolder = new URL("../../templates", import.meta.url).pathname;

export async function samples(): Promise<LaneDocument[]> {
  const documents = readdirSync(samplesFolder).map(async (name) => {
    const read = await readTemplateFolder(`${samplesFolder}/${name}`, undefined, { lenient: false });
    if (read.status === "broken") throw new Error(`the sample ${name} is broken`);
    const { content } = read;
    const { locales = [content.manifest.locale] } = content.manifest;
    return locales.map((locale) => ({ name: `${name}-${locale}`, content, locale }));
  });
  return (await Promise.all(documents)).flat();
}

const header = `<img src="${images["png-alpha"]}" width="20" alt=""> <a href="https://a.example">Header</a>`;
const footer = "<p>{{ page.number }} / {{ page.total }} &middot; العربية &middot; 日本語</p>";

/** Each page alone, and a few kinds of documents that have more than one. */
export function difficultPages(): LaneDocument[] {
  const pages = [...pieces, ...structures, ...documentSizes].map(({ name, html }) => {
    return { name, content: templateContent({ page: html, fields: [] }) };
  });
  const long = Array.from(
    { length: 300 },
    (_, index) => `<h1>${index}</h1><p style="break-after: page">Row ${index}</p>`,
  );
  const table = `<table>${"<tr><td>1<td>Text<td>1,234.50".repeat(1_500)}</table>`;
  return [
    ...pages,
    { name: "300-pages", content: templateContent({ page: long.join(""), fields: [], content: { header, footer } }) },
    { name: "1500-rows", content: templateContent({ page: table, fields: [], content: { header, footer } }) },
    {
      name: "auto-height",
      content: withManifest({ page: { ...paperGeometry("A4", "portrait"), height: "auto" } }, "<p>x".repeat(300)),
    },
    { name: "einvoice", content: templateContent({ page: "<h1>Invoice", fields: [] }), attached },
    { name: "test-document", content: withManifest({}, table), isTest: true },
    { name: "odd-title", content: withManifest({ title: "😀 \u202e(\\)\u0001 <&> 時" }, "<h1>Title") },
    { name: "odd-locale", content: withManifest({ locale: "ar-EG" }, "<h1>عنوان</h1><ul><li>نص</ul>") },
    { name: "several-pages", content: templateContent({ page: ["<h1>A", "<h2>B", "<h2>C<h3>D"], fields: [] }) },
    {
      name: "blank-pages",
      content: templateContent({
        page: "<p>1<p style='break-before: right'>3",
        fields: [],
        content: { header, footer },
      }),
    },
  ];
}

function withManifest(manifest: Partial<TemplateContent["manifest"]>, page: string): TemplateContent {
  const content = templateContent({ page, fields: [] });
  return { ...content, manifest: { ...content.manifest, ...manifest } };
}

const wrappers = [
  "opacity: .7",
  "transform: scale(.8) rotate(3deg)",
  "columns: 2",
  "writing-mode: vertical-rl; max-height: 300px",
  "mix-blend-mode: multiply",
  "overflow: hidden; border-radius: 12px; box-shadow: 0 0 8px #0008",
  "background: linear-gradient(#fff, #eef)",
  "font-family: serif; font-weight: 600",
  "font-family: monospace; letter-spacing: 2px",
  "direction: rtl",
  "break-before: page",
  "position: relative; isolation: isolate; color: rgb(20 40 160 / .8)",
  "mask-image: linear-gradient(black, #0008)",
];

/** A document of two to six difficult pages in random boxes. The same seed gives the same document. */
export function generated(seed: number): LaneDocument {
  let state = seed + 1;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = <T>(items: readonly T[]) => items[random(items.length)] as T;
  const parts = Array.from({ length: 2 + random(5) }, () => {
    const boxes = Array.from({ length: random(4) }, () => `<div style="${pick(wrappers)}">`);
    return boxes.join("") + pick(generatedPieces).html + "</div>".repeat(boxes.length);
  });
  const margins = { ...(random(2) && { header }), ...(random(2) && { footer }) };
  const content = templateContent({ page: ["<h1>Title</h1>", ...parts].join("\n"), fields: [], content: margins });
  const page = paperGeometry(pick(["A4", "A6", "Letter"]), pick(["portrait", "landscape"]));
  const manifest = { ...content.manifest, page: random(8) ? page : { ...page, height: "auto" as const } };
  return { name: `seed-${seed}`, content: { ...content, manifest }, isTest: random(6) === 0 };
}

/** Each of the others makes every document that contains it fail. */
const generatedPieces = [...pieces, ...structureParts].filter(
  ({ name }) =>
    !/long-(?:link|id|alt)|profile-of-two|missing-glyph|private-use|combining|svg-nested|nested-transforms|control-char|select|page-form|without-alt|jump/.test(
      name,
    ),
);
