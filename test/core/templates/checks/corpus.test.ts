import { describe, expect, it } from "vitest";
import { findingsOf } from "./corpus/base.ts";
import { correct } from "./corpus/correct.ts";
import { plantedInLiquid } from "./corpus/planted-in-liquid.ts";
import { plantedInParts } from "./corpus/planted-in-parts.ts";
import { plantedInMarkup } from "./corpus/planted-in-markup.ts";

it.each([...plantedInLiquid, ...plantedInMarkup, ...plantedInParts])(
  "a push of %j says only: %s",
  (template, expected) => {
    expect(findingsOf(template).map(({ line, message }) => `${line}: ${message}`)).toEqual([expected]);
  },
);

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
