// The schemas of requests about documents.
import { z } from "zod";
import { sha256Hex } from "colophon-base/encoding";
import { maxUrlChars } from "colophon-base/public-url";
import { canonicalLocale, localeExpected, maxLocaleChars } from "colophon-liquid/locale";
import { documentFormats } from "colophon-page/document-format";
import { maxPagePx, minPagePx } from "colophon-page/page-geometry";
import { conformances, impossibleReason, maxConformances } from "colophon-pdf/conformance";
import { defaultImageQuality, imageQualityRange } from "colophon-render/image-limits";
import { pageLength } from "colophon-template-model/page-length";
import { accessKinds } from "colophon-template-model/template";
import { isDeeperThan, isPlainObject, maxDataDepth } from "colophon-template-model/template-data";
import { canonicalJson, keyedDigests } from "../../core/accounts/body-digest.ts";
import { requestedExpirySeconds } from "../../core/accounts/plans.ts";
import type { IdempotencyKey } from "../../core/accounts/quota.ts";
import { documentStatuses, type DocumentMetadata } from "../../core/documents/document.ts";
import { filenameProblem, maxFilenameChars } from "../../core/documents/filename.ts";
import { linkSeconds } from "../../core/documents/links.ts";
import {
  maxMetadataPairs,
  maxMetadataValueChars,
  metadataKey,
  metadataProblems,
} from "../../core/documents/metadata.ts";
import { validationError } from "../../core/errors.ts";
import type { HttpContext } from "../context.ts";
import { oneStart, pageQuery, timeText, wholeNumber } from "../validation.ts";
import { attachments, einvoice, invoiceNameIsFree } from "./attachment-requests.ts";
import { encryption } from "./encryption-request.ts";
import { conformanceHasPdf, oneOf, qualityHasFormat } from "./format-rules.ts";

const pagePixels = `a whole number of CSS pixels from ${minPagePx} to ${maxPagePx}`;
const widthError = `\`width\` must be ${pagePixels}.`;
const heightError = `\`height\` must be ${pagePixels}, or "auto".`;

/** Characters are counted as in JSON Schema, where an emoji is one character; zod's own limits count differently. */
const filename = z
  .string({ error: "`filename` must be a string." })
  .superRefine((name, { addIssue }) => {
    const message = filenameProblem(name);
    if (message) addIssue({ code: "custom", message });
  })
  .meta({ minLength: 1, maxLength: maxFilenameChars });

const metadata = metadataOf("`metadata` must be an object of strings.", maxMetadataPairs);

/** Each pair is examined separately for a page of a list, so a query may have fewer pairs than a document. */
const maxSearchedPairs = 4;
const metadataFilter = metadataOf("`metadata` must be given as `metadata[key]=value`.", maxSearchedPairs);

function metadataOf(error: string, maxPairs: number) {
  return z
    .custom<DocumentMetadata>(isPlainObject, { error })
    .superRefine((pairs, { addIssue }) => {
      for (const { path, message } of metadataProblems(pairs, maxPairs)) {
        addIssue({ code: "custom", path: path === "" ? [] : [path], message });
      }
    })
    .meta({
      type: "object",
      maxProperties: maxPairs,
      propertyNames: { type: "string", pattern: metadataKey.source },
      additionalProperties: { type: "string", maxLength: maxMetadataValueChars },
    });
}

/** Returns the schema of an optional duration. */
export function secondsIn(name: string, { min, max }: { min: number; max: number }) {
  return wholeNumber(`\`${name}\` must be a whole number of seconds from ${min} to ${max}.`, min, max).optional();
}

const versionError = "`templateVersion` must be a whole number, 1 or more.";
const { min: minQuality, max: maxQuality } = imageQualityRange;
const qualityError = `\`imageQuality\` must be a whole number from ${minQuality} to ${maxQuality}.`;
const scaleError = "`deviceScaleFactor` must be 1, 2 or 3.";
const localeError = `\`locale\` must be ${localeExpected}.`;
const isLocale = (tag: string) => canonicalLocale(tag) !== null;

const conformanceError = '`conformance` must be an array, such as ["pdf/a-2a", "pdf/ua-1"] or, for no standard, [].';

export const createBody = z
  .strictObject(
    {
      templateId: z
        .string({ error: "`templateId` (string) is required: the id of a template, or the name of its folder." })
        .meta({ description: "The id of a template of the account, or the name of its folder." }),
      data: z
        .custom<Record<string, unknown>>(isPlainObject, { error: "`data` (object) is required." })
        .refine((data) => !isDeeperThan(data, maxDataDepth), {
          error: `\`data\` is nested more than ${maxDataDepth} levels deep.`,
        })
        .meta({
          description: `The values of the template's fields, at most ${maxDataDepth} levels deep. Keys that are not fields are ignored, with a warning.`,
          type: "object",
          additionalProperties: true,
        }),
      templateVersion: z
        .int({ error: versionError })
        .min(1, { error: versionError })
        .optional()
        .meta({ description: "The version of the template to render. The default is the newest one." }),
      format: z
        .enum(documentFormats, { error: oneOf("format", documentFormats) })
        .default("pdf")
        .meta({
          description:
            'The format of the file. The default is "pdf". A PNG, JPEG or WebP is one image with the pages of all page files stacked vertically.',
        }),
      deviceScaleFactor: wholeNumber(scaleError, 1, 3).default(2).meta({
        description:
          "PNG, JPEG and WebP: the device pixels for each CSS pixel. PDF: how sharp embedded images are; an image keeps at most the page width in pixels, multiplied by this number. The default is 2.",
      }),
      imageQuality: wholeNumber(qualityError, minQuality, maxQuality)
        .optional()
        .meta({
          description: `How much detail a JPEG or WebP keeps; a higher quality makes a larger file. The default is ${defaultImageQuality}. A WebP of quality 100 is lossless. With the formats "pdf" (the default) and "png", the request is refused (400).`,
        }),
      width: pageLength(widthError)
        .optional()
        .meta({ description: "The width of a page in CSS pixels. The default is the width in the template." }),
      height: z
        .union([pageLength(heightError), z.literal("auto")], { error: heightError })
        .optional()
        .meta({
          description:
            'The height of a page in CSS pixels, or "auto": each page file of the template becomes one page as high as its content. The default is the height in the template.',
        }),
      locale: z.string({ error: localeError }).refine(isLocale, { error: localeError }).optional().meta({
        description:
          "The language of the document's messages, numbers, dates and file metadata, as a BCP 47 tag such as `de` or `en-GB`. If the template has messages, it must be one of the template's `locales` or a variant of one. The default is the `locale` of the template.",
        maxLength: maxLocaleChars,
      }),
      webhookUrl: z.string({ error: "`webhookUrl` (string) must be an absolute https URL." }).optional().meta({
        description: "A public https URL on port 443 that is notified when the render has ended.",
        format: "uri",
        maxLength: maxUrlChars,
      }),
      conformance: z
        .array(z.enum(conformances), { error: conformanceError })
        .superRefine((names, { addIssue }) => {
          const reason = impossibleReason(names);
          if (reason) addIssue(`\`conformance\` ${reason}.`);
        })
        .max(maxConformances)
        .optional()
        .meta({
          description:
            "The standards that the PDF must conform to: at most one level of PDF/A, and PDF/UA-1. A document that cannot conform fails (422), and `details` says why. The default is the `conformance` of the template; an empty array asks for no standard.",
        }),
      filename: filename.optional().meta({
        description:
          "The name of the file in `GET /documents/{id}/download`. The extension of the format is added if it is missing. A file that is saved from `pdfUrl` is named as in that URL.",
      }),
      metadata: metadata.optional().meta({
        description:
          "Your own key-value pairs, for example an order number. They are returned with the document and in its webhook event. Lists can be filtered by them.",
      }),
      expiresIn: secondsIn("expiresIn", requestedExpirySeconds).meta({
        description:
          "The number of seconds after which the document and its file are removed. They are removed earlier if the account's retention ends first.",
      }),
      access: z
        .enum(accessKinds, { error: oneOf("access", accessKinds) })
        .optional()
        .meta({
          description:
            'Who can read the file. Anyone who knows the URL of a "public" file can read it. The URLs of a "private" file are links, which end. The default is that of the template, or else of the account, and may not be public if they do not allow that.',
        }),
      linkExpiresIn: secondsIn("linkExpiresIn", linkSeconds).meta({
        description: `The number of seconds for which a link to the file is valid. The default is ${linkSeconds.default}. Each record has a new link.`,
      }),
      encryption: encryption.optional().meta({
        description:
          "The passwords of a PDF, and what they permit. By default, everybody can open it. With other formats, the request is refused (400).",
      }),
      attachments,
      einvoice,
    },
    { error: (issue) => (issue.code === "invalid_type" ? "The body must be a JSON object." : undefined) },
  )
  .refine(...qualityHasFormat)
  .refine(...conformanceHasPdf)
  .refine(...invoiceNameIsFree);

const describedTime = (name: string, description: string) =>
  timeText(name)
    .optional()
    .meta({
      description: `${description} A date means midnight (UTC) at its start.`,
      anyOf: [
        { type: "string", format: "date" },
        { type: "string", format: "date-time" },
      ],
    });

export const documentsQuery = z
  .strictObject({
    ...pageQuery,
    status: z
      .enum(documentStatuses, { error: oneOf("status", documentStatuses) })
      .optional()
      .meta({ description: "Only documents with this status." }),
    format: z
      .enum(documentFormats, { error: oneOf("format", documentFormats) })
      .optional()
      .meta({ description: "Only documents in this format." }),
    templateId: z
      .string()
      .optional()
      .meta({ description: "Only documents of this template: its id, or the name of its folder." }),
    batchId: z
      .guid({ error: "`batchId` must be the id of a batch." })
      .toLowerCase()
      .optional()
      .meta({ description: "Only documents of this batch." }),
    createdAfter: describedTime("createdAfter", "Only documents that were created at this time or later."),
    createdBefore: describedTime("createdBefore", "Only documents that were created before this time."),
    metadata: metadataFilter.optional().meta({
      description: "Only documents whose `metadata` have these values under these keys, as in `metadata[order]=1017`.",
    }),
  })
  .refine(...oneStart)
  .refine(({ createdAfter = -Infinity, createdBefore = Infinity }) => createdAfter <= createdBefore, {
    path: ["createdAfter"],
    error: "`createdAfter` must not be later than `createdBefore`.",
  });

/**
 * Returns the `Idempotency-Key` header with a digest of the body, or null if there is no such header. The digest
 * ignores white space, the order of object keys, and digits beyond double precision.
 */
export async function idempotencyOf(context: HttpContext, body: unknown): Promise<IdempotencyKey | null> {
  const key = idempotencyKeyOf(context);
  if (key === null) return null;
  return { key, ...keyedDigests(context.var.services.encryptionKeys(), await sha256Hex(canonicalJson(body))) };
}

/** Returns the `Idempotency-Key` header, or null if there is none. Throws VALIDATION_ERROR. */
export function idempotencyKeyOf(context: HttpContext): string | null {
  const key = context.req.header("Idempotency-Key");
  if (key === undefined) return null;
  if (!/^[!-~]{1,255}$/.test(key)) {
    throw validationError([
      { path: "Idempotency-Key", message: "`Idempotency-Key` must be 1 to 255 visible ASCII characters." },
    ]);
  }
  return key;
}
