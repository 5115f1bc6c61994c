import { describe, expect, it } from "vitest";
import { findingsOf } from "./corpus/base.ts";
import { correct } from "./corpus/correct.ts";
import { plantedInLiquid } from "./corpus/planted-in-liquid.ts";
import { plantedInParts } from "./corpus/planted-in-parts.ts";
import { plantedInMarkup } from "./corpus/planted-in-markup.ts";

it.each([...plantedInLiquid, ...plantedInMarkup, ...plantedInParts])(
  "a push of %j says only: %s",
  (template, expected) => {
    expect(
      findingsOf(template).map(
        ({ severity, line, message }) => `${severity === "error" ? "" : "warning "}${line}: ${message}`,
      ),
    ).toEqual([expected]);
  },
);

it.each([
  ...["img src", "img srcset", "source src", "source srcset", "input src", "body background", "table background"],
  ...["image href", "image xlink:href", "use href", "use xlink:href", "feImage href", "feImage xlink:href"],
  ...["td background", "th background"],
])("a push finds a file in %s", (attribute) => {
  const [found, ...others] = findingsOf(`<${attribute}="photo.gif"><br>`);

  expect(found?.message).toBe("`photo.gif` is not shown; write `{{ 'photo.gif' | asset }}`");
  expect(others.filter(({ message }) => message.includes("photo"))).toEqual([]);
});

describe("a push finds nothing wrong with", () => {
  it.each(correct)("%s", (_what, template) => {
    expect(findingsOf(template)).toEqual([]);
  });
});

describe("with `lenient`, mistakes that do not prevent a render", () => {
  it.each([
    ["a path that leads nowhere", "{{ item.price }}"],
    ["an unknown property in a filter", '{{ items | map: "prise" | join: ", " }}'],
    ["a comparison that is never true", '{% if total == "0" %}x{% endif %}'],
  ])("are warnings: %s", (_mistake, template) => {
    expect(findingsOf(template, false).map(({ severity }) => severity)).toEqual(["error"]);
    expect(findingsOf(template, true).map(({ severity }) => severity)).toEqual(["warning"]);
  });

  it("do not include those that make the render of the sample fail", () => {
    const found = findingsOf("{% if number > 5 %}x{% endif %}", true);

    expect(found.map(({ severity }) => severity)).toEqual(["error", "warning"]);
  });
});
