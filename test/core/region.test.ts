import { describe, expect, it } from "vitest";
import { byDistance, hostOf, hostRegions, regionOf, regions, type Region } from "../../src/core/region.ts";

const at = (latitude: number, longitude: number) => ({ latitude: String(latitude), longitude: String(longitude) });

describe("the region of a request", () => {
  it.each<[string, [number, number], Region]>([
    ["San Francisco", [37.77, -122.42], "wnam"],
    ["Honolulu", [21.3, -157.86], "wnam"],
    ["Dallas", [32.78, -96.8], "enam"],
    ["New York", [40.71, -74.01], "enam"],
    ["Bogotá", [4.71, -74.07], "sam"],
    ["São Paulo", [-23.55, -46.63], "sam"],
    ["Reykjavik", [64.15, -21.94], "weur"],
    ["Berlin", [52.52, 13.4], "weur"],
    ["Warsaw", [52.23, 21.01], "eeur"],
    ["Istanbul", [41.01, 28.98], "eeur"],
    ["Mumbai", [19.08, 72.88], "apac"],
    ["Tokyo", [35.68, 139.69], "apac"],
    ["Jakarta", [-6.21, 106.85], "apac"],
    ["Perth", [-31.95, 115.86], "oc"],
    ["Auckland", [-36.85, 174.76], "oc"],
    ["Suva, beyond which the longitude changes its sign", [-18.14, 178.44], "oc"],
    ["Apia, on the other side of the date line", [-13.83, -171.76], "oc"],
    ["Nairobi", [-1.29, 36.82], "afr"],
    ["Cape Town", [-33.92, 18.42], "afr"],
    ["Dubai", [25.2, 55.27], "me"],
  ])("from %s is that of the nearest large city", (_place, [latitude, longitude], region) => {
    expect(regionOf(at(latitude, longitude))).toBe(region);
  });

  it("is that of the data centre, if the caller's provider carries the request far away", () => {
    expect(regionOf({ colo: "LHR", country: "ZA", continent: "AF", ...at(-33.92, 18.42) })).toBe("weur");
  });

  it("is that of the caller's position if the data centre is not known", () => {
    expect(regionOf({ colo: "XXX", ...at(-33.92, 18.42) })).toBe("afr");
  });

  it("is that of the country, and otherwise that of the continent, if there is no position", () => {
    expect(regionOf({ country: "PL", continent: "EU" })).toBe("eeur");
    expect(regionOf({ country: "FR", continent: "EU" })).toBe("weur");
    expect(regionOf({ country: "AE", continent: "AS" })).toBe("me");
    expect(regionOf({ country: "JP", continent: "AS" })).toBe("apac");
    expect(regionOf({ continent: "AN" })).toBe("oc");
  });

  it.each([
    undefined,
    null,
    {},
    { country: "T1" },
    { colo: null, latitude: null, longitude: null, country: null, continent: null },
    { colo: 7, latitude: 52, longitude: 5, country: [], continent: {} },
    { latitude: "", longitude: "" },
    { latitude: "north", longitude: "5" },
    { latitude: "91", longitude: "5" },
    { latitude: "52", longitude: "-181" },
    { latitude: "NaN", longitude: "Infinity" },
    { latitude: "52" },
    { colo: "__proto__", country: "constructor", continent: "toString" },
  ])("is Eastern North America if nothing usable is known (%j)", (origin) => {
    expect(regionOf(origin)).toBe("enam");
  });
});

describe("the region that hosts objects", () => {
  it("is the region itself where the platform creates objects", () => {
    for (const region of hostRegions) expect(hostOf(region)).toBe(region);
  });

  it("is a neighbour where it creates none", () => {
    expect([hostOf("sam"), hostOf("afr"), hostOf("me")]).toEqual(["enam", "weur", "eeur"]);
  });
});

describe("the order by distance", () => {
  it("begins with the region itself", () => {
    for (const region of regions) expect(byDistance(region, regions)[0]).toBe(region);
  });

  it("goes from near to far", () => {
    expect(byDistance("weur", hostRegions)).toEqual(["weur", "eeur", "enam", "wnam", "apac", "oc"]);
    expect(byDistance("oc", hostRegions).slice(0, 2)).toEqual(["oc", "apac"]);
  });
});
