// Makes static fonts of a variable one, because Chromium embeds a variable font in a PDF as drawings (Type 3): the file is larger, has
// no hints for small sizes, and takes longer. The packages with static fonts for Chinese, Japanese and Korean take 290 MB more.
import { convert } from "fontverter";
import subsetFont from "subset-font";
import { codePointsOf } from "./cmap.ts";
import { packWoff2 } from "./woff2.ts";

/** Returns the font in each of the weights. */
export async function staticInstances(variable: Buffer, weights: readonly string[]): Promise<Buffer[]> {
  const characters = String.fromCodePoint(...codePointsOf(variable));
  // The conversion takes longer than each of the instances.
  const font = await convert(variable, "sfnt");
  const instances: Buffer[] = [];
  for (const weight of weights) {
    const variationAxes = { wght: Number(weight) };
    const instance = await subsetFont(font, characters, { targetFormat: "truetype", variationAxes });
    instances.push(packWoff2(Buffer.from(instance)));
  }
  return instances;
}
