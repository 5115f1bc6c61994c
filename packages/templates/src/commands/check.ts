// `check DIR`: prints the problems and warnings that a push of the folder would report.
import { resolve } from "node:path";
import { allFindings } from "colophon-template-checks/findings";
import { isLenient, option, type FileCommand } from "../command.ts";
import { problemLines, warningLines } from "../folder/problem-lines.ts";
import { readTemplateFolder } from "../folder/template-folder.ts";

/** `--json` prints all findings, each with its severity, file and line. */
export const check: FileCommand = {
  usage: "DIR [--lenient]",
  async runOnFiles(options) {
    const directory = resolve(option(options, "DIR"));
    const read = await readTemplateFolder(directory, undefined, { lenient: isLenient(options) });
    const { warnings } = read;
    const problems = read.status === "broken" ? read.problems : [];
    const lines = [...problemLines(problems), ...warningLines(warnings)];
    return {
      entries: allFindings({ problems, warnings }),
      lines: lines.length > 0 ? lines : ["no problems"],
      hasFailures: problems.length > 0,
    };
  },
};
