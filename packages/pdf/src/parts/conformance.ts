// The standards that a file can conform to.

export const conformances = ["pdf/a-2b", "pdf/a-2u", "pdf/a-3b", "pdf/a-3u"] as const;
export type Conformance = (typeof conformances)[number];

/** Returns the XMP properties by which readers recognise the version and the level. */
export function identification(conformance: readonly Conformance[]): string[] {
  return conformance.map((value) => {
    const [part, level] = value.slice(-2);
    return `<pdfaid:part>${part}</pdfaid:part>\n<pdfaid:conformance>${level?.toUpperCase()}</pdfaid:conformance>`;
  });
}
