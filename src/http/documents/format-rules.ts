// The rules between the format of a file and other properties of a request.
import { documentFormats, type DocumentFormat } from "colophon-page/document-format";
import { hasImageQuality } from "colophon-render/image-limits";

export const oneOf = (name: string, values: readonly string[]) => `\`${name}\` must be ${quotedList(values)}.`;
const quotedList = (values: readonly string[]) => {
  const quoted = values.map((value) => `"${value}"`);
  return `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
};

type ConformanceRule = [
  (input: { format: DocumentFormat; conformance?: unknown[] | undefined }) => boolean,
  { path: string[]; error: FormatError },
];
type FormatError = (issue: { input?: unknown }) => string;
const formatOf = (input: unknown) => `, but the format is "${(input as { format: DocumentFormat }).format}".`;

/** The arguments of `refine` for each schema with a format and a conformance. */
export const conformanceHasPdf: ConformanceRule = [
  ({ format, conformance = [] }) => format === "pdf" || conformance.length === 0,
  {
    path: ["conformance"],
    error: ({ input }) => `\`conformance\` is only allowed with the \`format\` "pdf"${formatOf(input)}`,
  },
];

type QualityRule = [
  (input: { format: DocumentFormat; imageQuality?: number | undefined }) => boolean,
  { path: string[]; error: FormatError },
];

/** The arguments of `refine` for each schema with a format and an image quality. */
export const qualityHasFormat: QualityRule = [
  ({ format, imageQuality }) => imageQuality === undefined || hasImageQuality(format),
  {
    path: ["imageQuality"],
    error: ({ input }) =>
      `\`imageQuality\` is only allowed with \`format\` ${quotedList(documentFormats.filter(hasImageQuality))}${formatOf(input)}`,
  },
];
