// Filters that draw a value as a QR code or a barcode, as SVG.
import { datamatrix, drawingSVG, gs1_128, interleaved2of5, itf14, pdf417 } from "bwip-js/generic";
import { encode as encodeQr } from "uqr";
import { quoted } from "colophon-base/text";
import { filter, type Filter, type FilterCall, isPrintable } from "colophon-liquid/filter";
import { LiquidError } from "colophon-liquid/liquid";
import { isNil, Markup, numberIn, toText } from "colophon-liquid/values";
import { barsSvg, code128Bars, ean13Bars } from "./linear-barcodes.ts";

/** The results are markup in which the value appears only as bars and dots, so nothing needs escaping. */
export const codeFilters: Record<string, Filter> = {
  /** `{{ url | qr_code }}` draws an SVG that fills its box; `{{ url | qr_code: "H" }}` draws one that tolerates more damage. */
  qr_code: filter([0, 1], (call, input, level) => {
    const ecc = isNil(level) ? "M" : toText(call.meter, level);
    if (!isQrLevel(ecc)) throw new LiquidError(`the level of qr_code must be L, M, Q or H, got ${quoted(ecc)}`);
    const hint = `a code of level ${ecc} holds at most ${qrBytes[ecc]} bytes`;
    return svgCode(call, input, { perCode: 90_000, perChar: 2_500, hint, draw: (text) => qrSvg(text, ecc) });
  }),
  /** `{{ "JD0146" | barcode: "code128", 15 }}` draws a barcode of 15 mm; without a height, it fills its box. */
  barcode: filter([0, 2], (call, input, symbology, heightMm) => {
    const name = isNil(symbology) ? "code128" : toText(call.meter, symbology);
    const barcode = Object.hasOwn(barcodes, name) ? barcodes[name] : undefined;
    if (!barcode) {
      throw new LiquidError(`barcode does not support ${quoted(name)}, only ${Object.keys(barcodes).join(", ")}`);
    }
    const height = isNil(heightMm) ? null : numberIn(heightMm);
    if (!isNil(heightMm) && (height === null || height < 1 || height > maxHeightMm)) {
      throw new LiquidError(`the height of a barcode must be a number of mm from 1 to ${maxHeightMm}`);
    }
    return svgCode(call, input, barcode, height);
  }),
};

const maxHeightMm = 1_000;
/** The number of digits that the largest QR code holds. No other code holds more. */
const maxCodeChars = 7_089;

const encoder = new TextEncoder();

/**
 * How a type of code is drawn, and its cost in units of work. `hint` is added to the encoder's reason for refusing a value. If
 * `stretches` is true, the code has only vertical bars, so it may fill a box of any proportions.
 */
type Code = {
  perCode: number;
  perChar: number;
  maxChars?: number;
  hint?: string;
  stretches?: true;
  draw: (text: string) => string;
};

const linear = { perCode: 3_000, perChar: 400, stretches: true } as const;
/** The encoder of these codes also checks the data. */
const checked = { perCode: 200_000, perChar: 5_000, stretches: true } as const;
/** A linear barcode without a height has the proportions of one with modules of 1 pt and this height. */
const natural = { height: 15 };

const barcodes: Record<string, Code> = {
  code128: { ...linear, draw: (text) => barsSvg(code128Bars(text), natural.height) },
  ean13: { ...linear, draw: (text) => barsSvg(ean13Bars(text), natural.height) },
  "gs1-128": {
    ...checked,
    hint: "it must be GS1 application identifiers and their values, as in (01)09521234543213(10)ABC",
    draw: (text) => gs1_128({ bcid: "gs1-128", text, ...natural }, drawingSVG()),
  },
  itf: {
    ...checked,
    draw: (text) => interleaved2of5({ bcid: "interleaved2of5", text: evenDigits(text), ...natural }, drawingSVG()),
  },
  itf14: {
    ...checked,
    // The bearer bars would also be stretched; where they are needed, the template gives the box a border.
    draw: (text) => itf14({ bcid: "itf14", text, ...natural, showborder: false }, drawingSVG()),
  },
  datamatrix: {
    perCode: 600_000,
    perChar: 24_000,
    draw: (text) => datamatrix({ bcid: "datamatrix", text }, drawingSVG()),
  },
  pdf417: {
    perCode: 500_000,
    perChar: 7_000,
    maxChars: 2_710,
    hint: "it holds at most about 1,800 letters, 2,700 digits or 1,100 bytes of other text",
    draw: (text) => pdf417({ bcid: "pdf417", text }, drawingSVG()),
  },
};

/** The number of bytes that the largest code of each error-correction level holds. */
const qrBytes = { L: "2,953", M: "2,331", Q: "1,663", H: "1,273" };
type QrLevel = keyof typeof qrBytes;

function isQrLevel(level: string): level is QrLevel {
  return Object.hasOwn(qrBytes, level);
}

/** The encoder would add a leading zero to an odd number of digits, and scanners would return it. */
function evenDigits(text: string): string {
  if (!/^(\d\d)+$/.test(text)) throw new Error("ITF must be an even number of digits");
  return text;
}

/**
 * Returns the code as SVG, or an empty string for an absent value. Its height is `heightMm`, whatever the width of its box;
 * null fills the box.
 */
function svgCode(
  { name, meter }: FilterCall,
  value: unknown,
  { perCode, perChar, maxChars = maxCodeChars, stretches, ...code }: Code,
  heightMm: number | null = null,
): Markup | string {
  const text = isPrintable(value) ? toText(meter, value) : "";
  if (text === "") return "";
  if (text.length > maxCodeChars) throw new LiquidError(`${name} cannot encode more than ${maxCodeChars} characters`);
  // Characters beyond ASCII take several bytes.
  const bytes = encoder.encode(text).length;
  meter.charge(perCode + Math.min(bytes, maxChars) * perChar);
  const style = `display:block;width:100%;height:${heightMm === null ? "100%" : `${heightMm}mm`};shape-rendering:crispEdges`;
  const ratio = stretches && heightMm !== null ? "none" : "xMidYMid meet";
  const svg = encoded(name, text, code).replace("<svg ", `<svg style="${style}" preserveAspectRatio="${ratio}" `);
  meter.allocateText(svg.length);
  return new Markup(svg);
}

/**
 * The encoder's own messages mention its internals, so the error names the filter instead and keeps only the encoder's reason.
 */
function encoded(filter: string, text: string, { draw, hint }: Pick<Code, "draw" | "hint">): string {
  try {
    return draw(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^bwipp?\.?\w*#?\d*:\s*/i, "") : "";
    const more = hint === undefined ? "" : `; ${hint}`;
    throw new LiquidError(`${filter} cannot encode ${quoted(text)}: ${reason}${more}`, { cause: error });
  }
}

/**
 * Draws a QR code with an encoder that supports nothing else. The barcode encoder also supports QR codes, but takes
 * seven times as long, which is a fifth of an invoice's render time.
 */
function qrSvg(text: string, ecc: QrLevel): string {
  const { size, data } = encodeQr(text, { ecc, border: 0 });
  // Each run of dark modules in a row is one bar. All bars are in one path, because hairlines would appear between
  // adjacent bars in separate paths.
  const bars = data.flatMap((row, y) => {
    const modules = row.map((isDark) => (isDark ? "#" : " ")).join("");
    return [...modules.matchAll(/#+/g)].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`);
  });
  return `<svg viewBox="0 0 ${size} ${size}" xmlns="http://www.w3.org/2000/svg"><path d="${bars.join("")}"/></svg>`;
}
