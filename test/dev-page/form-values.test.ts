import { describe, expect, it } from "vitest";
import { valueAt, withValue } from "../../src/dev-page/data/form-values.ts";

describe("a value in the data of the form", () => {
  const data = { name: "A", items: [{ price: 1 }, { price: 2 }], address: { city: "X" } };

  it("is found by its path", () => {
    expect(valueAt(data, ["items", 1, "price"])).toBe(2);
    expect(valueAt(data, ["items", 5, "price"])).toBeUndefined();
    expect(valueAt(data, ["constructor"])).toBeUndefined();
  });

  it("is replaced in its place without changing the original", () => {
    const changed = withValue(data, ["items", 0, "price"], 9);

    expect(JSON.stringify(changed)).toBe('{"name":"A","items":[{"price":9},{"price":2}],"address":{"city":"X"}}');
    expect(data.items[0]?.price).toBe(1);
  });

  it("is removed when it becomes absent, and the objects that contain it are created when they are missing", () => {
    expect(withValue(data, ["name"], undefined)).toEqual({ items: data.items, address: data.address });
    expect(withValue({}, ["seller", "name"], "B")).toEqual({ seller: { name: "B" } });
    expect(withValue({}, ["tags", 0], "B")).toEqual({ tags: ["B"] });
  });
});
