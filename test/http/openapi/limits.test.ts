// Compares the limits and formats of a create's properties in the API's description with the service: each limit itself, and one
// beyond it.
import { expect, it } from "vitest";
import { templateContent } from "colophon-test-kit/template-content";
import { description, type Schema } from "../../fixtures/openapi/description.ts";
import { baseUrl } from "../../fixtures/tenant.ts";
import { fakeApi } from "../fake-api.ts";

type Try = { value: unknown; isValid: boolean };
type Limits = Schema & Record<string, unknown>;

const valid = (...values: unknown[]): Try[] => values.map((value) => ({ value, isValid: true }));
const invalid = (...values: unknown[]): Try[] => values.map((value) => ({ value, isValid: false }));

/** The required beginning of a string of the maximum length, so that only its length can be wrong. */
const starts: Record<string, string> = { webhookUrl: "https://receiver.com/", locale: "en-x" };

function triesOf(name: string, schema: Limits): Try[] {
  const { anyOf, enum: values, const: only, minimum, maximum, minLength, maxLength, format, maxProperties } = schema;
  if (Array.isArray(anyOf)) {
    const tries = anyOf.flatMap((part: Limits) => triesOf(name, part));
    return tries.filter(
      ({ isValid, value }) => isValid || !tries.some((other) => other.isValid && other.value === value),
    );
  }
  const long = (length: number) => (starts[name] ?? "").padEnd(length, name === "locale" ? "-abcdefgh" : "a");
  return [
    ...(Array.isArray(values) ? [...valid(...values), ...invalid(`${values[0]}x`)] : []),
    ...(only === undefined ? [] : [...valid(only), ...invalid(`${String(only)}x`)]),
    ...(typeof minimum === "number"
      ? [...valid(minimum), ...invalid(minimum - 1, minimum + 0.5, String(minimum))]
      : []),
    ...(typeof maximum === "number" && maximum < 2 ** 50 ? [...valid(maximum), ...invalid(maximum + 1)] : []),
    ...(minLength === 1 ? [...valid("a"), ...invalid("")] : []),
    ...(typeof maxLength === "number" ? [...valid(long(maxLength)), ...invalid(long(maxLength + 1))] : []),
    ...(format === undefined ? [] : invalid("x", `${format}:`)),
    ...(typeof maxProperties === "number" ? pairs(maxProperties, schema) : []),
  ];
}

function pairs(most: number, { additionalProperties }: Limits): Try[] {
  const record = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));
  const longest = Number((additionalProperties as Limits)["maxLength"]);
  return [
    ...valid(record(most), {}, { ["k".repeat(40)]: "v" }, { k: "v".repeat(longest) }, { k: "📄".repeat(longest) }),
    ...invalid(record(most + 1), { ["k".repeat(41)]: "v" }, { "a b": "v" }, { k: "v".repeat(longest + 1) }),
  ];
}

const { properties = {} } = description.components.schemas["CreateDocument"] as { properties: Record<string, Limits> };

it.each(Object.keys(properties))("the description says which values of `%s` are valid", async (name) => {
  const { manifest } = templateContent({});
  const margin = { top: 0, right: 0, bottom: 0, left: 0 };
  const api = await fakeApi({}, { content: { manifest: { ...manifest, margin } } });
  const headers = { Authorization: `Bearer ${api.key}`, "Content-Type": "application/json" };
  const rest = { templateId: api.templateId, data: {}, ...(name === "imageQuality" && { format: "jpeg" }) };

  const wrong: unknown[] = [];
  for (const { value, isValid } of triesOf(name, properties[name] ?? {})) {
    const body = JSON.stringify({ ...rest, [name]: value });
    const { status } = await api.fetch(`${baseUrl}/documents`, { method: "POST", headers, body });
    if ((status === 400) === isValid) wrong.push([value, isValid, status]);
  }

  expect(wrong).toEqual([]);
});
