// The clauses that the validator claims: a file violates one of them exactly if the validator reports it. `npm run test:conformance -- --corpus`
// compares this with the files of veraPDF. Every other clause under which something is reported is stricter than the standard.
import { isAccessible, type Conformance } from "colophon-pdf/conformance";

/** Clauses of ISO 19005-2 and ISO 19005-3, with the number of veraPDF's test. */
const ofArchives =
  "6.1.3-1 6.1.7.1-3 6.1.13-1 6.1.13-3 6.1.13-4 6.1.13-8 6.1.13-11 6.2.2-1 6.2.2-2 6.2.3-1 6.2.3-2 6.2.4.2-1 6.2.4.3-2 6.2.4.3-3 6.2.4.3-4 " +
  "6.2.5-1 6.2.5-2 6.2.5-3 6.2.6-1 6.2.8-1 6.2.8-2 6.2.8-3 6.2.9-1 6.2.9-2 6.2.9-3 6.2.10-1 6.2.10-2 6.2.11.3.2-1 6.2.11.4.1-1 " +
  "6.2.11.7.2-1 6.2.11.7.2-2 6.2.11.7.3-1 6.2.11.8-1 6.3.1-1 6.3.2-1 6.3.2-2 6.3.3-1 6.3.3-2 6.3.3-3 6.3.3-4 6.4.1-1 6.4.1-2 6.4.1-3 " +
  "6.4.2-1 6.4.2-2 6.5.1-1 6.5.1-2 6.5.2-1 6.5.2-2 6.6.2.1-1 6.6.2.1-2 6.6.2.1-3 6.6.4-1 6.6.4-2 6.6.4-3 6.6.4-4 6.7.2.2-1 6.7.3.3-1 " +
  "6.7.3.4-1 6.7.3.4-2 6.7.3.4-3 6.7.4-1 6.8-1 6.8-2 6.8-3 6.8-4";

/** Clauses of ISO 14289-1 that PDF/A lacks. */
const ofAccess =
  "5-1 5-2 5-3 5-4 5-5 7.1-1 7.1-2 7.1-3 7.1-4 7.1-9 7.1-10 7.1-12 7.2-2 7.2-3 7.2-4 7.2-5 7.2-6 7.2-7 7.2-8 7.2-9 7.2-10 7.2-11 7.2-12 7.2-13 " +
  "7.2-14 7.2-15 7.2-16 7.2-17 7.2-18 7.2-19 7.2-20 7.2-21 7.2-22 7.2-23 7.2-24 7.2-26 7.2-27 7.2-28 7.2-30 7.2-31 7.2-32 7.2-33 7.2-34 7.2-36 " +
  "7.2-37 7.2-38 7.2-39 7.2-40 7.2-41 7.2-42 7.2-43 7.3-1 7.4.2-1 7.4.4-1 7.4.4-2 7.4.4-3 7.5-1 7.5-2 7.7-1 7.9-1 7.9-2 7.18.1-1 7.18.1-2 " +
  "7.18.2-1 7.18.3-1 7.18.4-1 7.18.4-2 7.18.5-1 7.18.5-2 7.18.8-1 7.20-2";

/** The names of clauses of PDF/A in PDF/UA. */
const inAccess = new Map([
  ["6.1.1-1", "6.1"],
  ["6.2.2-1", "6.1"],
  ["6.2.9-2", "7.20-1"],
  ["6.2.11.3.2-1", "7.21.3.2-1"],
  ["6.2.11.4.1-1", "7.21.4.1-1"],
  ["6.2.11.5-1", "7.21.5-1"],
  ["6.2.11.7.2-1", "7.21.7-1"],
  ["6.2.11.7.2-2", "7.21.7-2"],
  ["6.2.11.8-1", "7.21.8-1"],
  ["6.6.2.1-1", "7.1-8"],
  ["6.7.2.2-1", "6.2-1"],
  ["6.7.3.3-1", "7.1-11"],
  ["6.7.3.4-1", "7.1-5"],
  ["6.7.3.4-2", "7.1-6"],
  ["6.7.3.4-3", "7.1-7"],
  ["6.7.4-1", "7.2-29"],
  ["6.8-2", "7.11-1"],
  ["6.7", "7.1"],
]);

export const claimedClauses: ReadonlySet<string> = new Set(
  `${ofArchives} ${ofAccess}`
    .split(" ")
    .flatMap((clause) => [clause, inAccess.get(clause) ?? clause])
    .filter((clause) => clause !== "6.1"),
);

/** Returns how a clause is called in a file for these standards; undefined if none of them has it. */
export function clauseNames(conformance: readonly Conformance[]): (clause: string) => string | undefined {
  const archive = conformance.find((name) => name !== "pdf/ua-1");
  const forAccess = conformance.includes("pdf/ua-1");
  return (clause) => {
    if (!clause.startsWith("6.")) return forAccess ? clause : undefined;
    return archive && levelHas(archive, clause) ? clause : forAccess ? inAccess.get(clause) : undefined;
  };
}

function levelHas(archive: Conformance, clause: string): boolean {
  if (/^6\.(?:7|2\.11\.7\.3)\b/.test(clause)) return isAccessible([archive]);
  return !clause.startsWith("6.2.11.7.") || !archive.endsWith("b");
}
