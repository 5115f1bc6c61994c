// Warns about text that is hardly visible on its background, in templates that ask for PDF/UA or a level A of PDF/A. Only colors that one
// rule declares together are compared. Without any background in the template, the paper is white.
import { lineCounter } from "colophon-base/line-counter";
import { quoted } from "colophon-base/text";
import { isAccessible } from "colophon-pdf/conformance";
import type { CompiledContent } from "colophon-template-model/check-content";
import { findingCollector, type CheckBudget, type Finding } from "./findings.ts";
import { markupStyles, type MarkupStyles } from "./markup/read-markup.ts";

type File = { file: string; source: string };
type StyledFile = File & { styles: MarkupStyles[] };

/** WCAG 2.2, 1.4.3: large text needs this ratio, and other text 4.5. A rule does not always say how large its text is. */
const minRatio = 3;
const mayHaveBackgrounds = /background|bgcolor|position|grid|filter|blend|opacity/i;

/** `files` are the files with markup. */
export function checkContrast({ content, sheets }: CompiledContent, files: File[], budget: CheckBudget): Finding[] {
  if (!isAccessible(content.manifest.conformance ?? [])) return [];
  const styled: StyledFile[] = [
    ...sheets.map(({ file, css }) => ({ file, source: css, styles: [{ kind: "rules" as const, css, start: 0 }] })),
    ...files.map(({ file, source }) => ({ file, source, styles: markupStyles(source) })),
  ];
  const paper = styled.some(({ source }) => mayHaveBackgrounds.test(source)) ? null : "white";
  return styled.flatMap(({ file, source, styles }) => {
    const { report, findings, isFull } = findingCollector(budget);
    const lineOf = lineCounter(source);
    for (const { color, ground, start } of styles.flatMap((style) => colorPairs(style, paper))) {
      const [front, back] = [luminance(color), luminance(ground)];
      if (isFull() || front === null || back === null) continue;
      const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
      if (ratio >= minRatio) continue;
      const shown = `the contrast of ${quoted(color)} on ${quoted(ground)} is ${(Math.floor(ratio * 10) / 10).toFixed(1)}:1`;
      report(lineOf(start), `${shown}; large text needs ${minRatio}:1, and other text 4.5:1`, "warning");
    }
    return findings.map((finding): Finding => ({ ...finding, file }));
  });
}

function colorPairs({ kind, css, start }: MarkupStyles, paper: string | null) {
  const blank = css.replace(/\/\*[^]*?(?:\*\/|$)/g, (comment) => comment.replace(/[^\n]/g, " "));
  const [text, textStart] = kind === "style" ? [`{${blank}}`, start - 1] : [blank, start];
  return Array.from(text.matchAll(/\{([^{}]*)\}/g), ({ index, 1: block = "" }) => {
    let [color, ground, at] = ["", paper ?? "", 0];
    for (const found of block.matchAll(/(?:^|;)\s*(color|background(?:-color)?)\s*:([^;]*)/gi)) {
      const value = (found[2] ?? "").replace(/!\s*important/i, "").trim();
      if (found[1]?.toLowerCase() !== "color") ground = value;
      else [color, at] = [value, found.index + found[0].search(/color/i)];
    }
    return { color, ground, start: textStart + index + 1 + at };
  });
}

const names = new Map(
  ["black 000", "silver c0c0c0", "gray 808080", "grey 808080", "lightgray d3d3d3", "lightgrey d3d3d3", "white fff"]
    .concat(["yellow ff0", "darkgray a9a9a9", "darkgrey a9a9a9", "gainsboro dcdcdc", "whitesmoke f5f5f5"])
    .map((row) => row.split(" ") as [string, string]),
);

/** Returns the relative luminance of an opaque color as WCAG defines it; null if the color is not certain. */
function luminance(color: string): number | null {
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(color)?.[1] ?? names.get(color.toLowerCase());
  const [, ...numbers] = /^rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/i.exec(color) ?? [];
  const digits = hex?.length === 3 ? hex.replace(/./g, "$&$&") : hex;
  const parts = digits?.match(/../g)?.map((pair) => parseInt(pair, 16)) ?? numbers.map(Number);
  const [red, green, blue] = parts.map((part) => {
    const share = Math.min(part, 255) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return red === undefined || green === undefined || blue === undefined
    ? null
    : 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
