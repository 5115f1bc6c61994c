// Tests what the API accepts in a request body, apart from the body's schema. The classes of input are those of the
// public JSON test suites.
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { baseUrl, field, newTenant, type Tenant } from "../../fixtures/tenant.ts";
import { dataOf, refusalOf, testService, type Failure } from "../app.ts";

const service = testService();
const utf8Error = "The body is not valid UTF-8.";
const jsonError = "The body is not valid JSON.";

describe("a body with bytes that are not UTF-8 is refused:", () => {
  const invalid: [name: string, bytes: number[]][] = [
    ["Latin-1", [0xe9]],
    ["a continuation byte without a start", [0x81]],
    ["a character without its last byte", [0xe2, 0x82]],
    ["a character cut off by a quote", [0xf0, 0x9f, 0x98]],
    ["an overlong slash of two bytes", [0xc0, 0xaf]],
    ["an overlong slash of six bytes", [0xfc, 0x83, 0xbf, 0xbf, 0xbf, 0xbf]],
    ["an overlong NUL", [0xc0, 0x80]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["a pair of surrogates (CESU-8)", [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
    ["a character above U+10FFFF", [0xf4, 0xbf, 0xbf, 0xbf]],
    ["the byte FF", [0xff]],
  ];
  const places = {
    "a value": (bytes: number[]) => ['{"templateId":"1","data":{"name":"', bytes, '"}}'],
    "a key": (bytes: number[]) => ['{"templateId":"1","data":{"', bytes, '":1}}'],
    "the white space": (bytes: number[]) => ['{"templateId":"1",', bytes, '"data":{}}'],
  };

  it.for(Object.entries(places).flatMap(([place, at]) => invalid.map(([name, bytes]) => ({ name, place, bytes, at }))))(
    "$name in $place",
    async ({ bytes, at }) => {
      const response = await send(await newTenant(env), bytesOf(at(bytes)));

      expect(await refusalOf(response)).toEqual({
        status: 400,
        code: "VALIDATION_ERROR",
        message: utf8Error,
        details: [{ path: "", message: utf8Error }],
      });
    },
  );

  it.for([
    ["UTF-16LE with a byte order mark", [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00], utf8Error],
    ["UTF-16BE with a byte order mark", [0xfe, 0xff, 0x00, 0x7b, 0x00, 0x7d], utf8Error],
    ["UTF-16LE without a byte order mark", [0x7b, 0x00, 0x7d, 0x00], jsonError],
    ["UTF-16BE without a byte order mark", [0x00, 0x7b, 0x00, 0x7d], jsonError],
  ] as const)("%s", async ([, bytes, message]) => {
    const response = await send(await newTenant(env), Uint8Array.from(bytes));

    expect(await refusalOf(response)).toMatchObject({ status: 400, code: "VALIDATION_ERROR", message });
  });
});

describe("a byte order mark", () => {
  it("is ignored at the start of a body", async () => {
    const tenant = await newTenant(env);

    const response = await send(tenant, `\ufeff${bodyWith(tenant, "{}")}`);

    expect(response.status).toBe(201);
  });

  it.for(["\ufeff\ufeff{}", '{"templateId":"1","data":\ufeff{}}', "\ufeff"])(
    "is an error elsewhere: %j",
    async (body) => {
      const response = await send(await newTenant(env), body);

      expect(await refusalOf(response)).toMatchObject({ status: 400, message: jsonError });
    },
  );
});

describe("a body that is not JSON is refused:", () => {
  // test/core/strict-json.test.ts has more of them.
  const malformed = ["", "[1,]", "{'a':1}", '{"a":1}// c', "NaN", "012", '"\\x00"', '"\t"', "\u00a0", "\u0000"];

  it.for(malformed)("%j, as the body and inside `data`", async (text) => {
    const tenant = await newTenant(env);

    const whole = await refusalOf(await send(tenant, text));
    const inside = await refusalOf(await send(tenant, bodyWith(tenant, `{"v":${text}}`)));

    const expected = { status: 400, code: "VALIDATION_ERROR", message: jsonError };
    expect([whole, inside]).toMatchObject([expected, expected]);
  });

  it("1 MiB of opening brackets inside `data`", async () => {
    const tenant = await newTenant(env);

    const response = await send(tenant, bodyWith(tenant, `{"v":${"[".repeat(1_000_000)}}`));

    expect(await refusalOf(response)).toMatchObject({ status: 400, message: jsonError });
  });
});

describe("a key that occurs twice in an object is refused with its path:", () => {
  const duplicates = [
    { path: "templateId", body: '{"templateId":"1","templateId":"1","data":{}}' },
    { path: "data", body: '{"templateId":"1","data":{"a":1},"data":{}}' },
    { path: "data.items.2.price", body: '{"templateId":"1","data":{"items":[{},{},{"price":1,"qty":2,"price":3}]}}' },
  ];

  it.for(duplicates)("at $path (body %#)", async ({ path, body }) => {
    const response = await send(await newTenant(env), body);

    const message = `\`${path}\` occurs more than once; each key of an object must be unique.`;
    expect(await refusalOf(response)).toEqual({
      status: 400,
      code: "VALIDATION_ERROR",
      message,
      details: [{ path, message }],
    });
  });
});

it("accepts keys of an object that differ only in their Unicode normalisation", async () => {
  const tenant = await newTenant(env);

  const response = await send(tenant, bodyWith(tenant, '{"é":1,"e\u0301":2}'));

  expect(response.status).toBe(201);
});

describe("text with a lone surrogate is refused with its path:", () => {
  it.for([
    { data: '{"name":"\\ud800"}', path: "data.name" },
    { data: '{"list":["a",{"x":"\\ud800"}]}', path: "data.list.1.x" },
    { data: '{"\\ud800":1}', path: "data" },
  ])("$data", async ({ data, path }) => {
    const tenant = await newTenant(env);

    const response = await send(tenant, bodyWith(tenant, data));

    const { details, ...refusal } = await refusalOf(response);
    expect(refusal).toMatchObject({ status: 400, code: "VALIDATION_ERROR" });
    expect(details).toEqual([{ path, message: expect.stringContaining("lone surrogate") as string }]);
  });

  it("also in `templateId`", async () => {
    const response = await send(await newTenant(env), '{"templateId":"\\ud800","data":{}}');

    expect((await refusalOf(response)).details?.map(({ path }) => path)).toEqual(["templateId"]);
  });
});

describe("a number that double precision cannot hold is refused with its path:", () => {
  it.for([
    ["1e400", "the largest number is about 1.8e308"],
    ["-1e400", "the largest number is about 1.8e308"],
    ["9007199254740993", "would change to 9007199254740992"],
  ] as const)("%s", async ([number, reason]) => {
    const tenant = await newTenant(env);

    const response = await send(tenant, bodyWith(tenant, `{"rows":[{"total":${number}}]}`));

    expect(await refusalOf(response)).toMatchObject({
      status: 400,
      code: "VALIDATION_ERROR",
      message: expect.stringContaining(reason) as string,
      details: [{ path: "data.rows.0.total" }],
    });
  });

  it("also in properties other than `data`", async () => {
    const response = await send(await newTenant(env), '{"templateId":"1","data":{},"width":1e999}');

    expect((await refusalOf(response)).details?.map(({ path }) => path)).toEqual(["width"]);
  });
});

describe("a number with more digits than double precision has", () => {
  it("is rounded with a warning", async () => {
    const tenant = await newTenant(env, { fields: [field("rate", "number")], page: "<p>{{ rate }}</p>" });

    const { warnings } = await dataOf(await send(tenant, bodyWith(tenant, '{"rate":33.3333333333333333}')));

    expect(warnings).toEqual([
      "`data.rate` was rounded from 33.3333333333333333 to 33.333333333333336, because numbers have double precision.",
    ]);
  });

  it.for(["2.50", "1E2", "-0", "5e-324"])(
    "does not count as rounded if only its notation differs: %s",
    async (number) => {
      const tenant = await newTenant(env, { fields: [field("rate", "number")] });

      const { warnings } = await dataOf(await send(tenant, bodyWith(tenant, `{"rate":${number}}`)));

      expect(warnings).toEqual([]);
    },
  );
});

describe("text comes out as it was sent:", () => {
  it.for([
    ['"\\u0060\\u012a\\u12AB"', "`\u012a\u12ab"],
    ['"\\ud83d\\ude39\\ud83d\\udc8d"', "😹💍"],
    ['"\\uDBFF\\uDFFF"', "\u{10ffff}"],
    ['"\u{10ffff}\uffff\ufdd0\ue000"', "\u{10ffff}\uffff\ufdd0\ue000"],
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'],
    ['"\\\\u0000"', "\\u0000"],
    ['"a/*b*/c//d#e"', "a/*b*/c//d#e"],
    ['"\u2028\u2029\u200b\ufeff\u202e"', "\u2028\u2029\u200b\ufeff\u202e"],
    ['"\u007f\u0080\u009f"', "\u007f\u0080\u009f"],
    ['"⍂㈴⍂"', "⍂㈴⍂"],
    ['"e\u0301 é"', "e\u0301 é"],
    ['"\\u003cscript\\u003e &amp; \'"', "<script> &amp; '"],
    ['" \\u0000 "', " \u0000 "],
    ['""', ""],
  ] as const)("%s", async ([json, text]) => {
    const tenant = await newTenant(env, { page: "<p>[{{ name }}]</p>" });
    const own = testService();

    const response = await send(tenant, bodyWith(tenant, `{"name":${json}}`), {}, own);

    const shown = /<p>\[([^]*)\]<\/p>/.exec(own.jobs[0]?.html ?? "")?.[1] ?? "nothing";
    expect([response.status, unescaped(shown)]).toEqual([201, text]);
  });
});

describe("`__proto__` in a body", () => {
  it.for(['{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}'])(
    "changes no other object: %s",
    async (data) => {
      const tenant = await newTenant(env, { page: "<p>[{{ polluted }}{{ name.polluted }}]</p>" });
      const own = testService();

      const response = await send(tenant, bodyWith(tenant, data), {}, own);

      expect([response.status, ({} as { polluted?: boolean }).polluted]).toEqual([201, undefined]);
      expect(own.jobs[0]?.html).not.toContain("true]");
    },
  );
});

describe("the Content-Type", () => {
  it.for([
    "application/json; charset=utf-8",
    'application/json; charset="UTF-8"',
    "application/json;charset=utf8",
    "application/json; profile=x; charset=UTF-8",
  ])("may be %s", async (type) => {
    const tenant = await newTenant(env);

    const response = await send(tenant, bodyWith(tenant, "{}"), { "Content-Type": type });

    expect(response.status).toBe(201);
  });

  it.for([
    "application/json; charset=iso-8859-1",
    "application/json; charset=utf-16",
    'application/json; charset="us-ascii"',
    "application/json; CHARSET = windows-1252",
    "application/json; charset=utf-8; charset=latin1",
    "application/json; charset=",
    "application/json; charset",
    "application/json; charset ; profile=x",
  ])("cannot be %s", async (type) => {
    const tenant = await newTenant(env);

    const response = await send(tenant, bodyWith(tenant, "{}"), { "Content-Type": type });

    expect(await refusalOf(response)).toMatchObject({
      status: 415,
      code: "VALIDATION_ERROR",
      message: "The body must be UTF-8; the charset of the Content-Type can only be utf-8.",
    });
  });
});

describe("the Content-Encoding", () => {
  it.for(["gzip", "deflate", "br", "zstd", "GZIP", "x-gzip", "identity, gzip", "unknown"])(
    "cannot be %s",
    async (coding) => {
      const tenant = await newTenant(env);
      const compressed = new Blob([bodyWith(tenant, "{}")]).stream().pipeThrough(new CompressionStream("gzip"));

      const response = await send(tenant, await new Response(compressed).arrayBuffer(), { "Content-Encoding": coding });

      expect(response.headers.get("Accept-Encoding")).toBe("identity");
      expect(await refusalOf(response)).toMatchObject({
        status: 415,
        code: "VALIDATION_ERROR",
        message: "The body must not be compressed; send it without Content-Encoding.",
      });
    },
  );

  it("may be identity", async () => {
    const tenant = await newTenant(env);

    const response = await send(tenant, bodyWith(tenant, "{}"), { "Content-Encoding": "identity" });

    expect(response.status).toBe(201);
  });
});

it("refuses a body that ends before it is complete", async () => {
  const tenant = await newTenant(env);
  const own = testService();
  const cut = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"templateId":')),
    pull: (controller) => controller.error(new Error("the connection was lost")),
  });

  const response = await send(tenant, cut, {}, own);

  expect(await refusalOf(response)).toMatchObject({ status: 400, message: "The body ended before it was complete." });
  expect(own.logged).toEqual([]);
});

it("keeps every response to a bad body short", async () => {
  const tenant = await newTenant(env);
  const key = "k".repeat(200_000);

  const response = await send(tenant, bodyWith(tenant, `{"${key}":{"${key}":[1e999,1e999],"${key}":1}}`));

  const text = await response.text();
  expect((JSON.parse(text) as Failure).error.details?.length).toBe(3);
  expect(text.length).toBeLessThan(4_000);
});

function bodyWith(tenant: Tenant, data: string): string {
  return `{"templateId":"${tenant.templateId}","data":${data}}`;
}

function send(tenant: Tenant, body: BodyInit, headers: Record<string, string> = {}, to = service): Promise<Response> {
  const all = { Authorization: `Bearer ${tenant.key}`, "Content-Type": "application/json", ...headers };
  return to.fetch(`${baseUrl}/documents`, { method: "POST", headers: all, body });
}

/** Concatenates text and bytes. */
function bytesOf(parts: (string | number[])[]): Uint8Array<ArrayBuffer> {
  const bytes = parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : part));
  return Uint8Array.from(bytes);
}

/** Replaces the character references that Liquid's escaping writes. */
function unescaped(html: string): string {
  const characters: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&#34;": '"', "&#39;": "'", "&amp;": "&" };
  return html.replaceAll(/&(?:lt|gt|#34|#39|amp);/g, (reference) => characters[reference] ?? reference);
}
