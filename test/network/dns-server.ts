// A DNS server over HTTPS. The name in a question decides how the server answers it. The answers are written byte by byte,
// without the library with which the service reads them.
//
//   4-c0002b08.6-….names.example.com   has these addresses, in hexadecimal
//   alias.4-….names.example.com        has an alias, whose alias has these addresses
//   rebinds-ID.names.example.com       has a public address in the first lookup, and 127.0.0.1 afterwards
//   BEHAVIOUR.broken.example.com       gets one of the broken answers below
import type { ServerResponse } from "node:http";

const types = { A: 1, CNAME: 5, AAAA: 28 };
const isA = (query: Query) => query.type === types.A;

/** The question, encoded and decoded; `earlier` is the number of earlier questions about the same name. */
type Query = { name: string; type: number; bytes: Buffer; earlier: number };

const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const hex = (text: string) => Buffer.from(text, "hex");
/** A pointer to the name in the question, which begins after the header of twelve bytes. */
const askedName = Buffer.from([0xc0, 12]);

function record(type: number, data: Buffer, { name = askedName, length = data.length } = {}): Buffer {
  return Buffer.concat([name, u16(type), u16(1), u16(0), u16(60), u16(length), data]);
}

/** A message with these answers. 0x8180 says: a response, recursion desired and available, no error. */
function message(
  query: Query,
  answers: Buffer[] = [],
  { flags = 0x8180, id = 0, question = query.bytes.subarray(12), count = answers.length } = {},
): Buffer {
  const questions = u16(question.length > 0 ? 1 : 0);
  return Buffer.concat([u16(id), u16(flags), questions, u16(count), u16(0), u16(0), question, ...answers]);
}

const encodedName = (name: string) =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);
const loopback = record(types.A, hex("7f000001"));
const onePublic = record(types.A, hex("c0002b08"));

function addressRecords({ name, type }: Query, owner?: Buffer): Buffer[] {
  const prefix = type === types.A ? "4-" : "6-";
  const addresses = name.split(".").filter((label) => label.startsWith(prefix));
  return addresses.map((label) => record(type, hex(label.slice(2)), { name: owner }));
}

function aliases(query: Query): Buffer[] {
  const first = encodedName("first.example.com");
  const second = encodedName("second.example.com");
  const chain = [record(types.CNAME, first), record(types.CNAME, second, { name: first })];
  return [...chain, ...addressRecords(query, second)];
}

type Answer = { body: Buffer; status?: number; headers?: Record<string, string> } | "hang" | "trickle" | "reset";

/** Answers that the service must not trust. Most contain a public address, and would let a request pass if they were read. */
const broken: Record<string, (query: Query) => Answer> = {
  missing: (query) => ({ body: message(query, [], { flags: 0x8183 }) }),
  "missing-with-address": (query) => ({ body: message(query, [onePublic], { flags: 0x8183 }) }),
  servfail: (query) => ({ body: message(query, [onePublic], { flags: 0x8182 }) }),
  refused: (query) => ({ body: message(query, [onePublic], { flags: 0x8185 }) }),
  "one-family": (query) => ({ body: isA(query) ? message(query, [onePublic]) : message(query, [], { flags: 0x8182 }) }),
  incomplete: (query) => ({ body: message(query, [onePublic], { flags: 0x8380 }) }),
  "not-a-response": (query) => ({ body: message(query, [onePublic], { flags: 0x0180 }) }),
  "other-id": (query) => ({ body: message(query, [onePublic], { id: 7 }) }),
  "other-name": (query) => ({
    body: message(query, [onePublic], {
      question: Buffer.concat([encodedName("a.example.com"), u16(query.type), u16(1)]),
    }),
  }),
  "other-type": (query) => ({
    body: message(query, [onePublic], { question: Buffer.concat([encodedName(query.name), u16(16), u16(1)]) }),
  }),
  "no-question": (query) => ({ body: message(query, [], { question: Buffer.alloc(0) }) }),
  "two-questions": (query) => {
    const question = query.bytes.subarray(12);
    const body = message(query, [onePublic], { question: Buffer.concat([question, question]) });
    body.writeUInt16BE(2, 4);
    return { body };
  },
  "too-few-bytes": (query) => ({ body: message(query, [onePublic]).subarray(0, -2) }),
  "trailing-bytes": (query) => ({ body: Buffer.concat([message(query, [onePublic]), loopback]) }),
  "wrong-count": (query) => ({ body: message(query, [onePublic], { count: 9 }) }),
  "wrong-length": (query) => ({ body: message(query, [record(types.A, hex("c0002b0800"), { length: 5 })]) }),
  "endless-name": (query) => ({ body: message(query, [record(types.CNAME, Buffer.from([0xc0, 12 + 200]))]) }),
  "pointer-to-itself": (query) => {
    const at = query.bytes.length;
    return { body: message(query, [record(types.A, hex("c0002b08"), { name: u16(0xc000 + at) })]) };
  },
  "too-many-records": (query) => ({
    body: message(
      query,
      Array.from({ length: 101 }, () => onePublic),
    ),
  }),
  huge: (query) => ({
    body: message(
      query,
      Array.from({ length: 4_000 }, () => onePublic),
    ),
  }),
  garbage: () => ({ body: Buffer.from("x".repeat(500)) }),
  empty: () => ({ body: Buffer.alloc(0) }),
  json: () => ({ body: Buffer.from('{"Status":0,"Answer":[]}'), headers: { "Content-Type": "application/dns-json" } }),
  html: () => ({ body: Buffer.from("<p>Please log in"), headers: { "Content-Type": "text/html" } }),
  untyped: (query) => ({ body: message(query, [onePublic]), headers: {} }),
  unavailable: (query) => ({ body: message(query, [onePublic]), status: 503 }),
  redirect: (query) => ({ body: message(query, [onePublic]), status: 302, headers: { Location: "/dns-query" } }),
  hang: () => "hang",
  trickle: () => "trickle",
  reset: () => "reset",
};

function answerTo(query: Query): Answer {
  const { name, type, earlier } = query;
  const [label = ""] = name.split(".");
  if (name.endsWith(".broken.example.com")) return broken[label]?.(query) ?? { body: Buffer.alloc(0) };
  if (label.startsWith("rebinds-")) {
    // A lookup asks two questions.
    const address = earlier < 2 ? onePublic : loopback;
    return { body: message(query, type === types.A ? [address] : []) };
  }
  return { body: message(query, label === "alias" ? aliases(query) : addressRecords(query)) };
}

/** Reads the name and the type in a question. */
function parsed(bytes: Buffer): Pick<Query, "name" | "type"> {
  const labels: string[] = [];
  let at = 12;
  for (let length = bytes.readUInt8(at); length > 0; length = bytes.readUInt8(at)) {
    labels.push(bytes.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join("."), type: bytes.readUInt16BE(at + 1) };
}

/** Responds to questions, and counts them in `asked` by name. */
export function dnsServer(asked: Map<string, number>): (bytes: Buffer, response: ServerResponse) => void {
  return (bytes, response) => {
    const { name, type } = parsed(bytes);
    const earlier = asked.get(name) ?? 0;
    asked.set(name, earlier + 1);
    const answer = answerTo({ name, type, bytes, earlier });
    const typed = { "Content-Type": "application/dns-message" };
    if (answer === "hang") return;
    if (answer === "reset") {
      response.destroy();
    } else if (answer === "trickle") {
      response.writeHead(200, typed).write(Buffer.from([0]));
    } else {
      response.writeHead(answer.status ?? 200, answer.headers ?? typed).end(answer.body);
    }
  };
}
