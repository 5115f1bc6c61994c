import { describe, expect, it } from "vitest";
import { findingsOf } from "./corpus/base.ts";

/** Returns the paths of the fields that a push reports as unused. */
function unusedIn(page: string, fields: object[], sample: object = {}): string[] {
  const found = findingsOf({
    "template.json": JSON.stringify({ title: "T", pageSize: "A4", fields }),
    "sample.json": JSON.stringify(sample),
    "pages/1.liquid": page,
  });
  return found.map(({ severity, message }) => {
    const key = /^the field `([\w.]+)` is not used/.exec(message)?.[1];
    return severity === "warning" && key ? key : message;
  });
}

const text = (key: string) => ({ key, type: "string" });
const address = { key: "address", type: "object", fields: [text("street"), text("city")] };
const list = { key: "items", type: "list", fields: [text("title"), text("code"), { key: "price", type: "number" }] };

describe("a field that nothing reads", () => {
  it("is a warning at its line in template.json", () => {
    const found = findingsOf({
      "template.json": '{ "title": "T", "pageSize": "A4", "fields": [\n{ "key": "a", "type": "string" },\n{ "key": "b", "type": "string" }] }',
      "sample.json": "{}",
      "pages/1.liquid": "{{ a }}",
    });

    const message = "the field `b` is not used in any page, header or footer";
    expect(found).toEqual([{ severity: "warning", file: "template.json", line: 3, message }]);
  });

  it("is named without the fields inside it", () => {
    expect(unusedIn("x", [address])).toEqual(["address"]);
  });

  it("is named when only its siblings are read", () => {
    expect(unusedIn("{{ address.city }}", [address])).toEqual(["street"]);
    expect(unusedIn("{% for item in items %}{{ item.title }}{% endfor %}", [list])).toEqual(["code", "price"]);
  });

  it("is not named when a path with a mistake may have been meant to read it", () => {
    expect(unusedIn("{{ address.sity }}", [address, text("other")])).toEqual(["`address.sity`: did you mean `address.city`?"]);
  });

  it("is named when only its object is tested", () => {
    expect(unusedIn("{% if address %}x{% endif %}", [address])).toEqual(["street", "city"]);
  });
});

describe("a field counts as used", () => {
  it.each([
    ["when it is read in a header", { "pages/1.liquid": "x", "header.liquid": "{{ a }}" }],
    ["when it is an argument of a filter", { "pages/1.liquid": "{{ 1 | plus: a }}" }],
    ["when it is compared", { "pages/1.liquid": '{% if "x" == a %}x{% endif %}' }],
    ["when a loop may have set a variable of its name", { "pages/1.liquid": "{% for i in (1..2) %}{{ a }}{% assign a = i %}{% endfor %}" }],
    ["when one branch hides it", { "pages/1.liquid": "{% if true %}{% assign a = 1 %}{% endif %}{{ a }}" }],
    ["when the name of a field is known only in a render", { "pages/1.liquid": "{% assign key = 'a' %}{{ [key] }}" }],
  ])("%s", (_when, files) => {
    const found = findingsOf({
      "template.json": JSON.stringify({ title: "T", pageSize: "A4", fields: [text("a")] }),
      "sample.json": "{}",
      ...files,
    });

    expect(found).toEqual([]);
  });

  it.each([
    ["when its object is printed as JSON", "{{ address | json }}", [address]],
    ["when a loop runs over its object", "{% for pair in address %}{{ pair[0] }}{% endfor %}", [address]],
    ["when a key of its object is known only in a render", "{{ address[code] }}", [address, text("code")]],
    ["when a variable holds its object", "{% assign a = address %}{{ a.city }}{{ a.street }}", [address]],
    [
      "when one of two objects is read",
      "{% if other %}{% assign a = address %}{% else %}{% assign a = other %}{% endif %}{{ a.city }}{{ a.street }}",
      [address, { ...address, key: "other" }],
    ],
    [
      "when filters name it",
      '{{ items | where: "code", "x" | sort: "price" | map: "title" | join }}',
      [list],
    ],
    ["when the property of a filter is known only in a render", "{{ items | map: key | join }}", [list, text("key")]],
  ])("%s", (_when, page, fields) => {
    expect(unusedIn(page, fields)).toEqual([]);
  });
});
