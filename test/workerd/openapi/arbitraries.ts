// Generates requests from the descriptions of both APIs: valid ones, and ones with one or several mistakes.
import * as fc from "fast-check";
import {
  description,
  type describedOperations,
  type DescribedOperation,
  type Parameter,
  type Schema,
} from "../../fixtures/openapi/description.ts";
import { zipOf } from "../manage/manage.ts";

/** An id in a generated request: the number of an existing document or template, or an arbitrary string. */
export type GeneratedId = { known: number } | { text: string };

export type GeneratedRequest = {
  method: string;
  /** The path below the base URL, with parameters such as `{id}`, whose values are `ids` in order. */
  path: string;
  ids: GeneratedId[];
  query: string;
  headers: Record<string, string>;
  key: "valid" | "of another account" | "test" | "wrong" | "absent";
  body: string | Uint8Array | null;
};

/** A value of `templateId` that represents an existing template. */
export const knownTemplate = "<template>";

const anyJson = fc.jsonValue({ maxDepth: 3 });
const header = fc.stringMatching(/^[!-~]([ -~]{0,40}[!-~])?$/);

/** Strings that careless servers mishandle. */
const hostileText = fc.constantFrom(
  "",
  "%00",
  "%2e%2e%2f",
  "..",
  "%E0%A4%A",
  "%",
  "' OR 1=1 --",
  "{id}",
  "null",
  "a".repeat(3_000),
  "%F0%9F%92%A9",
  "download",
);

/** Requests with a body are more likely, because most possible mistakes are in bodies. */
export function requestsOf(operations: typeof describedOperations): fc.Arbitrary<GeneratedRequest> {
  return fc
    .constantFrom(...operations, ...operations.filter(({ operation }) => operation.requestBody))
    .chain(({ method, path, operation }) =>
      fc.record({
        method: mostly(
          fc.constant(method.toUpperCase()),
          fc.constantFrom("HEAD", "PUT", "PATCH", "DELETE", "GET", "POST", "QUERY"),
        ),
        path: mostly(
          fc.constant(path),
          fc.constantFrom(`${path}/`, `/${path}`, path.toUpperCase(), "/documents/{id}/{id}"),
        ),
        ids: fc.array(generatedId, { minLength: 3, maxLength: 3 }),
        query: queryOf(operation),
        headers: headersOf(operation),
        key: mostly(fc.constant("valid"), fc.constantFrom("of another account", "test", "wrong", "absent")),
        body: bodyOf(operation),
      }),
    );
}

const generatedId: fc.Arbitrary<GeneratedId> = mostly(
  fc.record({ known: fc.nat(1_000) }),
  fc.record({ text: fc.oneof(fc.uuid(), hostileText, fc.string().map(encodeURIComponent)) }),
);

function mostly<T, U>(usual: fc.Arbitrary<T>, unusual: fc.Arbitrary<U>): fc.Arbitrary<T | U> {
  return fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: unusual, weight: 1 });
}

function parametersIn(place: Parameter["in"], { parameters = [] }: DescribedOperation): Parameter[] {
  return parameters.filter((parameter) => parameter.in === place);
}

function queryOf(operation: DescribedOperation): fc.Arbitrary<string> {
  const described = parametersIn("query", operation).map(({ name, schema }) =>
    mostly(valueOf(schema), fc.oneof(anyJson, hostileText)).map((value): [string, string] => [name, textOf(value)]),
  );
  const unknown = fc.tuple(fc.string({ maxLength: 10 }), fc.string());
  const chosen = described.length > 0 ? fc.array(fc.oneof(...described), { maxLength: 3 }) : fc.constant([]);
  return fc
    .tuple(chosen, mostly(fc.constant([]), fc.array(unknown, { maxLength: 2 })))
    .map(([known, others]) => String(new URLSearchParams([...known, ...others])));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function headersOf(operation: DescribedOperation): fc.Arbitrary<Record<string, string>> {
  const described = parametersIn("header", operation).map(({ name, schema }) =>
    fc.tuple(fc.constant(name), mostly(valueOf(schema).map(textOf), header)),
  );
  const general = [
    fc.tuple(
      fc.constant("Accept"),
      fc.constantFrom("*/*", "application/json", "application/pdf", "image/png", "text/html, */*;q=0.1"),
    ),
    fc.tuple(
      fc.constant("Range"),
      fc.tuple(fc.nat(90), fc.nat(90)).map(([from, to]) => `bytes=${from}-${to}`),
    ),
    fc.tuple(fc.constant("Origin"), fc.constant("https://app.example.com")),
  ];
  const type = mostly(
    fc.constant(bodyTypeOf(operation)),
    fc.oneof(header, fc.constantFrom("application/json; charset=utf-16", "text/plain", "multipart/form-data")),
  );
  return fc
    .tuple(fc.array(fc.oneof(...described, ...general), { maxLength: 2 }), type)
    .map(([chosen, type]) => ({ ...Object.fromEntries(chosen), "Content-Type": type }));
}

function bodyTypeOf({ requestBody }: DescribedOperation): string {
  return Object.keys(requestBody?.content ?? {})[0] ?? "application/json";
}

function bodyOf({ requestBody }: DescribedOperation): fc.Arbitrary<GeneratedRequest["body"]> {
  const { "application/json": json, "application/zip": zip } = requestBody?.content ?? {};
  if (zip) return mostly(fc.constantFrom("1", "2", "{{ name }}").map(zipOf), fc.string());
  if (!json?.schema) return mostly(fc.constant(null), fc.string());
  const { schema } = json;
  const body = fc.oneof(objectOf(resolved(schema)), smallObjectOf(resolved(schema)));
  return fc.oneof(
    { arbitrary: body.map((value) => JSON.stringify(value)), weight: 6 },
    { arbitrary: body.chain(broken).map((value) => JSON.stringify(value)), weight: 3 },
    {
      arbitrary: fc.oneof(
        anyJson.map((value) => JSON.stringify(value)),
        fc.string(),
        fc.constant("{"),
      ),
      weight: 1,
    },
  );
}

/** Generates objects with at most two of the optional properties, because a refused property hides all others. */
function smallObjectOf(schema: Schema): fc.Arbitrary<Record<string, unknown>> {
  const properties = schema["properties"] as Record<string, Schema>;
  const required = (schema["required"] ?? []) as string[];
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  return fc.subarray(optional, { maxLength: Math.min(2, optional.length) }).chain((chosen) => {
    const names = [...required, ...chosen];
    const present = Object.entries(properties).filter(([name]) => names.includes(name));
    return objectOf({ ...schema, properties: Object.fromEntries(present), required: names });
  });
}

/** Removes a property, changes its value, or adds one that the schema does not have. */
function broken(body: Record<string, unknown>): fc.Arbitrary<Record<string, unknown>> {
  const name = fc.constantFrom(...Object.keys(body), "unknown");
  return fc.oneof(
    name.map((removed) => Object.fromEntries(Object.entries(body).filter(([key]) => key !== removed))),
    fc.tuple(name, anyJson).map(([changed, value]) => ({ ...body, [changed]: value })),
    fc.tuple(fc.string({ maxLength: 12 }), anyJson).map(([added, value]) => ({ ...body, [added]: value })),
  );
}

function resolved(schema: Schema): Schema {
  const name = typeof schema["$ref"] === "string" ? schema["$ref"].split("/").at(-1) : undefined;
  return (name !== undefined && description.components.schemas[name]) || schema;
}

/** Generates values that satisfy a schema. `data`, ids and versions of templates also get values that the service can render. */
function valueOf(schema: Schema, name = ""): fc.Arbitrary<unknown> {
  const { type, pattern, format, anyOf, minimum, maximum } = schema;
  if (name === "templateId") return mostly(fc.constant(knownTemplate), fc.uuid());
  if (name === "templateVersion") return mostly(fc.constant(1), integerOf(1, 1_000));
  if (name === "data")
    return fc.oneof(fc.constant({ name: "Ada" }), fc.dictionary(fc.string(), anyJson, { maxKeys: 5 }));
  if ("const" in schema) return fc.constant(schema["const"]);
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...(schema["enum"] as unknown[]));
  if (Array.isArray(anyOf)) return fc.oneof(...(anyOf as Schema[]).map((option) => valueOf(option)));
  if (type === "integer") return integerOf(Number(minimum ?? 0), Number(maximum ?? 1_000_000));
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  if (type === "object") return objectOf(schema);
  if (type === "array") return listOf(schema);
  if (type === undefined) return fc.constantFrom("2026-11-01", "2026-11-21T09:30:00Z", "x");
  if (type !== "string") throw new Error(`no values for ${JSON.stringify(schema)}`);
  // fast-check does not support character classes such as \P{Cc}.
  if (typeof pattern === "string" && !pattern.includes("\\P{")) return fc.stringMatching(new RegExp(pattern));
  if (format === "uuid") return fc.uuid();
  if (format === "uri") return fc.webUrl({ validSchemes: ["https"] });
  if (format === "date-time")
    return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString());
  return fc.string({
    minLength: Number(schema["minLength"] ?? 0),
    maxLength: Math.min(Number(schema["maxLength"] ?? 100), 300),
  });
}

function listOf({ items, minItems, maxItems }: Schema): fc.Arbitrary<unknown[]> {
  const length = { minLength: Number(minItems ?? 0), maxLength: Math.min(Number(maxItems ?? 5), 5) };
  return fc.array(valueOf(resolved(items as Schema)), length);
}

/** The ends of a range are more likely than other values. */
function integerOf(min: number, max: number): fc.Arbitrary<number> {
  return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max: Math.min(max, min + 10_000) }));
}

function objectOf({
  properties,
  required,
  additionalProperties,
  maxProperties,
}: Schema): fc.Arbitrary<Record<string, unknown>> {
  if (properties === undefined) {
    const value =
      typeof additionalProperties === "object" && additionalProperties !== null
        ? valueOf(additionalProperties as Schema)
        : anyJson;
    return fc.dictionary(fc.string({ maxLength: 20 }), value, { maxKeys: Math.min(Number(maxProperties ?? 5), 5) });
  }
  const members = Object.entries(properties as Record<string, Schema>).map(([name, schema]) => [
    name,
    valueOf(schema, name),
  ]);
  return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: (required ?? []) as string[],
  });
}
