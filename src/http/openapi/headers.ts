// The headers of requests, responses and webhooks, as the description of the API has them.

const optional = (description: string) => ({ required: false, description, schema: { type: "string" } });
const required = (description: string, pattern: string) => ({
  required: true,
  description,
  schema: { type: "string", pattern },
});

/** OpenAPI parameters without their names and locations. */
export const requestHeaders = {
  "Idempotency-Key": {
    required: false,
    // There is no example, because the reference page would send it with every request, and a second request with it would be
    // refused.
    description:
      "Makes retries safe: 1 to 255 visible ASCII characters. After a request has created a document, a request with the same key and the same JSON value returns that document for 24 hours, and does not count; a different body is refused. Failed requests are not remembered, so their keys can be used again, even with a different body. Use a different key for each document, such as `order-1017-invoice-pdf`.",
    schema: { type: "string", pattern: "^[!-~]{1,255}$" },
  },
  Prefer: optional(
    "With `respond-async`, the response (202) is sent before the document is rendered. Read the document, or give a `webhookUrl`, to learn the outcome. If no browser is available, the render is retried for up to an hour.",
  ),
  Range: optional(
    "The part of the file to send, for example `bytes=0-99`. Other units and several ranges are ignored.",
  ),
  "If-Range": optional("Send the part only if the file still has this `ETag`, and the whole file otherwise."),
  "If-Match": optional("Send the file only if its `ETag` is one of these."),
  "If-None-Match": optional("Send the content only if its `ETag` is none of these."),
  "X-Object-Metadata": optional("For a file, the value of this header in its download."),
  "webhook-id": required(
    "The id of the event, which is the same for every attempt. Use it to recognise repeats.",
    "^evt_[0-9a-f]{32}$",
  ),
  "webhook-timestamp": required("The time of the attempt in seconds since the epoch.", "^\\d+$"),
  "webhook-signature": required(
    "`v1,` and an HMAC-SHA256 of the id, the timestamp and the body in base64, as Standard Webhooks 1.0 specifies. For a day after the secret is rotated, there are two signatures, separated by a space.",
    "^v1,\\S+( v1,\\S+)*$",
  ),
} as const;

export type RequestHeader = keyof typeof requestHeaders;

const text = (description: string, example: string) => ({ description, schema: { type: "string" }, example });
const constant = (description: string, value: string) => ({ description, schema: { type: "string", const: value } });
const wholeNumber = (description: string, minimum: number) => ({ description, schema: { type: "integer", minimum } });

/** OpenAPI header objects. */
export const responseHeaders = {
  "X-Request-Id": {
    description: "The id of the request. Quote it when you report a problem.",
    schema: { type: "string", format: "uuid" },
  },
  Link: text(
    "The next page and, with `offset`, the previous page, if they exist (RFC 8288).",
    '<https://api.example.com/api/v1/documents?limit=20&offset=20>; rel="next"',
  ),
  Location: { description: "The URL of the document or batch.", schema: { type: "string", format: "uri" } },
  "X-Document-Id": { description: "The id of the document.", schema: { type: "string", format: "uuid" } },
  "Idempotent-Replayed": constant(
    "Present if the request repeats an earlier one with the same `Idempotency-Key`. The response contains the first request's document, and the repeat does not count.",
    "true",
  ),
  "Preference-Applied": constant("The render begins after the response.", "respond-async"),
  "RateLimit-Policy": text(
    "The monthly allowance: `q` is the number of renders, `w` the length of the month in seconds. Absent for a repeat.",
    '"monthly";q=500;w=2592000',
  ),
  RateLimit: text(
    "The remaining monthly allowance: `r` is the number of renders, `t` the seconds until the next month. Absent for a repeat.",
    '"monthly";r=499;t=734386',
  ),
  "Server-Timing": text(
    "The duration of each stage in milliseconds, for a create that reached the check of the monthly allowance. Stages may be added or renamed at any time.",
    "template;dur=4, reserve;dur=9, browser;dur=61, total;dur=98",
  ),
  "Retry-After": wholeNumber("The number of seconds after which to send the request again.", 1),
  "X-Object-Metadata": text("The metadata of the object.", "%7B%22customMetadata%22%3A%7B%7D%7D"),
  "WWW-Authenticate": constant("The authentication scheme.", "Bearer"),
  "Accept-Encoding": constant(
    "Present if the body was compressed, because only uncompressed bodies are accepted.",
    "identity",
  ),
  ETag: {
    description: "The version of the content. Send it as `If-None-Match` to get the content only if it has changed.",
    schema: { type: "string", pattern: '^"[0-9a-f]{64}"$' },
  },
  "Cache-Control": { description: "How long the response may be cached.", schema: { type: "string" } },
  "Accept-Ranges": constant("Parts of the file can be requested with `Range`.", "bytes"),
  "Content-Length": wholeNumber("The number of bytes in the response.", 0),
  "Content-Range": text(
    "The range of the file that was sent, or the size of the file after status 416.",
    "bytes 0-99/49297",
  ),
  "Content-Disposition": text(
    "Tells browsers to save the file, and under which name.",
    'attachment; filename="document-9c009b16-54fb-4998-b6b1-dcbe21f51998.pdf"',
  ),
  "Content-Security-Policy": constant(
    "Prevents browsers from running scripts in the file.",
    "sandbox; default-src 'none'",
  ),
  "X-Content-Type-Options": constant("Prevents browsers from guessing a different type.", "nosniff"),
};

export type ResponseHeader = keyof typeof responseHeaders;
