// Filters that draw a value as a QR code or a barcode. They return SVG.
import { code128, datamatrix, drawingSVG, ean13, type DrawingContext, type RenderOptions } from "bwip-js/generic";
import { encode as encodeQr } from "uqr";
import { charge, isPrintable, type Filter } from "./filter-call.ts";

/** Filters that return markup. The markup contains the value only as bars and dots, so nothing has to be escaped. */
export const codeFilters: Record<string, Filter> = {
  /** `{{ url | qr_code }}` draws an SVG that fills the width of its box. */
  qr_code(value) {
    charge(this, codeCost(value));
    return svgCode("qr_code", value, qrSvg);
  },
  /**
   * `{{ "JD0146" | barcode: "code128" }}` draws a barcode; `ean13` and `datamatrix` are supported too. The second
   * argument is the height in mm; `datamatrix` ignores it.
   */
  barcode(value, symbology, heightMm) {
    const name = String(symbology ?? "code128");
    const encode = Object.hasOwn(barcodes, name) ? barcodes[name] : undefined;
    if (!encode) throw new Error(`barcode supports ${Object.keys(barcodes).join(", ")}, got "${name}"`);
    charge(this, codeCost(value));
    const height = Number(heightMm ?? 15);
    const size = name === "datamatrix" ? {} : { height };
    return svgCode("barcode", value, (text) => encode({ bcid: name, text, ...size }, drawingSVG()));
  },
};

type Encoder = (options: RenderOptions, drawing: DrawingContext<string>) => string;

const barcodes: Record<string, Encoder> = { code128, ean13, datamatrix };

/**
 * Returns the number of visits to charge for drawing a code. A code of 20 characters takes milliseconds to draw, and a
 * code of 2,000 characters takes a tenth of a second. The charge makes a template that draws too many codes run out of
 * budget.
 */
function codeCost(value: unknown): number {
  return isPrintable(value) ? 500 + 50 * String(value).length : 0;
}

/**
 * Returns the code as SVG, or an empty string for an absent value. The encoder's own messages name its internals, so
 * the error names the filter instead and keeps only the encoder's reason.
 */
function svgCode(filter: string, value: unknown, encode: (text: string) => string): string {
  const text = isPrintable(value) ? String(value) : "";
  if (text === "") return "";
  try {
    return encode(text).replace(
      "<svg ",
      '<svg style="display:block;width:100%;height:100%;shape-rendering:crispEdges" preserveAspectRatio="xMidYMid meet" ',
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^bwipp?\.?\w*#?\d*:\s*/i, "") : "";
    throw new Error(`${filter} cannot encode the value: ${reason}`, { cause: error });
  }
}

/**
 * Draws a QR code with an encoder that is only for QR codes. The encoder for barcodes supports QR codes too, but takes
 * seven times as long: a fifth of the time in which an invoice is rendered.
 */
function qrSvg(text: string): string {
  const { size, data } = encodeQr(text, { ecc: "M", border: 0 });
  // Each run of dark modules in a row is one bar. All bars are in one path, because hairlines would appear between
  // adjacent bars in separate paths.
  const bars = data.flatMap((row, y) => {
    const modules = row.map((isDark) => (isDark ? "#" : " ")).join("");
    return [...modules.matchAll(/#+/g)].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`);
  });
  return `<svg viewBox="0 0 ${size} ${size}" xmlns="http://www.w3.org/2000/svg"><path d="${bars.join("")}"/></svg>`;
}
