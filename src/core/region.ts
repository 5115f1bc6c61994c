// The regions of the platform: where a request came in, and where Durable Objects and browsers for it can be. The names
// are the platform's location hints (https://developers.cloudflare.com/durable-objects/reference/data-location/). The narrower
// hints `apac-ne` and `apac-se` are not used, because the documentation recommends `apac`.

export const regions = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"] as const;
export type Region = (typeof regions)[number];

/** A region in which the platform really creates Durable Objects and replicas of D1. */
export type HostRegion = Exclude<Region, "sam" | "afr" | "me">;
export const hostRegions: readonly HostRegion[] = ["wnam", "enam", "weur", "eeur", "apac", "oc"];

/** The `cf` of a request. Any of the properties that are used here may be missing or have another type. */
export type RequestOrigin = object;
type Places = { colo?: unknown; latitude?: unknown; longitude?: unknown; country?: unknown; continent?: unknown };

/** The region of a request about whose origin nothing is known, for example of a request in a test. */
const defaultRegion: Region = "enam";

/**
 * Returns the region in which the request came in. The data centre that handles the request decides if it is known here,
 * because every further hop starts there. Otherwise the caller's position decides, then the country and the continent.
 */
export function regionOf(origin: RequestOrigin | null | undefined): Region {
  const { colo, latitude, longitude, country, continent }: Places = origin ?? {};
  return (
    regionByColo.get(text(colo)) ??
    regionAt(coordinate(latitude, 90), coordinate(longitude, 180)) ??
    regionByCountry.get(text(country)) ??
    regionByContinent.get(text(continent)) ??
    defaultRegion
  );
}

/**
 * Returns where the platform creates an object with this location hint. It creates none in South America, Africa and the
 * Middle East. Eastern North America is documented as the substitute for South America; for the others, "a nearby
 * location" is documented, and the nearest one by network is assumed.
 */
export function hostOf(region: Region): HostRegion {
  return isHostRegion(region) ? region : substitutes[region];
}

export function isRegion(value: unknown): value is Region {
  return (regions as readonly unknown[]).includes(value);
}

export function isHostRegion(value: unknown): value is HostRegion {
  return (hostRegions as readonly unknown[]).includes(value);
}

/** Returns the given regions, the nearest to `region` first. */
export function byDistance<R extends Region>(region: Region, others: readonly R[]): R[] {
  const distance = (other: Region) => distanceKm(centres[region], centres[other]);
  return others.toSorted((a, b) => distance(a) - distance(b));
}

const substitutes = { sam: "enam", afr: "weur", me: "eeur" } as const;

type Position = readonly [latitude: number, longitude: number];

/** The large cities of each region, as latitude and longitude. The region of a position is that of the nearest city. */
const cities: Record<Region, Position[]> = {
  wnam: positions("34,-118 37,-122 47,-122 40,-105 33,-112"),
  enam: positions("39,-77 41,-74 34,-84 42,-88 26,-80 44,-79 33,-97"),
  sam: positions("-23,-47 -35,-58 -33,-71 -12,-77 -4,-39"),
  weur: positions("52,0 52,5 49,2 40,-4 50,8 45,9 59,18 65,-20"),
  eeur: positions("52,21 48,16 44,26 38,24 60,25 56,38 41,29 43,77"),
  apac: positions("36,140 37,127 22,114 1,104 19,73 29,77 13,101 -6,107"),
  oc: positions("-34,151 -38,145 -32,116 -37,175 -28,153"),
  afr: positions("-26,28 -34,18 -1,37 6,3 15,-17"),
  me: positions("25,55 25,47 32,35 30,31 29,48"),
};

/** A position in the middle of each region's network, for the distances between regions. */
const centres: Record<Region, Position> = {
  wnam: [37, -122],
  enam: [39, -77],
  sam: [-23, -47],
  weur: [52, 5],
  eeur: [52, 21],
  apac: [1, 104],
  oc: [-34, 151],
  afr: [-26, 28],
  me: [25, 55],
};

function positions(text: string): Position[] {
  return text.split(" ").map((position) => {
    const [latitude = 0, longitude = 0] = position.split(",").map(Number);
    return [latitude, longitude];
  });
}

function regionAt(latitude: number | null, longitude: number | null): Region | null {
  if (latitude === null || longitude === null) return null;
  let nearest: { region: Region; km: number } | null = null;
  for (const region of regions) {
    const km = Math.min(...cities[region].map((city) => distanceKm(city, [latitude, longitude])));
    if (!nearest || km < nearest.km) nearest = { region, km };
  }
  return nearest?.region ?? null;
}

/** Returns the length of the great circle between two positions, by the haversine formula. */
function distanceKm([latitudeA, longitudeA]: Position, [latitudeB, longitudeB]: Position): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const haversine = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2;
  const chord =
    haversine(latitudeB - latitudeA) +
    Math.cos(radians(latitudeA)) * Math.cos(radians(latitudeB)) * haversine(longitudeB - longitudeA);
  return 2 * 6_371 * Math.asin(Math.min(1, Math.sqrt(chord)));
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns the coordinate, which `request.cf` has as text; null if it is missing or out of range. */
function coordinate(value: unknown, max: number): number | null {
  const degrees = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
  return Math.abs(degrees) <= max ? degrees : null;
}

/**
 * The large data centres, by airport code. Internet providers carry traffic to them from far away, so the caller's position
 * would give the wrong region. Smaller data centres are found by the caller's position.
 */
const colos: Partial<Record<Region, string>> = {
  wnam: "LAX SJC SFO SEA PDX DEN PHX LAS SLC YVR",
  enam: "IAD EWR JFK BOS ATL MIA ORD DFW IAH YYZ YUL QRO MEX",
  sam: "GRU GIG EZE SCL LIM BOG FOR",
  weur: "LHR LGW MAN DUB AMS FRA DUS HAM MUC TXL BER CDG MRS MAD BCN LIS MXP FCO ZRH GVA BRU LUX CPH ARN OSL",
  eeur: "WAW PRG VIE BUD OTP SOF ATH BEG HEL RIX TLL VNO KBP IST DME",
  apac: "SIN HKG NRT KIX ICN TPE BOM DEL MAA BKK KUL CGK MNL SGN HAN",
  oc: "SYD MEL BNE PER ADL AKL",
  afr: "JNB CPT DUR NBO LOS ACC",
  me: "DXB DOH RUH JED BAH KWI MCT TLV AMM CAI",
};

/** Countries that are not in the region of their continent. */
const countries: Partial<Record<Region, string>> = {
  eeur: "AL BA BG BY CZ EE FI GR HR HU LT LV MD ME MK PL RO RS RU SI SK TR UA XK CY GE AM AZ KZ",
  me: "AE BH EG IL IQ IR JO KW LB OM PS QA SA SY YE",
};

const regionByColo = byCode(colos);
const regionByCountry = byCode(countries);
const regionByContinent = byCode({ afr: "AF", apac: "AS", weur: "EU", enam: "NA", oc: "OC AN", sam: "SA" });

function byCode(codes: Partial<Record<Region, string>>): Map<string, Region> {
  const entries = regions.flatMap((region) => codes[region]?.split(" ").map((code) => [code, region] as const) ?? []);
  return new Map(entries);
}
