// Declares the parts of two packages that are used here. The first has no types, and the second's types lack options.
declare module "fontverter" {
  export function convert(font: Buffer, format: "sfnt"): Promise<Buffer>;
}
declare module "subset-font" {
  type Options = {
    targetFormat: "truetype";
    /** The characters are then left out. */
    keepAllGlyphs?: boolean;
    keepFeatures?: string[];
    variationAxes?: Record<string, number>;
  };
  export default function subsetFont(font: Buffer, characters: string | undefined, options: Options): Promise<Buffer>;
}
