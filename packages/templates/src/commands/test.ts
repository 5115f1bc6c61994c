// `test DIR`: runs the test cases of a template folder, or of all template folders in a folder.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "colophon-base/message-of";
import { printable } from "colophon-base/text";
import { CommandError, isLenient, option, type CommandReport, type FileCommand, type Options } from "../command.ts";
import { foundTemplates } from "./push.ts";

const usage = "[--only NAME] [--update] [--report FILE] [--junit FILE] [--lenient]";

export const test: FileCommand = {
  usage: `DIR ${usage} | DIR --all ${usage}`,
  runOnFiles: testTemplates,
};

async function testTemplates(options: Options): Promise<CommandReport> {
  const directory = option(options, "DIR");
  const isAll = options["all"] === "on";
  const directories = isAll ? (await foundTemplates(directory)).map((name) => join(directory, name)) : [directory];
  // The bundler, the browser and the fonts are slow to load, and other commands do not need them.
  const { afterBuild } = await import("../render/build-files.ts");
  const { runFolders } = await afterBuild(() => import("../testing/run-cases.ts"));
  const { howToBegin, junitXml, reportHtml, summaryOf } = await import("../testing/report.ts");
  const { only, report, junit } = options;
  const run = { only, isUpdate: options["update"] === "on", lenient: isLenient(options) };
  const results = await runFolders(directories, run);
  if (results.length === 0) {
    throw new CommandError(only === undefined ? howToBegin : printable(`there is no case tests/${only}.json`));
  }
  const unwritten = [
    ...(junit === undefined ? [] : await writeOutput(junit, junitXml(results))),
    ...(report === undefined ? [] : await writeOutput(report, await reportHtml(results))),
  ];
  const lines = results.flatMap(({ folder, name, durationMs, failures, updates }) => [
    `${failures.length > 0 ? "failed" : "passed"}  ${folder}/${name}  ${Math.round(durationMs)} ms`,
    ...[...failures, ...updates].map((text) => `  ${text}`),
  ]);
  const hasFailures = results.some(({ failures }) => failures.length > 0);
  const hasPictures = hasFailures && report === undefined && results.some(({ pictures }) => pictures.length > 0);
  const hint = hasPictures ? ["--report FILE shows the pictures and their differences."] : [];
  return {
    entries: results.map(({ pictures: _, ...result }) => result),
    lines: [...lines, summaryOf(results), ...hint, ...unwritten].map(printable),
    hasFailures: hasFailures || unwritten.length > 0,
  };
}

/** Returns why the file cannot be written. The results are printed anyway. */
async function writeOutput(file: string, content: string): Promise<string[]> {
  return writeFile(file, content).then(
    () => [],
    (error: unknown) => [`The file ${file} cannot be written: ${messageOf(error)}`],
  );
}
