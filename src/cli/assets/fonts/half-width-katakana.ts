// Puts the half-width katakana into one slice. Chromium draws a letter and its voicing mark, as in "ｶﾞ", only with a face that has both,
// and the packages have the marks in one slice and the letters in 27 others. Japanese bank transfers are written in these characters.
import { fontPackages } from "./font-packages.ts";
import { builtSlice, weights, type BuiltSlice, type ReadFile } from "./font-slices.ts";
import { mergedFont } from "./merge-fonts.ts";
import { rangesOf } from "./code-points.ts";

const [first, last] = [0xff61, 0xff9f];
const isHalfWidth = (point: number) => point >= first && point <= last;

/** Returns the slices of the fonts for Chinese, Japanese and Korean with these characters in one that has no others. */
export function withHalfWidthKatakana(slices: readonly BuiltSlice[]): BuiltSlice[] {
  const fonts = fontPackages.find(({ han }) => han === "jp");
  if (!fonts) throw new Error("There is no Japanese font.");
  const japanese = slices.filter(({ slice, points }) => slice.han === "jp" && [...points].some(isHalfWidth));
  const files = weights.map((weight): ReadFile => {
    const content = mergedFont(
      japanese.map((built) => contentOf(built, weight)),
      first,
      last,
    );
    return { weight, style: "normal", content };
  });
  const points = new Set(Array.from({ length: last - first + 1 }, (_, index) => first + index));
  const merged = builtSlice(fonts, "noto-sans-jp-half-width-katakana", points, files);
  return [merged, ...slices.map(withoutHalfWidth).filter((built) => built.points.size > 0)];
}

function contentOf({ slice, contents }: BuiltSlice, weight: string): Buffer {
  const content = contents.get(slice.files.find((file) => file.weight === weight)?.file ?? "");
  if (!content) throw new Error(`The slice ${slice.files[0]?.id} has no file of weight ${weight}.`);
  return content;
}

/** The file keeps the glyphs, but no document uses them. */
function withoutHalfWidth(built: BuiltSlice): BuiltSlice {
  const points = new Set([...built.points].filter((point) => !isHalfWidth(point)));
  return { ...built, points, slice: { ...built.slice, ranges: rangesOf(points) } };
}
