// Every array of every request schema, found by walking the schemas, so that new arrays are also tried. An array of names is a
// set without duplicates, or has at most one level of each standard. Any other array is a list with a row below: the maximum number of entries,
// and whether two may be equal.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { manifestSchema } from "../../packages/template-model/src/folder/manifest-schema.ts";
import { parseManifest } from "../../packages/template-model/src/folder/manifest.ts";
import { batchBody, batchItem, batchOptions } from "../../src/http/batches/batch-requests.ts";
import { createBody } from "../../src/http/documents/document-requests.ts";
import { manageOperations } from "../../src/http/manage/manage-routes.ts";
import { apiOperations } from "../../src/http/openapi/openapi-document.ts";
import { problemsOf } from "../../src/http/validation.ts";

type Def = Record<string, unknown> & { type: string };
type Found = { path: string; array: z.ZodArray };

const schemas: Record<string, z.ZodType> = {
  ...{ CreateDocument: createBody, CreateBatch: batchBody, "options of a batch": batchOptions },
  ...{ "item of a batch": batchItem, "template.json": manifestSchema },
};
for (const { operationId, body, query } of [...apiOperations, ...manageOperations]) {
  // A named schema is one of the schemas above.
  if (typeof body === "object") schemas[operationId] = body;
  if (query) schemas[`query of ${operationId}`] = query;
}

/** Returns the arrays in a schema. A list of fields contains itself. */
function arraysIn(schema: unknown, path: string, seen = new Set<unknown>()): Found[] {
  if (!(schema instanceof z.ZodType) || seen.has(schema)) return [];
  seen.add(schema);
  const def = schema.def as unknown as Def;
  const inner = (child: unknown, name = "") => arraysIn(child, path + name, seen);
  const shape = def["shape"] instanceof Object ? Object.entries(def["shape"]) : [];
  return [
    ...(schema instanceof z.ZodArray ? [{ path, array: schema }] : []),
    ...shape.flatMap(([name, child]) => inner(child, `.${name}`)),
    ...["innerType", "in", "left", "right", "valueType"].flatMap((name) => inner(def[name])),
    ...inner(def["element"], "[]"),
    ...((def["options"] ?? def["items"] ?? []) as unknown[]).flatMap((child) => inner(child)),
    ...(typeof def["getter"] === "function" ? inner((def["getter"] as () => unknown)()) : []),
  ];
}

const found = Object.entries(schemas).flatMap(([name, schema]) => arraysIn(schema, name));
const namesOf = ({ array: { element } }: Found) => (element instanceof z.ZodEnum ? element.options.map(String) : null);
const ofNames = found.flatMap((entry) => (namesOf(entry) ? [{ ...entry, names: namesOf(entry) ?? [] }] : []));
/** At most one level of each standard: `pdf/a` and `pdf/ua`. */
const isChoice = ({ path }: Found) => path.endsWith(".conformance");
const sets = ofNames.filter((entry) => !isChoice(entry));
const accepts = (array: z.ZodArray, value: unknown) => array.safeParse(value).success;

/** The other arrays: an entry, how many there may be, and whether two may be equal. */
const field = { key: "a", type: "string" };
const row = { table: "documents", row: {} };
const many = 20_000;
const file = (index: number) => ({ name: `${index}.txt`, mimeType: "text/plain", relationship: "data", content: "" });
const attachments = { entry: file, min: 0, max: 100, mayRepeat: false };
const lists: Record<string, { entry(index: number): unknown; min: number; max: number; mayRepeat: boolean }> = {
  ...{ "CreateDocument.attachments": attachments, "createDocument.attachments": attachments },
  "item of a batch.attachments": attachments,
  // Items are checked one by one, and counted against `MAX_BATCH_ITEMS`.
  "CreateBatch.items": { entry: () => ({}), min: 0, max: many, mayRepeat: true },
  // Keys of fields are compared by `fieldProblems`.
  "template.json.fields": { entry: () => field, min: 0, max: 1_000, mayRepeat: true },
  "template.json.fields[].fields": { entry: () => field, min: 1, max: 1_000, mayRepeat: true },
  // Values are compared by `ruleProblems`.
  "template.json.fields[].enum": { entry: (index) => `value ${index}`, min: 1, max: 200, mayRepeat: true },
  "template.json.styles": { entry: (index) => `a${index}.css`, min: 0, max: 20, mayRepeat: false },
  // A row that exists stays as it is.
  "importAccount.rows": { entry: () => row, min: 0, max: 200, mayRepeat: true },
};

describe.each(sets)("$path is a set", ({ array, names }) => {
  it("a set of names is accepted in any order", () => {
    expect([accepts(array, names), accepts(array, names.toReversed())]).toEqual([true, true]);
    expect(names.filter((name) => !accepts(array, [name]))).toEqual([]);
  });

  it.each([
    ["no entry", () => []],
    ["an entry twice", ([first]: string[]) => [first, first]],
    ["an entry twice, apart", (all: string[]) => [...all, all[0]]],
    ["all entries twice", (all: string[]) => [...all, ...all]],
  ])("a set of names is refused if it has %s", (_, made) => {
    expect(accepts(array, made(names))).toBe(false);
  });
});

it.each(ofNames.filter(isChoice))("$path has at most one level of each standard", ({ array, names }) => {
  const standardOf = (name: string) => name.split("-")[0];
  const pairs = names.flatMap((name) => names.map((other) => [name, other] as const));

  expect([accepts(array, []), ...names.map((name) => accepts(array, [name]))]).not.toContain(false);
  expect(pairs.filter((pair) => accepts(array, pair))).toEqual(
    pairs.filter(([name, other]) => standardOf(name) !== standardOf(other)),
  );
});

const bodies = Object.entries(schemas).flatMap(([name, schema]) =>
  schema instanceof z.ZodObject && !name.startsWith("query of ") && name !== "template.json"
    ? arraysIn(schema, "").map(({ path }) => ({ name, schema, property: path.slice(1) }))
    : [],
);

it.each(bodies)(
  "a body of half a million mistakes gets at most 20 problems ($name.$property)",
  ({ schema, property }) => {
    const checked = problemsOf(schema, { [property]: Array(500_000).fill(null) });

    expect(checked.status).toBe("invalid");
    expect("problems" in checked && checked.problems.length).toBeLessThanOrEqual(20);
  },
);

it("a body with half a million wrong entries in an array is refused with a limited number of problems (template.json)", () => {
  const { manifest, problems } = parseManifest({ title: "x", fields: Array(125_000).fill(0) });

  expect(manifest).toBeNull();
  expect(problems.length).toBeLessThanOrEqual(100);
});

it("each array that is not a set of names has a row with its limits", () => {
  expect(found.filter((entry) => !namesOf(entry)).map(({ path }) => path)).toEqual(
    expect.arrayContaining(Object.keys(lists)),
  );
  expect(found.filter((entry) => !namesOf(entry) && !lists[entry.path])).toEqual([]);
});

it.each(found.filter((entry) => lists[entry.path]))("$path keeps its limits", ({ path, array }) => {
  const { entry, min, max, mayRepeat } = lists[path] ?? expect.unreachable();
  const of = (length: number) => Array.from({ length }, (_, index) => entry(index));

  expect([accepts(array, of(min)), accepts(array, of(max))]).toEqual([true, true]);
  if (min > 0) expect(accepts(array, of(min - 1))).toBe(false);
  if (max < 1_000) expect(accepts(array, of(max + 1))).toBe(false);
  expect(accepts(array, [entry(0), entry(0)])).toBe(mayRepeat);
});
