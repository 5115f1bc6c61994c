// Looks up host names by DNS over HTTPS (RFC 8484), because the Workers runtime does not reveal which address `fetch`
// connects to. Answers are not cached here, because a host's addresses can change. Repeated lookups are still cheap,
// because the DNS server has its own cache.
import type { NameLookup, NameResolver } from "../../ports/names.ts";
import { DeadlineError, withDeadline } from "../deadline.ts";
import { decodeAnswer, encodeQuestion, unresolved, type Question } from "./dns-message.ts";

const mediaType = "application/dns-message";
/** The maximum size of an answer; an answer with twenty addresses is shorter than a thousand bytes. */
const maxAnswerBytes = 8_192;

/** `serverUrl` accepts DNS messages in POST requests, e.g. `https://cloudflare-dns.com/dns-query`. */
export function nameResolver(serverUrl: string): NameResolver {
  return {
    async resolve(hostname, timeoutMs) {
      const abort = new AbortController();
      const types = ["A", "AAAA"] as const;
      const lookups = types.map((type) => lookUp(serverUrl, { name: hostname, type }, abort.signal));
      try {
        return merged(await withDeadline("the DNS lookup", timeoutMs, Promise.all(lookups)));
      } catch (cause) {
        const isTimeout = cause instanceof DeadlineError;
        return unresolved(isTimeout ? "the DNS server did not answer in time" : "the DNS server could not be reached");
      } finally {
        abort.abort();
      }
    },
  };
}

/** Returns the addresses of all answers, or the first answer that failed. */
function merged(lookups: NameLookup[]): NameLookup {
  const addresses: string[] = [];
  for (const lookup of lookups) {
    if (lookup.status === "failed") return lookup;
    addresses.push(...lookup.addresses);
  }
  return { status: "resolved", addresses };
}

async function lookUp(serverUrl: string, question: Question, signal: AbortSignal): Promise<NameLookup> {
  const response = await fetch(serverUrl, {
    method: "POST",
    headers: { "Content-Type": mediaType, Accept: mediaType },
    body: encodeQuestion(question),
    redirect: "manual",
    signal,
  });
  if (response.status !== 200) return unresolved(`the DNS server responded with status ${response.status}`);
  const [type = ""] = (response.headers.get("Content-Type") ?? "").split(";", 1);
  if (type.trim().toLowerCase() !== mediaType) return unresolved("the DNS server did not send a DNS message");
  const bytes = await bodyOf(response);
  return bytes ? decodeAnswer(bytes, question) : unresolved("the DNS server sent an answer that is too long");
}

/** Returns null when the body is too long. */
async function bodyOf({ body }: Response): Promise<Uint8Array | null> {
  if (!body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the stream.
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    size += chunk.length;
    if (size > maxAnswerBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
