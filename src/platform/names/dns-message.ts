// Encodes DNS questions and decodes the answers in the format of RFC 1035. An answer to another question, or one that is
// truncated, malformed or too long, counts as a failure.
import { decode, encode, RECURSION_DESIRED, type DecodedPacket } from "dns-packet";
import type { NameLookup } from "../../ports/names.ts";

export type Question = { name: string; type: "A" | "AAAA" };

/** The maximum number of records in an answer. Hosts with many servers have about 20. */
const maxRecords = 100;

const responseCodes = { noError: 0, nameError: 3 };

/**
 * RFC 8484 recommends this id, so that equal questions have the same bytes. Over HTTPS, no id is needed to match
 * answers.
 */
const messageId = 0;

export function encodeQuestion({ name, type }: Question): Uint8Array<ArrayBuffer> {
  const bytes = encode({
    type: "query",
    id: messageId,
    flags: RECURSION_DESIRED,
    questions: [{ type, name, class: "IN" }],
  });
  return new Uint8Array(bytes);
}

/**
 * Returns all addresses in the answer. The addresses are not matched with the aliases before them. All addresses must
 * be public, so an address of another name can only make the caller refuse the host.
 */
export function decodeAnswer(bytes: Uint8Array, question: Question): NameLookup {
  const answer = decoded(bytes);
  if (!answer || !isAnswerTo(answer, question)) return unresolved("the DNS server sent a malformed answer");
  if (answer.flag_tc) return unresolved("the DNS server sent an incomplete answer");
  const code = (answer.flags ?? 0) & 0xf;
  if (code === responseCodes.nameError) return { status: "failed", reason: "does not exist" };
  if (code !== responseCodes.noError) return unresolved(`the DNS server answered with error ${code}`);
  const records = answer.answers ?? [];
  if (records.length > maxRecords) return unresolved("the DNS server sent too many records");
  const addresses = records.flatMap((record) => (record.type === "A" || record.type === "AAAA" ? [record.data] : []));
  return { status: "resolved", addresses };
}

export function unresolved(reason: string): NameLookup {
  return { status: "failed", reason: `could not be resolved: ${reason}` };
}

/** Returns null when the bytes are not exactly one DNS message. */
function decoded(bytes: Uint8Array): DecodedPacket | null {
  try {
    const message = decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return decode.bytes === bytes.length ? message : null;
  } catch {
    return null;
  }
}

function isAnswerTo({ type, id, questions = [] }: DecodedPacket, asked: Question): boolean {
  const [question, ...others] = questions;
  const isSame = question?.type === asked.type && question.name.toLowerCase() === asked.name.toLowerCase();
  return type === "response" && id === messageId && isSame && others.length === 0;
}
