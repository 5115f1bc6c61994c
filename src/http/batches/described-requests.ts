// What the description of the API says about the properties of requests about batches.
import { describedSchema } from "../description/described-schema.ts";
import { describedCreateBody } from "../documents/described-requests.ts";
import { describedPageQuery } from "../queries/described-page-query.ts";
import { batchBody, batchesQuery, batchItem } from "./batch-requests.ts";

const { properties } = describedCreateBody;
const ofCreate = (name: keyof typeof properties) => properties[name] ?? { description: "" };

export const describedBatchBody = describedSchema(batchBody, {
  templateId: ofCreate("templateId"),
  templateVersion: ofCreate("templateVersion"),
  format: ofCreate("format"),
  deviceScaleFactor: ofCreate("deviceScaleFactor"),
  imageQuality: ofCreate("imageQuality"),
  width: ofCreate("width"),
  height: ofCreate("height"),
  locale: ofCreate("locale"),
  expiresIn: ofCreate("expiresIn"),
  webhookUrl: {
    ...ofCreate("webhookUrl"),
    description: "A public https URL on port 443 that is notified once, when the batch has ended.",
  },
  output: {
    description:
      'What is made of the items beside their documents: with "merged", the completed PDFs in their order become one file with a bookmark for each, or several files of up to 2,000 pages and 100 MB. The default is ["documents"], which makes nothing else.',
  },
  items: { description: "The items.", type: "array", items: { $ref: "#/components/schemas/BatchItem" } },
});

export const describedBatchItem = describedSchema(batchItem, {
  customId: {
    description: "A name of your own, which the results repeat. It must be unique in the batch.",
  },
  data: ofCreate("data"),
  filename: ofCreate("filename"),
  metadata: ofCreate("metadata"),
});

export const describedBatchesQuery = describedSchema(batchesQuery, describedPageQuery);
