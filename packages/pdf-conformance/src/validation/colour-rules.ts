// The rules for colour spaces, images, and the states of graphics.
import type { FinishedPdf } from "colophon-pdf/open-finished-pdf";
import { isDictionary, type PdfDictionary, type PdfValue } from "colophon-pdf/values";
import type { Report } from "../problem.ts";
import { decoded, dictionaryAt, listOf, streamOf, textOf, type Stream } from "./file.ts";

/** What decides about colours. `output` is the colour space of the output intent's profile; an empty string if there is none. */
export type Colours = {
  file: FinishedPdf;
  report: Report;
  output: string;
  /** Whether the page or the output intent says in which colours transparent objects are mixed. */
  canBlend: boolean;
  /** The spaces among the resources; they can have `DefaultRGB` and its like. */
  spaces: PdfDictionary;
};

const blendModes = new Set(
  (
    "Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion " +
    "Hue Saturation Color Luminosity"
  ).split(" "),
);
const intents = new Set(["RelativeColorimetric", "AbsoluteColorimetric", "Perceptual", "Saturation"]);
const maxDepth = 4;

export function checkSpace(colours: Colours, value: PdfValue | undefined, depth = 0): void {
  const { file, report } = colours;
  const [kind, base] = listOf(file, value);
  const space = textOf(kind);
  if (space === "DeviceGray" || space === "DeviceRGB" || space === "DeviceCMYK") checkDevice(colours, space);
  else if (space === "ICCBased") {
    if (profileSpace(file, streamOf(file, base), inputClasses) === null) report("6.2.4.2-1", malformedProfile);
  } else if ((space === "Indexed" || space === "Pattern") && depth < maxDepth) {
    if (base !== undefined) checkSpace(colours, base, depth + 1);
  } else if (space === "Separation" || space === "DeviceN") {
    report("6.2.4.4-1", `The colour space ${space} is not supported.`);
    const alternate = listOf(file, value)[2];
    if (alternate !== undefined && depth < maxDepth) checkSpace(colours, alternate, depth + 1);
  } else if (!/^(Cal(Gray|RGB)|Lab)$/.test(space)) report("6.1.1-1", `The colour space ${space} is not supported.`);
}

const devices = { DeviceGray: ["6.2.4.3-4", ""], DeviceRGB: ["6.2.4.3-2", "RGB "], DeviceCMYK: ["6.2.4.3-3", "CMYK"] };

/** Colours of a device have a meaning only by the output intent, or by a space that stands for theirs. */
export function checkDevice({ report, output, spaces }: Colours, space: keyof typeof devices): void {
  const [clause = "", expected = ""] = devices[space];
  if ((output !== "" && (expected === "" || expected === output)) || spaces.has(`Default${space.slice(6)}`)) return;
  report(clause, space === "DeviceCMYK" ? cmykMessage : `A colour is in ${space.slice(6)} without a profile.`);
}

const cmykMessage = "A colour is in CMYK without a profile. Convert the image to RGB, or embed its profile.";
const malformedProfile = "The colour profile of an image is malformed, or of a kind that is not allowed.";

const outputClasses = new Set(["prtr", "mntr"]);
const inputClasses = new Set([...outputClasses, "scnr", "spac"]);
const components: Record<string, number> = { GRAY: 1, "RGB ": 3, "Lab ": 3, CMYK: 4 };

/** Reads the header of an ICC profile, and returns its colour space. Returns null if the profile is not allowed. */
function profileSpace(file: FinishedPdf, stream: Stream | null, classes: ReadonlySet<string>): string | null {
  const bytes = stream && decoded(file, stream);
  const header = Buffer.from(bytes?.subarray(0, 128) ?? []).toString("latin1");
  const space = header.slice(16, 20);
  const isValid =
    header.length === 128 &&
    header.charCodeAt(8) < 5 &&
    classes.has(header.slice(12, 16)) &&
    components[space] === stream?.dictionary.get("N") &&
    header.slice(36, 40) === "acsp";
  return isValid ? space : null;
}

/** Returns the colour space of the output intent for PDF/A; an empty string if there is none. */
export function outputSpace(file: FinishedPdf, intents: PdfValue | undefined, report: Report): string {
  let output = "";
  const profiles = new Set<number | undefined>();
  for (const intent of listOf(file, intents).map((value) => dictionaryAt(file, value))) {
    const profile = streamOf(file, intent.get("DestOutputProfile"));
    if (profile) profiles.add(profile.number);
    const space = profile && profileSpace(file, profile, outputClasses);
    if (space === null || space === "Lab ") report("6.2.3-1", "The profile of an output intent is not allowed.");
    else if (textOf(intent.get("S")) === "GTS_PDFA1") output = space;
  }
  if (profiles.size > 1) report("6.2.3-2", "The output intents have different profiles.");
  return output;
}

export function checkImage(colours: Colours, { dictionary }: Stream, isSoftMask = false): void {
  const { file, report } = colours;
  const isMask = file.resolve(dictionary.get("ImageMask")) === true;
  if (dictionary.has("Alternates")) report("6.2.8-1", "An image has alternates.");
  if (dictionary.has("OPI")) report("6.2.8-2", "An image refers to a different file.");
  if (file.resolve(dictionary.get("Interpolate")) === true) report("6.2.8-3", "An image is interpolated.");
  const bits = file.resolve(dictionary.get("BitsPerComponent"));
  const allowed = isMask ? [null, 1] : [null, 1, 2, 4, 8, 16];
  if (!allowed.some((value) => value === bits)) report("6.2.8-4", `An image has ${String(bits)} bits for each colour.`);
  if (dictionary.has("ColorSpace") && !isSoftMask) checkSpace(colours, dictionary.get("ColorSpace"));
  checkIntent(dictionary.get("Intent"), report);
  const [mask, softMask] = [streamOf(file, dictionary.get("Mask")), streamOf(file, dictionary.get("SMask"))];
  if (mask) checkImage(colours, mask);
  if (!softMask) return;
  checkImage(colours, softMask, true);
  checkBlending(colours);
}

export function checkIntent(value: PdfValue | undefined, report: Report): void {
  if (value !== undefined && !intents.has(textOf(value))) report("6.2.6-1", "A rendering intent is not allowed.");
}

/** Returns the form of the soft mask, or null if the state has none. */
export function checkGraphicsState(colours: Colours, state: PdfDictionary): PdfValue {
  const { file, report } = colours;
  if (state.has("TR")) report("6.2.5-1", "A graphics state has a transfer function.");
  if (state.has("TR2") && textOf(state.get("TR2")) !== "Default")
    report("6.2.5-2", "A graphics state has a transfer function.");
  if (state.has("HTP")) report("6.2.5-3", "A graphics state has the phase of a halftone.");
  if (state.has("HT")) report("6.1.1-1", "A graphics state has a halftone, which is not supported.");
  if (state.has("Font")) report("6.1.1-1", "A graphics state sets a font, which is not supported.");
  const modes = listOf(file, state.get("BM")).map(textOf);
  for (const mode of modes) if (!blendModes.has(mode)) report("6.2.10-1", `The blend mode ${mode} is not allowed.`);
  checkIntent(state.get("RI"), report);
  const mask = file.resolve(state.get("SMask"));
  const isOpaque = ["ca", "CA"].every((key) => !(Number(file.resolve(state.get(key) ?? 1)) < 1));
  if (isDictionary(mask) || !isOpaque || modes.some((mode) => !/^(Normal|Compatible)$/.test(mode)))
    checkBlending(colours);
  return isDictionary(mask) ? (mask.get("G") ?? null) : null;
}

/** Checks the colour space of a shading, or of the shading of a pattern. */
export function checkShading(colours: Colours, value: PdfValue | undefined): void {
  checkSpace(colours, dictionaryAt(colours.file, value).get("ColorSpace"));
}

export function checkBlending({ canBlend, report }: Colours): void {
  if (!canBlend) report("6.2.10-2", "Transparent objects are mixed in colours that the file does not define.");
}

/** `values` are the keys and values of an image that is part of the content. */
export function checkInlineImage(colours: Colours, values: readonly PdfValue[]): void {
  const { report } = colours;
  report("6.1.10-1", "An image is part of the content, which is not supported.");
  const entry = (short: string, long: string) =>
    values.find((_value, at) => at > 0 && [short, long].includes(textOf(values[at - 1])));
  const space = textOf(entry("CS", "ColorSpace"));
  const device = { G: "DeviceGray", RGB: "DeviceRGB", CMYK: "DeviceCMYK" }[space] ?? space;
  if (device.startsWith("Device")) checkSpace(colours, { type: "name", text: device });
  checkIntent(entry("Intent", "Intent"), report);
  if (entry("I", "Interpolate") === true) report("6.2.8-3", "An image is interpolated.");
}
