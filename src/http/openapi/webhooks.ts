// The webhooks of the API: the requests that the service sends to the `webhookUrl` of a create.
import type { EndedStatus } from "../../core/documents/document.ts";
import type { Tag } from "../operation.ts";
import { schemaRef } from "./components.ts";
import { examples } from "./examples.generated.ts";
import { requestHeaders, type RequestHeader } from "./headers.ts";

const headers: RequestHeader[] = ["webhook-id", "webhook-timestamp", "webhook-signature"];

export const webhooks = {
  documentCompleted: webhook("documentCompleted", "completed", "A document was completed"),
  documentFailed: webhook("documentFailed", "failed", "The render of a document failed"),
  batchCompleted: webhook("batchCompleted", "batchCompleted", "A batch has ended, whatever the outcome of its items"),
};

type WebhookExample = EndedStatus | "batchCompleted";

function webhook(operationId: string, example: WebhookExample, summary: string): object {
  return {
    post: {
      operationId,
      tags: ["Webhooks" satisfies Tag],
      summary,
      description:
        "Sent to the `webhookUrl` of the request, following Standard Webhooks 1.0. After any response other than 2xx or 410, or no response within 15 seconds, it is retried for up to three days. An event can arrive twice.",
      security: [],
      parameters: headers.map((name) => ({ name, in: "header", ...requestHeaders[name] })),
      requestBody: {
        required: true,
        content: { "application/json": { schema: eventSchema(example), example: examples.webhooks[example] } },
      },
      responses: {
        "2XX": { description: "The event was received." },
        "410": { description: "The receiver does not want the event; it is not sent again." },
        default: {
          description: "The event was not received and will be sent again. Redirects are not followed.",
        },
      },
    },
  };
}

function eventSchema(example: WebhookExample): object {
  const isBatch = example === "batchCompleted";
  return {
    type: "object",
    properties: {
      type: { type: "string", const: isBatch ? "batch.completed" : `document.${example}` },
      timestamp: { type: "string", format: "date-time", description: "When the event was created." },
      data: schemaRef(isBatch ? "Batch" : "Document"),
    },
    required: ["type", "timestamp", "data"],
  };
}
