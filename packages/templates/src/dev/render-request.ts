// Validates what the page asks to render. The template and its data are validated when it is rendered.
import { z } from "zod";
import { canonicalLocale, localeExpected } from "colophon-liquid/locale";
import { documentFormats } from "colophon-page/document-format";
import { maxPagePx, minPagePx } from "colophon-page/page-geometry";
import { pageLength } from "colophon-template-model/page-length";
import { isDeeperThan, isPlainObject, maxDataDepth } from "colophon-template-model/template-data";

const error = `\`width\` and \`height\` must be whole numbers of CSS pixels from ${minPagePx} to ${maxPagePx}.`;

/** What to render. Everything that is left out is that of the template, or of the request's default in the API. */
export type RenderRequest = z.output<typeof renderRequest>;

export const renderRequest = z.object({
  /** The file whose data is rendered, unless `data` is given. */
  sample: z.string(),
  data: z
    .custom<Record<string, unknown>>(isPlainObject, { error: "`data` must be an object." })
    .refine((data) => !isDeeperThan(data, maxDataDepth), `\`data\` is nested more than ${maxDataDepth} levels deep.`)
    .optional(),
  format: z.enum(documentFormats).default("pdf"),
  locale: z
    .string()
    .refine((tag) => canonicalLocale(tag) !== null, `\`locale\` must be ${localeExpected}.`)
    .optional(),
  /** In CSS pixels, as in the API. */
  width: pageLength(error).optional(),
  height: z.union([pageLength(error), z.literal("auto")], { error }).optional(),
});
