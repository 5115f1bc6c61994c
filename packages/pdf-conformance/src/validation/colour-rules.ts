// The rules for colour spaces, images, and the states of graphics.
import type { FinishedPdf } from "colophon-pdf/open-finished-pdf";
import { isDictionary, type PdfDictionary, type PdfValue } from "colophon-pdf/values";
import type { Report } from "../problem.ts";
import { decoded, dictionaryAt, listOf, streamOf, textOf, type Stream } from "./file.ts";

/** The spaces whose colours do not depend on a device, or get their meaning from the output intent. */
const plainSpaces = new Set(["DeviceGray", "DeviceRGB", "CalGray", "CalRGB", "Lab", "Pattern"]);
const blendModes = new Set(
  (
    "Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion " +
    "Hue Saturation Color Luminosity"
  ).split(" "),
);
const intents = new Set(["RelativeColorimetric", "AbsoluteColorimetric", "Perceptual", "Saturation"]);
const maxDepth = 4;

export function checkSpace(file: FinishedPdf, value: PdfValue | undefined, report: Report, depth = 0): void {
  const [kind, base] = listOf(file, value);
  const space = textOf(kind);
  if (plainSpaces.has(space) && space !== "Pattern") return;
  if (space === "DeviceCMYK") report("6.2.4.3-3", cmykMessage);
  else if (space === "ICCBased") checkProfile(file, streamOf(file, base), report);
  else if ((space === "Indexed" || space === "Pattern") && depth < maxDepth) {
    if (base !== undefined) checkSpace(file, base, report, depth + 1);
  } else report("6.2.4.4-1", `The colour space ${space} is not supported.`);
}

export const cmykMessage = "A colour is in CMYK without a profile. Convert the image to RGB, or embed its profile.";

const profileClasses = new Set(["prtr", "mntr", "scnr", "spac"]);
const components: Record<string, number> = { GRAY: 1, "RGB ": 3, "Lab ": 3, CMYK: 4 };

/** Reads the header of an ICC profile: its version, its class and its colour space. */
function checkProfile(file: FinishedPdf, stream: Stream | null, report: Report): void {
  const bytes = stream && decoded(file, stream);
  const header = Buffer.from(bytes?.subarray(0, 128) ?? []).toString("latin1");
  const isValid =
    header.length === 128 &&
    header.charCodeAt(8) < 5 &&
    profileClasses.has(header.slice(12, 16)) &&
    components[header.slice(16, 20)] === stream?.dictionary.get("N") &&
    header.slice(36, 40) === "acsp";
  if (!isValid) report("6.2.4.2-1", "The colour profile of an image is malformed, or of a kind that is not allowed.");
}

export function checkImage(file: FinishedPdf, { dictionary }: Stream, report: Report): void {
  const isMask = file.resolve(dictionary.get("ImageMask")) === true;
  if (dictionary.has("Alternates")) report("6.2.8-1", "An image has alternates.");
  if (dictionary.has("OPI")) report("6.2.8-2", "An image refers to a different file.");
  if (file.resolve(dictionary.get("Interpolate")) === true) report("6.2.8-3", "An image is interpolated.");
  const bits = file.resolve(dictionary.get("BitsPerComponent"));
  const allowed = isMask ? [null, 1] : [null, 1, 2, 4, 8, 16];
  if (!allowed.some((value) => value === bits)) report("6.2.8-4", `An image has ${String(bits)} bits for each colour.`);
  if (dictionary.has("ColorSpace")) checkSpace(file, dictionary.get("ColorSpace"), report);
  checkIntent(dictionary.get("Intent"), report);
  for (const mask of [dictionary.get("SMask"), dictionary.get("Mask")].map((value) => streamOf(file, value)))
    if (mask) checkImage(file, mask, report);
}

export function checkIntent(value: PdfValue | undefined, report: Report): void {
  if (value !== undefined && !intents.has(textOf(value))) report("6.2.6-1", "A rendering intent is not allowed.");
}

/** Returns the form of the soft mask, or null if the state has none. */
export function checkGraphicsState(file: FinishedPdf, state: PdfDictionary, report: Report): PdfValue {
  if (state.has("TR") || (state.has("TR2") && textOf(state.get("TR2")) !== "Default"))
    report("6.2.5-1", "A graphics state has a transfer function.");
  if (state.has("HTP") || state.has("HT")) report("6.2.5-3", "A graphics state has a halftone.");
  if (state.has("Font")) report("6.2.11.2-1", "A graphics state sets a font, which is not supported.");
  for (const mode of listOf(file, state.get("BM")).map(textOf))
    if (!blendModes.has(mode)) report("6.2.10-1", `The blend mode ${mode} is not allowed.`);
  checkIntent(state.get("RI"), report);
  const mask = file.resolve(state.get("SMask"));
  return isDictionary(mask) ? (mask.get("G") ?? null) : null;
}

/** Checks the colour space of a shading, or of the shading of a pattern. */
export function checkShading(file: FinishedPdf, value: PdfValue | undefined, report: Report): void {
  const shading = dictionaryAt(file, value);
  checkSpace(file, shading.get("ColorSpace"), report);
}
