// Filters that draw a value as a QR code or a barcode, as SVG.
import { code128, datamatrix, drawingSVG, ean13, type DrawingContext, type RenderOptions } from "bwip-js/generic";
import { encode as encodeQr } from "uqr";
import { charge, isPrintable, type Filter } from "./filter-call.ts";

/** The result of each filter is markup, in which the value appears only as bars and dots. */
export const codeFilters: Record<string, Filter> = {
  /** `{{ url | qr_code }}`: an SVG that fills the width of its box. */
  qr_code(value) {
    charge(this, codeCost(value));
    return svgCode("qr_code", value, qrSvg);
  },
  /** `{{ "JD0146" | barcode: "code128" }}`; also `ean13`, `datamatrix`. A second argument gives the height in mm. */
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
 * The budget that drawing a code uses up. A code of 20 characters takes milliseconds to draw, and a code of 2,000
 * characters a tenth of a second, so a loop that draws codes must run out of budget.
 */
function codeCost(value: unknown): number {
  return isPrintable(value) ? 500 + 50 * String(value).length : 0;
}

/**
 * Returns an empty string for an absent value. The encoder's own messages name its internals, so the error names the filter
 * and keeps only the encoder's reason.
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
 * Uses an encoder for QR codes alone: the encoder for barcodes would take seven times as long, a fifth of an invoice's
 * whole render.
 */
function qrSvg(text: string): string {
  const { size, data } = encodeQr(text, { ecc: "M", border: 0 });
  // One path, with one bar for each run of dark modules: adjacent bars in the same path have no hairline between them.
  const bars = data.flatMap((row, y) => {
    const modules = row.map((isDark) => (isDark ? "#" : " ")).join("");
    return [...modules.matchAll(/#+/g)].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`);
  });
  return `<svg viewBox="0 0 ${size} ${size}" xmlns="http://www.w3.org/2000/svg"><path d="${bars.join("")}"/></svg>`;
}
