// Filters that draw a value as a QR code or a barcode. They return SVG.
import { code128, datamatrix, drawingSVG, ean13, type DrawingContext, type RenderOptions } from "bwip-js/generic";
import { encode as encodeQr } from "uqr";
import { charge, isPrintable, type Filter } from "./filter-call.ts";

/** Filters that return markup. The markup contains the value only as bars and dots, so nothing has to be escaped. */
export const codeFilters: Record<string, Filter> = {
  /** Draws a QR code: `{{ url | qr_code }}`. The SVG fills the width of its box. */
  qr_code(value) {
    charge(this, codeCost(value));
    return svgCode("qr_code", value, qrSvg);
  },
  /**
   * Draws a barcode: `{{ "JD0146" | barcode: "code128" }}`. It also supports `ean13` and `datamatrix`. A second
   * argument sets the height in mm, except for `datamatrix`.
   */
  barcode(value, symbology, heightMm) {
    const name = String(symbology ?? "code128");
    const encode = Object.hasOwn(barcodes, name) ? barcodes[name] : undefined;
    if (!encode) throw new Error(`barcode does not support "${name}", only ${Object.keys(barcodes).join(", ")}`);
    charge(this, codeCost(value));
    const height = Number(heightMm ?? 15);
    const size = name === "datamatrix" ? {} : { height };
    return svgCode("barcode", value, (text) => encode({ bcid: name, text, ...size }, drawingSVG()));
  },
};

type Encoder = (options: RenderOptions, drawing: DrawingContext<string>) => string;

const barcodes: Record<string, Encoder> = { code128, ean13, datamatrix };

/**
 * Returns the number of visits to charge for drawing a code. Drawing a code of 20 characters takes milliseconds, and
 * drawing a code of 2,000 characters takes a tenth of a second. A template that draws too many codes therefore exceeds
 * its budget.
 */
function codeCost(value: unknown): number {
  return isPrintable(value) ? 500 + 50 * String(value).length : 0;
}

/**
 * Returns the code as SVG, or an empty string for an absent value. The encoder's messages begin with the name of an
 * internal function. The error contains the name of the filter instead.
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
 * Draws a QR code with an encoder that supports only QR codes. The encoder for barcodes supports them too, but takes
 * seven times as long. It would take a fifth of the time in which an invoice is rendered.
 */
function qrSvg(text: string): string {
  const { size, data } = encodeQr(text, { ecc: "M", border: 0 });
  // Adjacent dark modules in a row form one bar. All bars are in one path, because hairlines would appear between
  // adjacent bars in separate paths.
  const bars = data.flatMap((row, y) => {
    const modules = row.map((isDark) => (isDark ? "#" : " ")).join("");
    return [...modules.matchAll(/#+/g)].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`);
  });
  return `<svg viewBox="0 0 ${size} ${size}" xmlns="http://www.w3.org/2000/svg"><path d="${bars.join("")}"/></svg>`;
}
