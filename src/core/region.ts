// The regions in which the platform creates Durable Objects, and with them browsers, by the names of its location hints
// (https://developers.cloudflare.com/durable-objects/reference/data-location/). The platform replaces the other hints by one of these.

export const regions = ["wnam", "enam", "weur", "eeur", "apac", "oc"] as const;
export type Region = (typeof regions)[number];

/** The region of a continent, and the region of its part that is west or east of a longitude. */
type Continent = { region: Region; west?: readonly [number, Region]; east?: readonly [number, Region] };

const continents = new Map<unknown, Continent>([
  ["NA", { region: "enam", west: [-100, "wnam"] }],
  ["SA", { region: "enam" }],
  ["EU", { region: "weur", east: [17, "eeur"] }],
  ["AF", { region: "weur" }],
  ["AS", { region: "apac", west: [60, "eeur"] }],
  ["OC", { region: "oc" }],
  ["AN", { region: "oc" }],
]);

/** The other regions by their round trips in the networks of public clouds, the shortest first. */
const neighbours: Record<Region, readonly Region[]> = {
  wnam: ["enam", "weur", "oc", "eeur", "apac"],
  enam: ["wnam", "weur", "eeur", "oc", "apac"],
  weur: ["eeur", "enam", "wnam", "apac", "oc"],
  eeur: ["weur", "enam", "wnam", "apac", "oc"],
  apac: ["oc", "weur", "wnam", "eeur", "enam"],
  oc: ["apac", "wnam", "enam", "weur", "eeur"],
};

/**
 * Returns the region in which a request with this `cf` came in, or Eastern North America if that is unknown. Any property of a
 * `cf` may be missing or have a different type.
 */
export function regionOf(cf: object | null | undefined): Region {
  const { continent, longitude }: { continent?: unknown; longitude?: unknown } = cf ?? {};
  const { region, west, east } = continents.get(continent) ?? { region: "enam" };
  // `request.cf` has the longitude as text.
  const degrees = typeof longitude === "string" && longitude !== "" ? Number(longitude) : Number.NaN;
  if (west && degrees < west[0]) return west[1];
  return east && degrees > east[0] ? east[1] : region;
}

/** Returns the nearest of the given regions to `region`, or `region` if none are given. */
export function nearestRegion(region: Region, others: readonly Region[]): Region {
  return [region, ...neighbours[region]].find((candidate) => others.includes(candidate)) ?? region;
}

export function isRegion(value: unknown): value is Region {
  return (regions as readonly unknown[]).includes(value);
}
