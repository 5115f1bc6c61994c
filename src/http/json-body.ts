// Reads the JSON body of a request. Refuses bodies whose content would be altered: bytes that are not UTF-8, repeated
// keys and numbers beyond double precision are errors. The order of the checks is size, type, JSON, shape.
import type { z } from "zod";
import { sentence } from "colophon-base/text";
import type { MemoryPermit } from "colophon-render/render-services";
import { maxDataDepth } from "colophon-template-model/template-data";
import { serviceUnavailable, validationError } from "../core/errors.ts";
import { parseStrictJson } from "../core/strict-json.ts";
import { yieldToOthers } from "../operations/yield-to-others.ts";
import type { Services } from "../ports/services.ts";
import type { HttpContext } from "./context.ts";
import { RequestError } from "./error-status.ts";
import { beforeLate, bodyError, readBody, type MaxBody } from "./read-body.ts";
import { validated } from "./validation.ts";

/** Shorter than the time limit of a response. */
const bodyMs = 20_000;
const maxBody: MaxBody = { bytes: 1024 * 1024, text: "1 MiB" };
const maxLaterBytes = 5_000_000;
/** The data of a document that is rendered after the response, as a body or as a line of NDJSON. */
export const maxLaterBody: MaxBody = { bytes: maxLaterBytes, text: "5 MB" };
/** Above this size, parsing the body and validating its content take more than a few milliseconds each. */
const largeBodyBytes = 64 * 1024;
/** `data` is one level below the body itself. */
const createDepth = maxDataDepth + 1;

type JsonBodyOptions = { maxDepth?: number; max?: MaxBody | undefined; isOptional?: boolean | undefined };

/**
 * Returns the validated value and the body as it was sent. Throws VALIDATION_ERROR with the status 413 or 415, or 400 if the
 * JSON or its shape is wrong.
 */
export async function readJsonBody<S extends z.ZodObject>(
  context: HttpContext,
  schema: S,
  { maxDepth = createDepth, max = maxBody, isOptional = false }: JsonBodyOptions = {},
): Promise<{ input: z.output<S>; value: unknown }> {
  let permit: MemoryPermit | null = null;
  const claim = async (amount: number) => {
    permit = await acquireBodies(context.var.services, claimantOf(context), amount);
    context.set("releaseBody", permit.release);
  };
  const bytes = await beforeLate(bodyMs, readBody(context.req.raw, max, claim));
  if (isOptional && bytes.length === 0) return { input: validated(schema, {}), value: {} };
  if (mediaTypeOf(context) !== "application/json")
    throw new RequestError(415, "The Content-Type must be application/json.", "");
  requirePlainUtf8(context);
  const { services, account, arrivedAt } = context.var;
  // The operator sends few requests outside accounts, so they do not wait for the processor.
  const isLarge = bytes.length > largeBodyBytes && account !== undefined;
  if (isLarge) await yieldToOthers(services, account, arrivedAt);
  context.set("releaseBody", await claimValues(services, claimantOf(context), bytes, permit));
  const text = decodeUtf8(bytes);
  if (text === null) throw bodyError("The body is not valid UTF-8.");
  const json = parseStrictJson(text, maxDepth);
  if (json.status === "malformed") {
    const { line, column, reason } = json;
    throw bodyError(`The body is not valid JSON: line ${line}, column ${column}: ${sentence(reason)}`);
  }
  if (json.status === "refused") throw validationError(json.problems);
  const { value } = json;
  const input = validated(schema, value);
  // Most schemas report values that are nested too deeply. This check is for schemas that do not.
  if (json.status === "too_deep") throw bodyError(`The body is nested more than ${maxDepth} levels deep.`);
  if (isLarge) await yieldToOthers(services, account, arrivedAt);
  return { input, value };
}

/**
 * The maximum memory that V8 uses for an object or a list, for a key that occurs once, and for an item. Measured with values of
 * each kind.
 */
const bytesOf: Record<string, number> = { "{": 56, "[": 56, ":": 80, ",": 24 };
const weights = Uint8Array.from({ length: 256 }, (_, code) => bytesOf[String.fromCharCode(code)] ?? 0);
/** Tables of 200 kB of JSON take about 1 MB when parsed. */
const unclaimedBytes = 4_000_000;
const claimMs = { maxWaitMs: 15_000, expiresInMs: 60_000 };
/** A body of 1 MiB always has fewer values. */
const maxValuesBytes = 30_000_000;
/** The bytes of a body, and its text with two bytes for each character. */
const textCopies = 3;

function claimantOf({ var: { account, actor } }: HttpContext): string {
  return account?.id ?? actor;
}

async function acquireBodies({ memory }: Services, accountId: string, amount: number): Promise<MemoryPermit> {
  const permit = await memory.acquire("bodies", { accountId, amount, ...claimMs });
  if (!permit) throw serviceUnavailable({ retryAfterSeconds: 5 });
  return permit;
}

/**
 * Claims the memory of JSON that has more than 1 MiB, or whose values need much more memory than its text, such as a list of 300,000 empty
 * objects. `permit` is what has been claimed for it already. Returns a function that releases the memory. Throws SERVICE_UNAVAILABLE if the
 * memory does not become free in time, and VALIDATION_ERROR for more values than an isolate can have.
 */
export async function claimValues(
  services: Services,
  accountId: string,
  json: Uint8Array,
  permit: MemoryPermit | null = null,
): Promise<() => void> {
  const values = json.length * 80 < unclaimedBytes ? 0 : json.reduce((sum, byte) => sum + (weights[byte] ?? 0), 0);
  if (values > maxValuesBytes) throw bodyError("The data has too many values for one document. Split the document.");
  const amount = values + (json.length > maxBody.bytes ? textCopies * json.length : 0);
  if (permit) permit.resize(amount);
  else if (amount < unclaimedBytes) return () => {};
  return (permit ?? (await acquireBodies(services, accountId, amount))).release;
}

/** Returns the media type of the body in lower case, or an empty string. */
export function mediaTypeOf({ req }: HttpContext): string {
  return (req.header("Content-Type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Refuses charsets other than UTF-8, and compressed bodies. */
export function requirePlainUtf8(context: HttpContext): void {
  const contentType = context.req.header("Content-Type") ?? "";
  if (charsetsOf(contentType).some((charset) => charset !== "utf-8" && charset !== "utf8")) {
    throw new RequestError(415, "The body must be UTF-8; the charset of the Content-Type can only be utf-8.", "");
  }
  const codings = (context.req.header("Content-Encoding") ?? "")
    .split(",")
    .map((coding) => coding.trim().toLowerCase());
  if (codings.some((coding) => coding !== "" && coding !== "identity")) {
    context.header("Accept-Encoding", "identity");
    throw new RequestError(415, "The body must not be compressed; send it without Content-Encoding.", "");
  }
}

/** A parameter without a value counts as an empty charset. */
function charsetsOf(contentType: string): string[] {
  const parameters = contentType.matchAll(/;\s*charset\s*(?:=\s*("[^"]*"|[^;]*)|(?=;|$))/gi);
  return [...parameters].map(([, value = ""]) => value.replaceAll('"', "").trim().toLowerCase());
}

/** Returns null for bytes that are not UTF-8. A byte order mark at the start is skipped, because some clients send one. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return null;
  }
}
