// Tests what the API accepts in a request body, apart from the body's schema. The classes of input are those of the
// public JSON test suites.
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { baseUrl, newTenant, type Tenant } from "../../fixtures/tenant.ts";
import { refusalOf, testService, type Failure } from "../app.ts";

const service = testService();

describe("a body that is not UTF-8 is refused:", () => {
  it.for([
    ["Latin-1", [0xe9]],
    ["a character cut off by a quote", [0xf0, 0x9f, 0x98]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["a pair of surrogates (CESU-8)", [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
    ["UTF-16LE with a byte order mark", [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ] as const)("%s", async ([, bytes]) => {
    const [before, after] = ['{"templateId":"1","data":{"name":"', '"}}'].map((text) => new TextEncoder().encode(text));

    const response = await send(await newTenant(env), Uint8Array.from([...(before ?? []), ...bytes, ...(after ?? [])]));

    const message = "The body is not valid UTF-8.";
    expect(await refusalOf(response)).toEqual({
      status: 400,
      code: "VALIDATION_ERROR",
      message,
      details: [{ path: "", message }],
    });
  });
});

it("a byte order mark is ignored at the start of a body", async () => {
  const tenant = await newTenant(env);

  const response = await send(tenant, `\ufeff${bodyWith(tenant, "{}")}`);

  expect(response.status).toBe(201);
});

// What JSON may contain is tested in test/core/strict-json.test.ts.
it.for(["", "\ufeff\ufeff{}", "{'a':1}", '{"a":'.repeat(200_000)])(
  "a body that is not JSON is refused (%#)",
  async (text) => {
    const response = await send(await newTenant(env), text);

    expect(await refusalOf(response)).toMatchObject({
      status: 400,
      code: "VALIDATION_ERROR",
      message: expect.stringMatching(/^The body is not valid JSON: line 1, column \d+: /),
    });
  },
);

it("a body that is not JSON is refused with the line and column of the mistake", async () => {
  const response = await send(await newTenant(env), '{\n  "templateId": "1"\n  "data": {}\n}');

  const message = "The body is not valid JSON: line 2, column 20: a comma is missing.";
  expect(await refusalOf(response)).toMatchObject({ status: 400, message, details: [{ path: "", message }] });
});

it("a body that could be misread is refused with the paths of all problems", async () => {
  const body = '{"templateId":"\\ud800","data":{"rows":[{"total":1e400}],"a":1,"a":2},"width":1e999}';

  const { details, ...refusal } = await refusalOf(await send(await newTenant(env), body));

  expect(refusal).toMatchObject({ status: 400, code: "VALIDATION_ERROR" });
  expect(details?.map(({ path }) => path)).toEqual(["templateId", "data.rows.0.total", "data.a", "width"]);
});

it("text comes out as it was sent", async () => {
  const tenant = await newTenant(env, { page: "<p>[{{ name }}]</p>" });
  const own = testService();
  const json =
    '"\\u0060\\ud83d\\ude39\u{10ffff}\ufdd0\ue000\\b\\f\\n\\\\u0000a/*b*/\u2028\u202e\u0080e\u0301 \\u003cb\\u003e &amp; \\u0000 "';

  const response = await send(tenant, bodyWith(tenant, `{"name":${json}}`), {}, own);

  const shown = /<p>\[([^]*)\]<\/p>/.exec(own.jobs[0]?.html ?? "")?.[1] ?? "nothing";
  expect([response.status, unescaped(shown)]).toEqual([201, JSON.parse(json)]);
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

/** Replaces the character references that Liquid's escaping writes. */
function unescaped(html: string): string {
  const characters: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&#34;": '"', "&#39;": "'", "&amp;": "&" };
  return html.replaceAll(/&(?:lt|gt|#34|#39|amp);/g, (reference) => characters[reference] ?? reference);
}
