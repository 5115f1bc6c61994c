// Validates PDF files with veraPDF, the reference implementation of PDF/A and PDF/UA validation. It needs Java 17 and Maven.
import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** `problems` has an entry for each clause that the file violates; it is empty if the file conforms. */
export type Verdict = { file: string; problems: string[] };

const pom = fileURLToPath(new URL("pom.xml", import.meta.url).href);
const cache = fileURLToPath(new URL("../../node_modules/.cache/colophon", import.meta.url).href);
const maxReportBytes = 500_000_000;

/** The properties of veraPDF's report that are read. */
type Rule = { clause: string; testNumber: number; failedChecks: number; description: string };
type Result = { compliant: boolean; details: { ruleSummaries: Rule[] } };
type Job = { itemDetails: { name: string }; validationResult?: Result[]; taskException?: { exceptionMessage: string } };

/** Validates all files in one process, because starting it takes two seconds. `flavour` is a name of veraPDF, such as `2b`. */
export async function verdictsOf(flavour: string, files: readonly string[]): Promise<Verdict[]> {
  const main = ["-cp", `${jars()}/*`, "org.verapdf.apps.GreenfieldCliWrapper"];
  const options = ["-f", flavour, "--format", "json", "--maxfailuresdisplayed", "1"];
  const java = promisify(execFile)("java", [...main, ...options, ...files], { maxBuffer: maxReportBytes });
  // It exits with an error if a file does not conform.
  const { stdout } = await java.catch((cause: { stdout?: string }) => ({ stdout: cause.stdout ?? "" }));
  if (!stdout.startsWith("{"))
    throw new Error("veraPDF has not written a report. Run `java -version`: it needs Java 17.");
  const { report } = JSON.parse(stdout) as { report: { jobs: Job[] } };
  const problems = new Map(report.jobs.map((job) => [resolve(job.itemDetails.name), problemsOf(job)]));
  return files.map((file) => ({
    file,
    problems: problems.get(resolve(file)) ?? ["veraPDF did not validate the file"],
  }));
}

function problemsOf({ validationResult = [], taskException }: Job): string[] {
  if (validationResult.length === 0) return [`the file cannot be read: ${taskException?.exceptionMessage}`];
  return validationResult.flatMap(({ compliant, details }) => {
    const rules = details.ruleSummaries.map((rule) => {
      return `${rule.clause}-${rule.testNumber} (${rule.failedChecks}): ${rule.description}`;
    });
    return compliant || rules.length > 0 ? rules : ["the file does not conform"];
  });
}

/** Returns the folder with veraPDF, into which Maven copies it when the versions in `pom.xml` are used for the first time. */
function jars(): string {
  const folder = `${cache}/verapdf-${createHash("sha256").update(readFileSync(pom)).digest("hex").slice(0, 12)}`;
  requireCommand("java", "a Java runtime, version 17 or later");
  if (existsSync(folder)) return folder;
  requireCommand("mvn", "Maven");
  console.error("Fetching veraPDF with Maven, once for this installation.");
  mkdirSync(cache, { recursive: true });
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  const goal = ["dependency:copy-dependencies", `-DoutputDirectory=${part}`];
  const { status } = spawnSync("mvn", ["-q", "-B", "-f", pom, ...goal], { stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error("Maven could not fetch veraPDF; its messages are above.");
  renameSync(part, folder);
  return folder;
}

function requireCommand(command: string, description: string): void {
  const { error, status } = spawnSync(command, ["-version"], { stdio: "ignore" });
  if (error || status !== 0)
    throw new Error(
      `\`${command}\` is missing. The validation with veraPDF needs ${description}; \`npm test\` does not.`,
    );
}
