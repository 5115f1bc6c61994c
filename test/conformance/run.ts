// Validates PDF files with veraPDF, and prints a line for each file with the clauses that it violates.
//   npm run test:conformance                          the samples and the difficult pages, and merged files; CI runs this
//   npm run test:conformance -- --generated 1000      also documents that are generated from the seeds 1 to 1,000
//   npm run test:conformance -- --conformance pdf/a-2a --conformance pdf/ua-1      each file must conform to both
//   npm run test:conformance -- --damaged 10000       damaged files that our validator accepts, for PDF/A-2a and PDF/UA-1; with `--from 10000`
//                                                     from different seeds
//   npm run test:conformance -- 2b FILE...            files; also 2u, 3b, 3u, ua1 and the other flavours of veraPDF
//   npm run test:conformance -- --corpus DIR          compares our validator with the files of veraPDF/veraPDF-corpus in DIR; needs no Java
// CHROMIUM_VERSION chooses a browser as for the tests. A document that the service refuses is no failure; its reason is printed.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { conformances, type Conformance } from "colophon-pdf/conformance";
import { pdfMerger } from "colophon-pdf/merge-pdfs";
import { afterBuild } from "../../packages/templates/src/render/build-files.ts";
import { compareWithCorpus } from "./corpus.ts";
import { acceptedFiles } from "./damaged.ts";
import { difficultPages, generated, samples } from "./documents.ts";
import { verdictsOf } from "./verapdf.ts";

const options = {
  conformance: { type: "string", multiple: true },
  generated: { type: "string", default: "0" },
  damaged: { type: "string", default: "0" },
  from: { type: "string", default: "0" },
  corpus: { type: "string" },
} as const;

try {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [flavour, ...files] = positionals;
  const { conformance: wanted = ["pdf/a-2b"] } = values;
  const conformance = conformances.filter((name) => wanted.includes(name));
  if (conformance.length < wanted.length) throw new Error(`--conformance must be one of ${conformances.join(", ")}.`);
  if (values.corpus !== undefined) await compareWithCorpus(values.corpus);
  else if (Number(values.damaged) > 0) await validateDamaged(Number(values.damaged), Number(values.from));
  else if (flavour === undefined) await validateDocuments(conformance, Number(values.generated));
  else if (files.length > 0) await validate(flavour, files);
  else throw new Error("Pass files after the flavour: npm run test:conformance -- 2b FILE...");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function validateDamaged(count: number, from: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "damaged-"));
  try {
    const files = await acceptedFiles({ count, from }, folder);
    for (const flavour of ["2a", "ua1"]) await validate(flavour, files);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function validateDocuments(conformance: readonly Conformance[], count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  try {
    const seeds = Array.from({ length: count }, (_, index) => generated(index + 1));
    const documents = [...(await samples()), ...difficultPages(), ...seeds];
    const { renderAll } = await afterBuild(() => import("./render.ts"));
    const rendered = await renderAll(documents, { folder, conformance });
    for (const { name, refusal } of rendered) if (refusal !== null) console.log(`refused  ${name} ${refusal}`);
    const files = rendered.flatMap(({ file, refusal }) => (refusal === null ? file : []));
    const mergeable = files.filter((file) => basename(file) !== "einvoice.pdf");
    files.push(...(await merged(mergeable, { folder, conformance })));
    // The names of veraPDF are `2b`, `ua1` and so on.
    for (const name of conformance) await validate(name.replace(/^pdf\/(?:a-)?|-/g, ""), files);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Merges all files, as for a batch, each of them twice, so that they share streams. */
async function merged(
  files: readonly string[],
  { folder, conformance }: { folder: string; conformance: readonly Conformance[] },
): Promise<string[]> {
  return Promise.all(
    [false, true].map(async (startsOdd) => {
      const about = { title: "Merged \u0001", language: "en", createdAt: 0 };
      const merger = pdfMerger({ ...about, startsOdd, conformance });
      const parts: Uint8Array[] = [];
      for (const file of [...files, ...files.slice(0, 30)])
        parts.push(merger.add(await readFile(file), basename(file)).bytes);
      const file = join(folder, `merged-${startsOdd ? "odd" : "any"}.pdf`);
      await writeFile(file, Buffer.concat([...parts, merger.finish()]));
      return file;
    }),
  );
}

async function validate(flavour: string, files: readonly string[]): Promise<void> {
  const verdicts = await verdictsOf(flavour, files);
  const wrong = verdicts.filter(({ problems }) => problems.length > 0);
  for (const { file, problems } of verdicts) {
    const result = problems.length === 0 ? "conforms" : "VIOLATES";
    console.log([result, basename(file), problems.join(" | ")].join(" ").trimEnd());
  }
  console.log(`${verdicts.length - wrong.length} of ${verdicts.length} files conform to ${flavour}.`);
  if (wrong.length > 0) process.exitCode = 1;
}
