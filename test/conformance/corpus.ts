// Compares our validator with the corpus of veraPDF, the public repository veraPDF/veraPDF-corpus. The name of a file there says which clause it
// violates, or for which it is an example. A file that violates a clause must be reported with it, and an example with no claimed clause.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { checkFile } from "colophon-pdf-conformance/check-conformance";
import { claimedClauses } from "colophon-pdf-conformance/clauses";
import type { Conformance } from "colophon-pdf/conformance";
import { openAny } from "./open-any.ts";

const folders = new Map<string, Conformance>([
  ["PDF_A-2b", "pdf/a-2b"],
  ["PDF_A-2u", "pdf/a-2u"],
  ["PDF_A-2a", "pdf/a-2a"],
  ["PDF_A-3b", "pdf/a-3b"],
  ["PDF_UA-1", "pdf/ua-1"],
]);

/** The names of some files have numbers of an older list of tests. The clauses are those that veraPDF reports for them. */
const renamed: [RegExp, string][] = [
  [/^6\.1\.7\.1-3/, "6.1.7.1-1"],
  [/^6\.1\.7\.1-4/, "6.1.7.1-3"],
  [/^6\.1\.13-8/, "6.1.13-10"],
  [/^6\.2\.2-2/, "6.2.6-1"],
  [/^6\.2\.2-4/, "6.2.2-2"],
  [/^6\.2\.3-1/, "6.2.3-1 6.2.4.3-2"],
  [/^6\.2\.3-3/, "6.2.3-1"],
  [/^6\.2\.4\.[45]-1/, "6.2.4.3-2"],
  [/^6\.2\.5-3/, "6.2.5-4"],
  [/^6\.2\.5-4/, "6.2.5-5"],
  [/^6\.2\.5-5/, "6.2.6-1"],
  [/^6\.2\.8\.1-1/, "6.2.8-1"],
  [/^6\.2\.8\.1-2/, "6.2.8-3"],
  [/^6\.2\.8\.1-3/, "6.2.6-1"],
  [/^6\.2\.9\.1-1/, "6.2.9-1"],
  [/^6\.2\.9\.2-1/, "6.2.9-2"],
  [/^6\.2\.9\.3-1/, "6.2.9-3"],
  [/^6\.2\.10-2/, "6.2.10-1"],
  [/^6\.2\.10-/, "6.2.10-2 6.2.4.3-2"],
  [/^6\.2\.11\.7\.2-1 fail-f/, "6.2.11.3.1-1"],
  // Its font is of Type 1 and names its glyphs in its program, which the validator does not read: it refuses such fonts.
  [/^6\.2\.11\.7\.2-1 pass-e/, ""],
  [/^6\.5\.2-1/, "6.5.2-1 6.4.1-1"],
  [/^6\.8-1/, "6.8-3"],
  [/^6\.8-2/, "6.8-4"],
  [/^7\.18\.7-1/, "7.11-1"],
];

const least = 0.98;

export async function compareWithCorpus(folder: string): Promise<void> {
  const counts = new Map<string, { agree: number; files: number }>();
  for (const [name, conformance] of folders) {
    const files = await readdir(join(folder, name), { recursive: true });
    for (const file of files.filter((path) => path.endsWith(".pdf")).sort()) {
      const expected = expectationOf(file);
      if (!expected) continue;
      const bytes = await readFile(join(folder, name, file));
      const problems = checkFile(() => openAny(bytes), [conformance], ".notdef");
      const found = problems.map(({ clause }) => clause).filter((clause) => claimedClauses.has(clause));
      const agrees = expected.isValid
        ? found.length === 0
        : found.some((clause) => expected.clauses.has(withoutTest(clause)));
      const key = `${conformance} ${expected.name}`;
      const count = counts.get(key) ?? { agree: 0, files: 0 };
      counts.set(key, { agree: count.agree + Number(agrees), files: count.files + 1 });
      if (!agrees)
        console.log(
          `DISAGREES ${name}/${file}: ${problems.map((p) => `${p.clause} (${p.message})`).join(", ") || "no problem"}`,
        );
    }
  }
  const total = { agree: 0, files: 0 };
  for (const [clause, { agree, files }] of counts) {
    console.log(`${agree} of ${files} files agree: ${clause}`);
    total.agree += agree;
    total.files += files;
    if (agree < files * least) process.exitCode = 1;
  }
  console.log(`${total.agree} of ${total.files} files agree, ${((100 * total.agree) / total.files).toFixed(1)} %.`);
  if (total.files === 0 || total.agree < total.files * least) process.exitCode = 1;
}

function expectationOf(file: string) {
  const [, dashed = "", test, kind = "", letter] = /([\d.-]+)-t(\d+)-(pass|fail)-(\w+)\.pdf$/.exec(file) ?? [];
  const name = dashed.replaceAll("-", ".");
  const id = `${name}-${Number(test)}`;
  const tests = renamed.find(([pattern]) => pattern.test(`${id} ${kind}-${letter}`))?.[1].split(" ") ?? [id];
  if (!tests.some((clause) => claimedClauses.has(clause))) return null;
  return { name, isValid: kind === "pass", clauses: new Set(tests.map(withoutTest)) };
}

function withoutTest(clause: string): string {
  return clause.replace(/-\d+$/, "");
}
