// The general part of the description of the API.
import type { Tag } from "../operation.ts";

export const information = {
  title: "Colophon",
  version: "1",
  summary: "Renders documents as PDF, PNG, JPEG and WebP from templates and data.",
  description: [
    "A template is stored in your account. You send data, and the service renders a document.",
    "To create your first document, you need an API key from the operator, which you send as `Authorization: Bearer <key>`, and the id of a template. `GET /templates` lists the templates, and `GET /templates/{id}` returns one with its `sampleData`. Send the id as `templateId` and the sample as `data` to `POST /documents`, and open the `pdfUrl` in the response.",
    "Every response with JSON has the same envelope: `success`, `data` or `error`, and `meta`. `X-Request-Id` identifies the request.",
    "Ids are UUIDs in lower case; upper case is also accepted. An id that is not a UUID is treated as unknown.",
    "HEAD works wherever GET does. Other methods give 405 `METHOD_NOT_ALLOWED` with `Allow`, and unknown paths give 404 `NOT_FOUND`.",
    "Within version 1, the API only grows: new optional request properties, new response properties, and new codes for new situations. Ignore properties and codes that you do not know.",
  ].join("\n\n"),
  contact: { name: "The operator of this service" },
  license: { name: "MIT", identifier: "MIT" },
};

export const managementInformation = {
  ...information,
  title: "Colophon: management",
  summary: "Manages an account's templates, keys and webhooks and, for the operator, accounts and plans.",
  description: [
    "Accounts manage their templates, keys and webhooks with their own keys. A key has scopes, and each operation names the scope that it needs.",
    "Below `/admin/accounts/{account}`, the operator can call the same operations, and the operations that read documents, for any account. The account whose id ends with `-test` contains the documents of an account's test keys.",
    "The envelope, errors and lists are the same as in the API for documents.",
  ].join("\n\n"),
};

const tagDescriptions: Record<Tag, string> = {
  Documents: "Create, list, read, download and delete documents.",
  Batches: "Create thousands of documents with one request, and read their results.",
  Templates: "List and read the templates of the account. The operator of the service changes them.",
  Account: "The monthly allowance.",
  Keys: "Create, list and revoke keys.",
  Operator: "Operations that only the operator may call.",
  Webhooks: "The requests that the service sends to the `webhookUrl` of a create.",
};

export const tags = Object.entries(tagDescriptions).map(([name, description]) => ({ name: name as Tag, description }));
