// The commands for template authors, by name. The first five need no service. The larger ones have separate modules.
import { resolve } from "node:path";
import { allFindings } from "colophon-template-checks/findings";
import { isLenient, option, versionNumber, type FileCommand, type FileCommands } from "./command.ts";
import { diff } from "./commands/diff.ts";
import { init } from "./commands/init.ts";
import { pull } from "./commands/pull.ts";
import { push } from "./commands/push.ts";
import { render } from "./commands/render.ts";
import { test } from "./commands/test.ts";
import { problemLines, warningLines } from "./folder/problem-lines.ts";
import { readTemplateFolder } from "./folder/template-folder.ts";
import { namedTemplate, onService, shownTemplate } from "./service/service.ts";

/** Prints the problems and warnings that a push of the folder would report. `--json` prints each with its severity, file and line. */
const check: FileCommand = {
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

/** Previews a folder while it is edited. Its code is loaded only when it runs, because it needs the browser and the bundler. */
const dev: FileCommand = {
  usage: "DIR [--port 8790] [--lenient]",
  async runOnFiles(options) {
    const { afterBuild } = await import("./render/build-files.ts");
    const { runTemplateDev } = await afterBuild(() => import("./dev/run-dev.ts"));
    await runTemplateDev(options);
    return {};
  },
  text: () => "Ended.",
};

const list: FileCommand = {
  usage: "",
  runOnFiles: () =>
    onService(async ({ list }) => ({ templates: await Array.fromAsync(list("GET /templates"), shownTemplate) })),
};

const versions: FileCommand = {
  usage: "NAME",
  runOnFiles: (options) =>
    onService(async ({ list }) => {
      const path = namedTemplate(option(options, "NAME"));
      return { versions: await Array.fromAsync(list("GET /templates/{template}/versions", { path })) };
    }),
};

/** Versions never change, so this adds a version with the content of an earlier one. */
const rollback: FileCommand = {
  usage: "NAME --to VERSION",
  async runOnFiles(options) {
    const version = versionNumber("to", option(options, "to"));
    const path = namedTemplate(option(options, "NAME"));
    const request = { path, body: { version } };
    const { template, changed } = await onService(({ call }) => call("POST /templates/{template}/rollback", request));
    return { template: shownTemplate(template), content: `version ${version}`, changed };
  },
};

const serviceCommands: FileCommands = { push, pull, diff, list, versions, rollback };

export const authorCommands: FileCommands = { init, check, render, dev, test, ...serviceCommands };
