// Compares the amounts of invoices with the same amounts in whole numbers.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { exactly, textOf } from "./engine.ts";

/** A decimal with at most this many decimals, as a whole number in units of its last decimal. */
type Scaled = { units: bigint; scale: number };

const scaled = (maxUnits: number, scale: number) =>
  fc.integer({ min: 0, max: maxUnits }).map((units): Scaled => ({ units: BigInt(units), scale }));

const line = fc.record({
  price: scaled(99_999_999, 4),
  quantity: scaled(999_999, 3),
  discount: scaled(10_000, 2),
  vat: fc.constantFrom<Scaled>({ units: 0n, scale: 0 }, { units: 70n, scale: 1 }, { units: 1900n, scale: 2 }),
});

const written = ({ units, scale }: Scaled) => {
  const digits = String(units).padStart(scale + 1, "0");
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
};

const halfUp = (dividend: bigint, divisor: bigint) => (2n * dividend + divisor) / (2n * divisor);

it("the amounts of 20,000 baskets with discounts, four decimals and VAT equal the results of integer arithmetic", () => {
  const baskets = fc.sample(fc.array(line, { minLength: 1, maxLength: 6 }), { numRuns: 20_000, seed: 45 });
  const source = `{% for basket in baskets %}{% assign gross = 0 %}{% for line in basket -%}
{% assign part = 100 | minus: line.discount %}{% assign net = line.price | times: line.quantity | times: part | divided_by: 100 | round: 4 -%}
{% assign tax = net | times: line.vat | divided_by: 100, scale: 2 %}{% assign gross = gross | plus: net | plus: tax -%}
{{ net }} {{ tax }} {% endfor %}{{ gross | round: 2 }} {{ gross | number: 2 }} {{ gross | currency: "EUR" }}
{% endfor %}`;
  const expected = baskets.map((basket) => {
    let gross = 0n;
    const amounts = basket.flatMap(({ price, quantity, discount, vat }) => {
      const net = halfUp(price.units * quantity.units * (10_000n - discount.units), 10n ** 7n);
      const tax = halfUp(net * vat.units, 10n ** BigInt(4 + vat.scale));
      gross += net + tax * 100n;
      return [written({ units: net, scale: 4 }), written({ units: tax, scale: 2 })];
    });
    const [whole = "", decimals = ""] = written({ units: halfUp(gross, 100n), scale: 2 }).split(".");
    const grouped = `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${decimals}`;
    return [...amounts, `${whole}.${decimals}`, grouped, `€${grouped}`].join(" ");
  });

  const printed = Array.from({ length: 40 }, (_, n) => {
    const some = baskets.slice(n * 500, n * 500 + 500);
    const values = some.map((basket) =>
      basket.map((each) =>
        Object.fromEntries(Object.entries(each).map(([key, value]) => [key, exactly(written(value))])),
      ),
    );
    return textOf(source, { baskets: values }).trimEnd();
  });

  expect(printed.join("\n").split("\n")).toEqual(expected);
});
