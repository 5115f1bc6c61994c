// The package has no types.
declare module "fontverter" {
  export function convert(font: Buffer, format: "sfnt" | "woff"): Promise<Buffer>;
}
