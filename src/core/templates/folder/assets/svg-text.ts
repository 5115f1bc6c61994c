// Finds text in SVG images. An SVG image is a document of its own, so it has neither the template's fonts nor the service's.
import { lineCounter } from "../../../line-counter.ts";
import type { FileWarning } from "../../template.ts";
import { composed } from "../file-names.ts";
import type { OpenedFolder } from "../used/opened-folder.ts";
import { decodeText } from "../text-file.ts";

const message =
  "an SVG image has no fonts of the template or the service, so the font of its text depends on the machine; convert the text to paths, embed a font in the SVG, or put the SVG's markup into the page";

/** Returns a warning for each SVG of the template that contains text but no font. The files must be valid. */
export function svgTextWarnings(folder: OpenedFolder, assets: Readonly<Record<string, unknown>>): FileWarning[] {
  const own = new Set(folder.inside("assets").map(({ path }) => composed(path)));
  return ["assets", "shared/assets"].flatMap((place) => {
    const files = folder.inside(place).filter(({ path }) => /\.svg$/i.test(path) && Object.hasOwn(assets, composed(path)));
    const used = files.filter(({ path }) => place === "assets" || !own.has(composed(path)));
    return used.flatMap(({ path, bytes }): FileWarning[] => {
      const decoded = decodeText(bytes);
      const line = decoded.status === "text" ? textLine(decoded.text) : null;
      return line === null ? [] : [{ file: `${place}/${path}`, line, message }];
    });
  });
}

/** Returns the line of the first text; null if there is none, or if the SVG has a font of its own. */
function textLine(svg: string): number | null {
  const markup = svg.replace(/<!--[^]*?-->/g, (comment) => comment.replace(/[^\n]/g, " "));
  const start = markup.search(/<(?:[\w.-]+:)?text[\s>]/);
  return start < 0 || /@font-face/i.test(markup) ? null : lineCounter(markup)(start);
}
