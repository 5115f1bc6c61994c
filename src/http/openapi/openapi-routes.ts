// `GET /openapi.json` returns the description of the API. It needs no key, because clients and the reference page read it.
import { Hono } from "hono";
import { sha256Hex } from "colophon-base/encoding";
import type { HttpEnv } from "../context.ts";
import { matchesWeakly } from "../etag.ts";
import { publicUrlOf } from "../queries/list-response.ts";
import { noParameters, validQuery } from "../validation.ts";

type Description = { json: string; etag: string };

/** The description is generated at the first request for its base URL, because that takes some milliseconds. */
export function openApiRoutes(documentOf: (baseUrl: string) => object): Hono<HttpEnv> {
  let made: { baseUrl: string; description: Promise<Description> } | undefined;
  return new Hono<HttpEnv>().get("/", validQuery(noParameters), async (context) => {
    const baseUrl = publicUrlOf(context).replace(/\/openapi\.json$/, "");
    if (made?.baseUrl !== baseUrl) made = { baseUrl, description: describe(documentOf(baseUrl)) };
    const { json, etag } = await made.description;
    const headers = { ETag: etag, "Cache-Control": "public, max-age=300" };
    const ifNoneMatch = context.req.header("If-None-Match");
    if (ifNoneMatch !== undefined && matchesWeakly(ifNoneMatch, etag)) return context.body(null, 304, headers);
    return context.body(json, 200, { ...headers, "Content-Type": "application/json" });
  });
}

async function describe(document: object): Promise<Description> {
  const json = JSON.stringify(document);
  return { json, etag: `"${await sha256Hex(json)}"` };
}
