// What the description of the API says about the properties of requests about documents.
import { defaultImageQuality } from "colophon-render/image-quality";
import { maxUrlChars } from "colophon-base/public-url";
import { maxDataDepth } from "colophon-template-model/template-data";
import { describedSchema } from "../description/described-schema.ts";
import { describedPageQuery } from "../queries/described-page-query.ts";
import { createBody, listQuery } from "./document-requests.ts";

export const describedCreateBody = describedSchema(createBody, {
  templateId: { description: "The id of a template of the account, or the name of its folder." },
  templateVersion: { description: "The version of the template to render. The default is the newest one." },
  data: {
    description: `The values of the template's fields, at most ${maxDataDepth} levels deep. Keys that are not fields are ignored, with a warning.`,
    type: "object",
    additionalProperties: true,
  },
  format: {
    description:
      'The format of the file. The default is "pdf". A PNG, JPEG or WebP is one image with the pages of all page files below each other.',
  },
  deviceScaleFactor: {
    description:
      "PNG, JPEG and WebP: the device pixels for each CSS pixel. PDF: how sharp embedded images are; an image keeps at most the page width in pixels, multiplied by this number. The default is 2.",
  },
  imageQuality: {
    description: `How much of the detail a JPEG or WebP keeps; a higher quality makes a larger file. The default is ${defaultImageQuality}. A WebP of quality 100 loses nothing. With the formats "pdf", which is the default, and "png", the request is refused (400).`,
  },
  width: { description: "The width of a page in CSS pixels. The default is that of the template." },
  height: {
    description:
      'The height of a page in CSS pixels, or "auto": each page file of the template becomes one page that is as high as its content. The default is that of the template.',
  },
  locale: {
    description:
      "The language of the document, as a BCP 47 tag such as `de` or `en-GB`: of its messages, of numbers and dates, and of the file. If the template has messages, it must be one of the template's `locales` or a variant of one. The default is the `locale` of the template.",
  },
  webhookUrl: {
    description: "A public https URL on port 443 that is notified when the render has ended.",
    format: "uri",
    maxLength: maxUrlChars,
  },
  filename: {
    description:
      "The name of the file in `GET /documents/{id}/download`. The extension of the format is added if it is missing. A file that is saved from `pdfUrl` has the name in that URL.",
  },
  metadata: {
    description:
      "Texts of your own, for example the number of an order. They are returned with the document and in its webhook event. Lists can be filtered by them.",
  },
  expiresIn: {
    description:
      "After how many seconds the document and its file are removed. They are removed earlier if the account's retention ends before.",
  },
});

const time = (description: string) => ({
  description: `${description} A date stands for its first moment in UTC.`,
  anyOf: [
    { type: "string", format: "date" },
    { type: "string", format: "date-time" },
  ],
});

export const describedListQuery = describedSchema(listQuery, {
  ...describedPageQuery,
  status: { description: "Only documents with this status." },
  format: { description: "Only documents in this format." },
  templateId: { description: "Only documents of this template: its id, or the name of its folder." },
  batchId: { description: "Only documents of this batch." },
  createdAfter: time("Only documents that were created at this time or later."),
  createdBefore: time("Only documents that were created before this time."),
  metadata: {
    description: "Only documents whose `metadata` have these values under these keys, as in `metadata[order]=1017`.",
  },
});
