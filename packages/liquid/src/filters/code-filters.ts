// Filters that draw a value as a QR code or a barcode. They return SVG.
import { datamatrix, drawingSVG } from "bwip-js/generic";
import { encode as encodeQr } from "uqr";
import { code128Bars } from "../barcodes/code-128.ts";
import { barsSvg, ean13Bars } from "../barcodes/linear-barcodes.ts";
import { costs } from "../costs.ts";
import { LiquidError } from "../liquid-error.ts";
import { numberIn } from "../values/numbers.ts";
import { toText } from "../values/text.ts";
import { isNil, Markup } from "../values/value.ts";
import { isPrintable, type Filter, type FilterCall } from "./filter.ts";

/** Their results are markup that contains the value only as bars and dots, so nothing has to be escaped. */
export const codeFilters: Record<string, Filter> = {
  /** `{{ url | qr_code }}` draws an SVG that fills the width of its box. */
  qr_code: {
    arity: [0, 0],
    apply: (call, input) => svgCode(call, input, { perCode: costs.qrCode, perChar: costs.qrCodeChar }, qrSvg),
  },
  /**
   * `{{ "JD0146" | barcode: "code128" }}` draws a barcode; `ean13` and `datamatrix` are supported too. The second
   * argument is the height in mm; `datamatrix` ignores it.
   */
  barcode: {
    arity: [0, 2],
    apply(call, input, symbology, heightMm) {
      const name = isNil(symbology) ? "code128" : toText(call.meter, symbology);
      const barcode = Object.hasOwn(barcodes, name) ? barcodes[name] : undefined;
      if (!barcode) {
        throw new LiquidError(
          `barcode does not support "${name.slice(0, 40)}", only ${Object.keys(barcodes).join(", ")}`,
        );
      }
      const height = isNil(heightMm) ? 15 : numberIn(heightMm);
      if (height === null || height < 1 || height > maxHeightMm) {
        throw new LiquidError(`the height of a barcode must be a number of mm from 1 to ${maxHeightMm}`);
      }
      return svgCode(call, input, barcode.costs, (text) => barcode.draw(text, height));
    },
  },
};

const maxHeightMm = 1_000;
/** The number of digits that the largest QR code holds. No code holds more. */
const maxCodeChars = 7_089;

const encoder = new TextEncoder();

type CodeCosts = { perCode: number; perChar: number };

const linearCosts: CodeCosts = { perCode: costs.barcode, perChar: costs.barcodeChar };

const barcodes: Record<string, { costs: CodeCosts; draw: (text: string, heightMm: number) => string }> = {
  code128: { costs: linearCosts, draw: (text, heightMm) => barsSvg(code128Bars(text), heightMm) },
  ean13: { costs: linearCosts, draw: (text, heightMm) => barsSvg(ean13Bars(text), heightMm) },
  datamatrix: {
    costs: { perCode: costs.dataMatrix, perChar: costs.dataMatrixChar },
    draw: (text) => datamatrix({ bcid: "datamatrix", text }, drawingSVG()),
  },
};

/**
 * Returns the code as SVG, or an empty string for an absent value. The encoder's own messages name its internals, so
 * the error names the filter instead and keeps only the encoder's reason.
 */
function svgCode(
  { name, meter }: FilterCall,
  value: unknown,
  { perCode, perChar }: CodeCosts,
  encode: (text: string) => string,
): Markup | string {
  const text = isPrintable(value) ? toText(meter, value) : "";
  if (text === "") return "";
  if (text.length > maxCodeChars) throw new LiquidError(`${name} cannot encode more than ${maxCodeChars} characters`);
  // Characters beyond ASCII are encoded as several bytes.
  const bytes = encoder.encode(text).length;
  meter.charge(perCode + Math.min(bytes, maxCodeChars) * perChar);
  const svg = encoded(name, () => encode(text)).replace(
    "<svg ",
    '<svg style="display:block;width:100%;height:100%;shape-rendering:crispEdges" preserveAspectRatio="xMidYMid meet" ',
  );
  meter.allocateText(svg.length);
  return new Markup(svg);
}

function encoded(filter: string, encode: () => string): string {
  try {
    return encode();
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^bwipp?\.?\w*#?\d*:\s*/i, "") : "";
    throw new LiquidError(`${filter} cannot encode the value: ${reason}`, { cause: error });
  }
}

/**
 * Draws a QR code with an encoder that is only for QR codes. The encoder for barcodes supports QR codes too, but takes
 * seven times as long, which is a fifth of the time that an invoice takes to render.
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
