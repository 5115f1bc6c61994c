// The regions in which the platform creates Durable Objects, and therefore browsers. The names are its location hints
// (https://developers.cloudflare.com/durable-objects/reference/data-location/). The platform maps all other hints to these.

export const regions = ["wnam", "enam", "weur", "eeur", "apac", "oc"] as const;
export type Region = (typeof regions)[number];

/**
 * The jurisdictions in which the platform can be required to keep data. Objects, databases, buckets and queues can be created in one, and
 * cannot be moved.
 */
export const jurisdictions = ["eu", "us", "fedramp"] as const;
export type Jurisdiction = (typeof jurisdictions)[number];

/** A continent's region, and the region of its part west or east of a longitude. */
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

/** The other regions, sorted by their round-trip times between public clouds, the shortest first. */
const neighbours: Record<Region, readonly Region[]> = {
  wnam: ["enam", "weur", "oc", "eeur", "apac"],
  enam: ["wnam", "weur", "eeur", "oc", "apac"],
  weur: ["eeur", "enam", "wnam", "apac", "oc"],
  eeur: ["weur", "enam", "wnam", "apac", "oc"],
  apac: ["oc", "weur", "wnam", "eeur", "enam"],
  oc: ["apac", "wnam", "enam", "weur", "eeur"],
};

/**
 * Returns the region of a request with this `cf`, or Eastern North America if it is unknown. Any property of `cf` may be
 * missing or have a different type.
 */
export function regionOf(cf: object | null | undefined): Region {
  const { continent, longitude }: { continent?: unknown; longitude?: unknown } = cf ?? {};
  const { region, west, east } = continents.get(continent) ?? { region: "enam" };
  // `request.cf` contains the longitude as a string.
  const degrees = typeof longitude === "string" && longitude !== "" ? Number(longitude) : Number.NaN;
  if (west && degrees < west[0]) return west[1];
  return east && degrees > east[0] ? east[1] : region;
}

/** Returns whichever of `others` is nearest to `region`, or `region` if `others` is empty. */
export function nearestRegion(region: Region, others: readonly Region[]): Region {
  return [region, ...neighbours[region]].find((candidate) => others.includes(candidate)) ?? region;
}

export function isRegion(value: unknown): value is Region {
  return (regions as readonly unknown[]).includes(value);
}
