import { expect, it } from "vitest";
import { nearestRegion, regionOf, regions, type Region } from "../../src/core/region.ts";

it.each<[string, object, Region]>([
  ["San Francisco", { continent: "NA", longitude: "-122.42" }, "wnam"],
  ["New York", { continent: "NA", longitude: "-74.01" }, "enam"],
  ["North America", { continent: "NA" }, "enam"],
  ["São Paulo", { continent: "SA", longitude: "-46.63" }, "enam"],
  ["Lisbon", { continent: "EU", longitude: "-9.14" }, "weur"],
  ["Warsaw", { continent: "EU", longitude: "21.01" }, "eeur"],
  ["Europe", { continent: "EU" }, "weur"],
  ["Cape Town", { continent: "AF", longitude: "18.42" }, "weur"],
  ["Dubai", { continent: "AS", longitude: "55.27" }, "eeur"],
  ["Mumbai", { continent: "AS", longitude: "72.88" }, "apac"],
  ["Sydney", { continent: "OC", longitude: "151.21" }, "oc"],
  ["Antarctica", { continent: "AN" }, "oc"],
])("the region of a request from %s depends on the continent", (_place, origin, region) => {
  expect(regionOf(origin)).toBe(region);
});

it.each([
  undefined,
  null,
  {},
  { continent: "T1" },
  { continent: {}, longitude: 5 },
  { continent: "toString", longitude: "-122" },
  { continent: "NA", longitude: "" },
  { continent: "NA", longitude: "west" },
  { continent: "NA", longitude: -122 },
])("the region of a request is Eastern North America if its location is unknown (%j)", (origin) => {
  expect(regionOf(origin)).toBe("enam");
});

it.each<[Region, Region[], Region]>([
  ["wnam", ["weur", "enam"], "enam"],
  ["oc", ["enam", "apac"], "apac"],
  ["eeur", ["oc", "weur"], "weur"],
  ["apac", ["enam"], "enam"],
])("the region nearest to %s among %j is %s", (region, others, nearest) => {
  expect(nearestRegion(region, others)).toBe(nearest);
});

it("every pair of regions has a nearest region, and each region is nearest to itself", () => {
  for (const region of regions) {
    for (const other of regions) expect(nearestRegion(region, [other])).toBe(other);
    expect(nearestRegion(region, regions)).toBe(region);
  }
});
