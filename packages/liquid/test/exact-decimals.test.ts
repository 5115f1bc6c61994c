// Numbers of the type `decimal`: exact in every filter and comparison, whatever their size.
import { expect, it } from "vitest";
import { parseDecimal } from "../src/values.ts";
import { exactly, problemOf, textOf } from "./engine.ts";

const data = {
  price: exactly("19.00"),
  same: exactly("19"),
  rate: exactly("0.19"),
  tenth: exactly("0.1"),
  large: exactly("12345678901234567890.12"),
  tiny: exactly("0.00000000000000000001"),
  debt: exactly("-7.5"),
  zero: exactly("-0.00"),
  number: 0.2,
  whole: 3,
  list: [exactly("10"), exactly("9.5"), exactly("10.00"), 9.75, exactly("-0.5")],
  rows: [
    { rate: exactly("7.0"), net: exactly("0.10") },
    { rate: exactly("19"), net: exactly("0.20") },
    { rate: 7, net: exactly("0.30") },
  ],
};

it.each([
  ["price", "19.00"],
  ["same", "19"],
  ["price | json", "19.00"],
  ["large | append: ''", "12345678901234567890.12"],
  ["price | plus: same", "38.00"],
  ["tenth | plus: number", "0.3"],
  ["0.2 | plus: tenth", "0.3"],
  ["'0.2' | plus: tenth", "0.3"],
  ["large | plus: tiny", "12345678901234567890.12000000000000000001"],
  ["large | plus: 0.000000000000000000001", "12345678901234567890.120000000000000000001"],
  ["tenth | minus: 0.35", "-0.25"],
  ["price | times: rate", "3.61"],
  ["price | times: whole", "57.00"],
  ["price | times: 1.0", "19.00"],
  ["same | divided_by: 2", "9.5"],
  ["price | divided_by: 4", "4.75"],
  ["price | divided_by: 10", "1.90"],
  ["same | divided_by: 3", "6.33333333333333333333"],
  ["same | divided_by: 3, scale: 2", "6.33"],
  ["same | divided_by: whole, scale: 0", "6"],
  ["debt | divided_by: 2, scale: 1", "-3.8"],
  ["7 | divided_by: 2, scale: 3", "3.500"],
  ["tiny | divided_by: 2", "0.00000000000000000001"],
  ["price | modulo: 7", "5.00"],
  ["debt | modulo: 2", "0.5"],
  ["7.5 | modulo: debt", "0.0"],
  ["debt | abs", "7.5"],
  ["debt | ceil", "-7"],
  ["debt | floor", "-8"],
  ["large | ceil", "12345678901234567891"],
  ["price | floor", "19"],
  ["debt | round", "-8"],
  ["same | round: 2", "19.00"],
  ["large | round: 1", "12345678901234567890.1"],
  ["large | round: -3", "12345678901234568000"],
  ["tiny | at_least: 0", "0.00000000000000000001"],
  ["tiny | at_least: 0.1", "0.1"],
  ["0 | at_least: tiny", "0.00000000000000000001"],
  ["large | at_most: 12345678901234567890.11", "12345678901234567890.11"],
  ["list | sum", "38.75"],
  ["rows | sum: 'net'", "0.60"],
  ["list | sort | join: ' '", "-0.5 9.5 9.75 10 10.00"],
  ["list | uniq | join: ' '", "10 9.5 9.75 -0.5"],
  ["rows | where: 'rate', 7 | size", "2"],
  ["rows | group_by: 'rate' | map: 'name' | join: ' '", "7.0 19"],
  ["large | currency: 'EUR'", "€12,345,678,901,234,567,890.12"],
  ["large | number: 3", "12,345,678,901,234,567,890.120"],
  ["'12345678901234567890.12' | number: 2", "12,345,678,901,234,567,890.12"],
  ["rate | percent", "19%"],
  ["rate | percent: 2", "19.00%"],
  ["zero | currency: 'EUR'", "€0.00"],
  ["debt | currency: 'EUR'", "-€7.50"],
  ["same | plural: 'item', 'items'", "items"],
  ["price | prepend: '#' | append: '.'", "#19.00."],
  ["price | default: 1", "19.00"],
  ["price.size", ""],
])("an exact decimal: `%s` prints %s", (expression, expected) => {
  expect(textOf(`{{ ${expression} }}`, data)).toBe(expected);
});

it.each([
  ["price == same", true],
  ["price == 19", true],
  ["price == 19.0", true],
  ["price != '19.00'", true],
  ["large == 12345678901234567890.12", true],
  ["large == 12345678901234567890.13", false],
  ["large > 12345678901234567890", true],
  ["tiny > 0", true],
  ["tiny <= 0", false],
  ["debt < number", true],
  ["zero == 0", true],
  ["list contains 9.50", true],
  ["(1..20) contains same", true],
  ["price < nil", false],
])("an exact decimal: `%s` is %s", (condition, expected) => {
  expect(textOf(`{% if ${condition} %}true{% else %}false{% endif %}`, data)).toBe(String(expected));
});

it("an exact decimal matches the case of an equal number", () => {
  expect(textOf("{% case price %}{% when 19 %}full{% else %}other{% endcase %}", data)).toBe("full");
});

it.each([
  ["price | divided_by: 0", "`divided_by`: nothing can be divided by 0"],
  ["price | divided_by: zero, scale: 2", "`divided_by`: nothing can be divided by 0"],
  ["price | modulo: zero", "`modulo`: nothing can be divided by 0"],
  ["price | divided_by: 3, scale: 101", "the scale of `divided_by` must be from 0 to 100"],
  ["price | divided_by: 3, scale: 1.5", "the scale of `divided_by` must be a whole number"],
  ["price | round: 300", "a decimal exceeds 300 characters; round it"],
])("an exact decimal: `%s` fails: %s", (expression, reason) => {
  expect(problemOf(`{{ ${expression} }}`, data).reason).toBe(reason);
});

it("an exact decimal has at most 300 characters, also in a calculation", () => {
  const grown = "{% assign n = price %}{% for i in (1..1000) %}{% assign n = n | times: 1.0001 %}{% endfor %}";

  expect(problemOf(grown, data).reason).toBe("a decimal exceeds 300 characters; round it");
  expect(parseDecimal("1".repeat(300))).not.toBeNull();
  expect(["1".repeat(301), "1e300", "1e-301", "1e999999999999"].map(parseDecimal)).toEqual([null, null, null, null]);
});

it("an exact decimal counts towards the memory of variables", () => {
  const amounts = (count: number) => Array.from({ length: count }, (_, n) => exactly(`${n}.${"3".repeat(250)}`));
  const source = "{% assign held = amounts %}{% for n in (1..30) %}{% assign x = text | append: n %}{% endfor %}";

  expect(problemOf(source, { amounts: amounts(30_000), text: "x".repeat(200_000) }).reason).toMatch(/too much data/);
  expect(textOf(source, { amounts: amounts(300), text: "x".repeat(200_000) })).toBe("");
});

it("an exact decimal cannot be compared with a string", () => {
  expect(problemOf("{% if price < '20' %}{% endif %}", data).reason).toBe("a number cannot be compared with a string");
});

it.each([
  ["12345678901234567890", "12345678901234567890"],
  ["0.1234567890123456789 | times: 10", "1.2345678901234567890"],
  ["9007199254740993 | minus: 1", "9007199254740992"],
  ["'1000000000000000000000' | plus: 0.5", "1000000000000000000000.5"],
  ["1000000000000000000000 | plus: 0", "1000000000000000000000"],
  ["'9007199254740993.1' | plus: 1", "9007199254740994.1"],
])("a number that is written in a template keeps all of its digits: `%s` prints %s", (expression, expected) => {
  expect(textOf(`{{ ${expression} }}`)).toBe(expected);
});
