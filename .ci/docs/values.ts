// The documents' statements about limits, deadlines and names, with the values from the code. `check-docs.ts` compares them with the
// documents.
import { readFileSync } from "node:fs";
import { maxUrlChars } from "colophon-base/public-url";
import { maxAutoHeightPx, maxPages, maxPagePx, minPagePx } from "colophon-page/page-geometry";
import { maxPasswordBytes } from "colophon-pdf/prepare-password";
import { readConfig } from "../../src/cli/local/wrangler-config.ts";
import { maxRetentionDays, requestedExpirySeconds } from "../../src/core/accounts/plans.ts";
import { scopes } from "../../src/core/accounts/scopes.ts";
import { downloadRetentionMs, maxDownloads } from "../../src/core/documents/document.ts";
import { maxFilenameChars } from "../../src/core/documents/filename.ts";
import { linkSeconds } from "../../src/core/documents/links.ts";
import { maxMetadataPairs, maxMetadataValueChars } from "../../src/core/documents/metadata.ts";
import { errorCodes } from "../../src/core/errors.ts";
import { maxWaitMs } from "../../src/core/rendering/wait-limit.ts";
import { attemptDelaysMs } from "../../src/core/webhooks/delivery.ts";
import { retentionMs } from "../../src/objects/accounts/quota-storage.ts";
import { uploadMs } from "../../src/operations/manage/upload-memory.ts";
import { variableDefaults as defaults } from "../../src/settings.ts";

/** A sentence of a document. `values` are the numbers between its parts. */
export type Sentence = { parts: readonly string[]; values: (number | string)[] };

function says(parts: TemplateStringsArray, ...values: (number | string)[]): Sentence {
  return { parts, values };
}

/** Returns the number in a constant or a property, which may be private to its file. The number may be a product. */
function valueIn(file: string, name: string): number {
  return numberIn(file, new RegExp(`\\b${name}(?:: \\w+)? ?[=:] ([\\d_.]+(?: \\* [\\d_.]+)*)[;,) ]`));
}

function numberIn(file: string, pattern: RegExp): number {
  const found = pattern.exec(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"));
  if (!found?.[1]) throw new Error(`${file} has no match for ${String(pattern)}; correct .ci/docs/values.ts`);
  return found[1].split(" * ").reduce((product, factor) => product * Number(factor.replaceAll("_", "")), 1);
}

function duration(ms: number): string {
  if (ms < 60_000) return `${ms / 1000} s`;
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
}

const requests = "src/http/documents/document-requests.ts";
const batch = "src/objects/batches/merge-files.ts";
const images = "packages/render/src/document/inline-images.ts";
const outbound = "src/cli/local/guarded-fetch.ts";
const guard = "packages/images/src/image-guard.ts";
const imageSize = "packages/render/src/image-limits.ts";
const folder = "packages/template-model/src/folder/template-files.ts";
const listQuery = /"`limit` must be[^"]*", 1, (\d+)\)/;

const budget = defaults.RENDER_BUDGET_MS;
const lease = defaults.LEASE_SECONDS;
const mebibyte = 1024 * 1024;
const bodyMiB = valueIn("src/http/json-body.ts", "bytes") / mebibyte;
const laterMB = valueIn("src/http/json-body.ts", "maxLaterBytes") / 1e6;
const ndjsonMB = valueIn("src/http/batches/batch-body.ts", "maxNdjsonBytes") / 1e6;
const folderMB = valueIn(folder, "maxFolderBytes") / 1e6;
const zipMB =
  folderMB + numberIn("packages/template-model/src/folder/template-zip.ts", /maxFolderBytes \+ ([\d_]+)/) / 1e6;
const fileMB = valueIn("packages/render/src/file-metadata.ts", "maxFileBytes") / 1e6;
const imageMB = valueIn("packages/render/src/document/image-source.ts", "maxImageBytes") / 1e6;
const removal = "src/operations/maintenance/remove-expired.ts";
const deadDays = numberIn(removal, /deadRetentionMs = (\d+) \* dayMs/);
const webhookSeconds = defaults.WEBHOOK_TIMEOUT_MS / 1000;
const side = (format: string) => numberIn(imageSize, new RegExp(`${format}: .*maxSidePx: ([\\d_]+)`));
const megapixels = (format: string) => numberIn(imageSize, new RegExp(`${format}: .*maxAreaPx: ([\\d_]+)`)) / 1e6;
const limitsOf = Object.fromEntries(readConfig().ratelimits.map(({ name, simple }) => [name, simple]));
const [failures, calls] = ["FAILED_AUTHENTICATION_LIMIT", "REQUEST_LIMIT"].map(
  (name) => limitsOf[name] ?? { limit: 0, period: 1 },
);
const plans = "migrations/directory/0000_tables.sql";
const monthly = (plan: string) => numberIn(plans, new RegExp(`'${plan}', ([\\d]+)`));

/** The sentences of each document. */
export const sentences: Record<string, Sentence[]> = {
  "docs/limits.md": [
    says`| Free | ${monthly("free")} | ${defaults.RENDERS_IN_FLIGHT_FREE} |`,
    says`| Starter | ${monthly("starter")} | ${defaults.RENDERS_IN_FLIGHT_STARTER} |`,
    says`| Pro | ${monthly("pro")} | ${defaults.RENDERS_IN_FLIGHT_PRO} |`,
    says`| Enterprise | ${monthly("enterprise")} | ${defaults.RENDERS_IN_FLIGHT_ENTERPRISE} |`,
    says`Beyond the renders of the month: 429 `,
    says`a create waits up to ${maxWaitMs(budget) / 1000} s until one of them ends, and then gets 503`,
    says`| body | ${bodyMiB} MiB, or ${laterMB} MB with \`Prefer: respond-async\`; of a batch, see [below](#batches) | 413 |`,
    says`| time for a body to arrive, except for NDJSON, templates and the objects of an import | ${valueIn("src/http/json-body.ts", "bodyMs") / 1000} s | 400 |`,
    says`| keys in a body that are numbers of six or more digits | ${numberIn("src/core/strict-json.ts", /maxNumericKeys = ([\d_]+)/)} | 400 |`,
    says`| nesting of \`data\` | ${valueIn("packages/template-model/src/template-data.ts", "maxDataDepth")} levels | 400 |`,
    says`| \`width\`, \`height\` | ${minPagePx} to ${maxPagePx} CSS pixels | 400 |`,
    says`| \`deviceScaleFactor\` | 1, 2 or 3 | 400 |`,
    says`| \`imageQuality\` | ${valueIn("packages/render/src/image-limits.ts", "min")} to ${valueIn("packages/render/src/image-limits.ts", "max")}, only for JPEG and WebP | 400 |`,
    says`| \`locale\` | ${valueIn("packages/liquid/src/locale/locale-tag.ts", "maxLocaleChars")} characters; a language of the template if it has messages, otherwise any ([languages](template-reference.md#languages)) | 400 |`,
    says`| \`filename\` | 1 to ${maxFilenameChars} characters that are safe in file names on every system ([file names](api.md#file-names)) | 400 |`,
    says`| \`metadata\` | ${maxMetadataPairs} pairs; keys of 1 to ${numberIn("src/core/documents/metadata.ts", /\{1,(\d+)\}/)} letters, digits and \`_ . -\`; values of at most ${maxMetadataValueChars} characters without control characters | 400 |`,
    says`| \`expiresIn\` | ${requestedExpirySeconds.min} to ${requestedExpirySeconds.max} seconds (ten years), and at most the retention of the account | 400 |`,
    says`| \`linkExpiresIn\`, and \`expiresIn\` of a [link](private-files.md#links) | ${linkSeconds.min} to ${linkSeconds.max} seconds (a week) | 400 |`,
    says`| \`encryption.userPassword\`, \`encryption.ownerPassword\` | ${maxPasswordBytes} bytes in UTF-8 after SASLprep, ${2 * maxPasswordBytes} characters before it ([passwords](api.md#passwords)) | 400 |`,
    says`| \`attachments\` | ${valueIn("src/http/documents/attachment-requests.ts", "maxAttachments")} files, within the size of the body ([sizes](attachments.md#attachments)) | 400 |`,
    says`| \`einvoice.xml\` | ${valueIn("src/http/documents/attachment-requests.ts", "maxXmlChars")} characters ([electronic invoices](attachments.md#electronic-invoices)) | 400 |`,
    says`| \`webhookUrl\` | ${maxUrlChars} characters, \`https\`, a public host ([allowed URLs](webhooks.md#allowed-urls)) | 400 |`,
    says`| \`Idempotency-Key\` | 1 to ${numberIn(requests, /\[!-~\]\{1,(\d+)\}/)} visible ASCII characters, kept for ${retentionMs / 3_600_000} hours | 400 |`,
    says`| [records of downloads](accounts.md#settings) | ${maxDownloads} of each document, for ${downloadRetentionMs / 86_400_000} days | the oldest are removed |`,
    says`| \`limit\` of a list | 1 to ${numberIn("src/http/validation.ts", listQuery)}, default ${numberIn("src/http/validation.ts", /limit: [^,]*?, \d+, \d+\)\s*\.default\((\d+)\)/)} | 400 |`,
    says`| \`metadata[key]\` in the query of a list | ${valueIn(requests, "maxSearchedPairs")} pairs | 400 |`,
    says`or \`metadata\` | ${valueIn("src/platform/documents/document-lists.ts", "searchedPerPage")} | the page may be short`,
    says`counted among ${valueIn("src/platform/documents/document-lists.ts", "maxCounted")} documents`,
    says`| a template as a zip | ${folderMB} MB unpacked, ${zipMB} MB packed; those over 1 MiB are read one at a time, of all accounts together: each has ${uploadMs / 1000} s to arrive, and waits at most ${valueIn("src/operations/manage/upload-memory.ts", "maxWaitMs") / 1000} s to be read | 400, 413, 503 |`,
    says`| ${valueIn("src/core/accounts/account.ts", "dailyRenders")} a UTC day | 429 |`,
    says`| requests of one account | about ${calls?.limit ?? 0} in ${calls?.period ?? 0} seconds | 429 |`,
    says`| requests with an invalid key | about ${failures?.limit ?? 0} in a minute from one client | 429 |`,
    says`| items in a batch | 1 to ${defaults.BATCH_ITEMS} | \`BATCH_ITEMS\` | 400 |`,
    says`| ${bodyMiB} MiB as JSON, or ${ndjsonMB} MB as NDJSON with \`Content-Length\`, which may take ${valueIn("src/http/long-requests.ts", "maxRequestMs") / 60_000} minutes to arrive | | 413 |`,
    says`| a line of NDJSON | ${laterMB} MB | | 400 |`,
    says`| \`customId\` | 1 to ${valueIn("src/http/batches/batch-requests.ts", "maxCustomIdChars")} characters, unique in the batch | | 400 |`,
    says`| batches of an account that have not ended | ${defaults.BATCHES_OPEN} | \`BATCHES_OPEN\` | 429 |`,
    says`that wait to be rendered | ${defaults.BATCH_ITEMS_WAITING} | \`BATCH_ITEMS_WAITING\` | 429 |`,
    says`| time until a batch has ended | ${valueIn("src/objects/batches/batch-ledger.ts", "maxBatchMs") / 3_600_000} hours |`,
    says`| time in which an asynchronous document finds a browser | ${valueIn("src/operations/batches/render-items.ts", "maxWaitMs") / 3_600_000} hour |`,
    says`of which an account uses one for every ${valueIn("src/platform/rendering/pool-choice.ts", "itemsPerPool")} items that wait | ${defaults.BATCH_POOLS}; none`,
    says`| a merged file | ${valueIn(batch, "maxPages")} pages, ${valueIn(batch, "maxBytes") / 1e6} MB |`,
    says`kept for ${defaults.BATCH_RETENTION_DAYS} days, and at most as long as its documents`,
    says`| markup after Liquid | ${valueIn("packages/liquid/src/meter.ts", "maxMarkupChars")} characters, inlined files not counted | 422 |`,
    says`| inlined images and fonts | ${valueIn("packages/template-model/src/document/inlined-files.ts", "maxInlinedBytes") / 1e6} MB in one document; the fonts of the service do not count | 422 |`,
    says`| images fetched by URL | ${valueIn(images, "maxImages")} in one document, ${imageMB} MB and ${valueIn(images, "imageTimeoutMs") / 1000} s each, decompressed and with redirects |`,
    says`| size of an image | ${valueIn(guard, "maxSidePx")} pixels a side, ${valueIn(guard, "maxImagePixels") / 1e6} megapixels; all images in \`data\` together ${valueIn("packages/template-model/src/document-images.ts", "maxDocumentPixels") / 1e6} megapixels |`,
    says`| PDF | ${maxPages} pages, ${fileMB} MB; a page with automatic height ${maxAutoHeightPx} CSS pixels | 422 |`,
    says`| PNG, JPEG | ${side("png")} device pixels a side, ${megapixels("png")} megapixels, ${fileMB} MB (24 MB for a JPEG of more than 13 megapixels) | 400 if the request alone exceeds it, otherwise 422 |`,
    says`| WebP | ${side("webp")} device pixels a side, ${megapixels("webp")} megapixels, ${fileMB} MB (24 MB for more than 8 megapixels at quality 100) | 400 if the request alone exceeds it, otherwise 422 |`,
    says`| ${valueIn("packages/page/src/cost/capture-cost.ts", "maxEffectMegapixels")} megapixels, as [counted](template-limits.md#limits) | 422 |`,
    says`| time | ${budget / 1000} s from request to response | 504 |`,
    says`uses one for every ${Math.ceil(0.75 * defaults.POOL_CONCURRENT_PAGES)} creates in progress | ${defaults.BROWSER_POOLS} | creates wait, and then get 503 |`,
    says`Every response arrives within ${(budget + 1000) / 1000} seconds, except responses to \`POST /batches\` and to changes through the management API.`,
  ],
  "docs/webhooks.md": [
    says`Any 2xx response within ${webhookSeconds} seconds is a success.`,
    says`respond with any 2xx status within ${webhookSeconds} seconds`,
    says`the delivery is tried again: after ${attemptDelaysMs.slice(1, -1).map(duration).join(", ")} and ${duration(attemptDelaysMs.at(-1) ?? 0)}, each up to ${valueIn("src/core/webhooks/delivery.ts", "maxJitter") * 100} % later.`,
    says`Delivered events are kept for ${defaults.DELIVERED_RETENTION_DAYS} days after their creation, and \`dead\` events for ${deadDays}`,
    says`URL of at most ${maxUrlChars} characters, on port 443`,
  ],
  "docs/errors.md": [
    says`the body is larger than ${bodyMiB} MiB, ${laterMB} MB with \`Prefer: respond-async\`, or ${ndjsonMB} MB if it is the NDJSON of a batch`,
    says`the render took longer than ${budget / 1000} seconds`,
  ],
  "docs/accounts.md": [says`at most ${zipMB} MB, and ${folderMB} MB unpacked`],
  "docs/self-hosting.md": [
    says`may take ${valueIn(outbound, "totalMs") / 1000} s and transfer ${valueIn(outbound, "maxBytes") / 1e6} MB`,
    says`# a batch has at most ${ndjsonMB} MB, a template ${zipMB} MB, a create ${laterMB} MB`,
    says`and never more than ${valueIn("src/cli/backup/state-backup.ts", "maxStoppedMs") / 1000} s`,
    says`does not respond to three probes, each of ${valueIn("src/cli/serve/supervise.ts", "timeoutMs") / 1000} s`,
    says`finishes requests in flight within ${valueIn("src/cli/serve.ts", "drainTimeoutMs") / 1000} s`,
  ],
  "docs/repair-and-retention.md": [
    says`With a retention of N days (1 to ${maxRetentionDays.toFixed(0)})`,
    says`in batches of ${valueIn(removal, "documentsPerBatch")}, until ${valueIn("src/operations/maintenance/run-maintenance.ts", "removalMs") / 1000} s have gone or ${valueIn(removal, "batchesPerRun")} batches are removed`,
    says`looks at webhook events in batches of ${valueIn(removal, "eventsPerBatch")}`,
    says`removes delivered events \`DELIVERED_RETENTION_DAYS\` (${defaults.DELIVERED_RETENTION_DAYS}) after their creation, and dead ones after ${deadDays} days`,
    says`two leases and a minute (${(2 * lease + 60) / 60} minutes)`,
    says`a lease and ten seconds later (${lease + 10} s)`,
    says`More than ${valueIn("src/operations/maintenance/repair-files.ts", "maxRepairs")} records of one of the last three kinds in a batch of ${valueIn("src/operations/maintenance/repair-files.ts", "filesPerBatch")} objects`,
    says`with \`Retry-After: ${valueIn("src/operations/documents/record-outcome.ts", "fullRetrySeconds")}\``,
    says`A batch is kept for \`BATCH_RETENTION_DAYS\` (${defaults.BATCH_RETENTION_DAYS})`,
  ],
  "docs/operations.md": [
    says`or the zone of a Worker that sends the requests | ${failures?.limit ?? 0} in ${failures?.period ?? 0} s | 429`,
    says`requests with a valid key, by account | ${calls?.limit ?? 0} in ${calls?.period ?? 0} s | 429`,
    says`does not respond within ${valueIn("src/platform/health.ts", "timeoutMs") / 1000} seconds, or ${valueIn("src/platform/health.ts", "browserTimeoutMs") / 1000} seconds for the browser`,
  ],
};

/** Documents in which every number must belong to a sentence. */
export const completeFiles = ["docs/limits.md"];

/** Names that a document lists. Group 1 of `pattern` finds them. */
export const lists: { file: string; what: string; pattern: RegExp; expected: string[] }[] = [
  {
    file: "wrangler.toml",
    what: "variables with their defaults",
    pattern: /^# ([A-Z_]+ = ".*")$/gm,
    expected: [
      ...Object.entries(defaults).map(([name, value]) => `${name} = "${value}"`),
      'BASE_URL = "https://pdf.example.com/api/v1"',
      'CDN_URL = "https://files.example.com"',
    ],
  },
  {
    file: "docs/limits.md",
    what: "variables",
    pattern: /`([A-Z]+_[A-Z_]+)` \|/g,
    expected: Object.keys(defaults).filter((name) => name.startsWith("BATCH")),
  },
  { file: "docs/accounts.md", what: "scopes", pattern: /^\| `([a-z:]+)` \|/gm, expected: [...scopes] },
  {
    file: "docs/errors.md",
    what: "error codes",
    pattern: /`([A-Z][A-Z_]+[A-Z])`/g,
    expected: errorCodes.filter((code) => !["INVALID_HEALTH_SECRET", "UNHEALTHY"].includes(code)),
  },
];
