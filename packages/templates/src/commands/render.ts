// `render DIR`: renders a template folder to a file, as the API would.
import { writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { documentFormats, extensionOf, hasExtension, type DocumentFormat } from "colophon-page/document-format";
import { CommandError, isLenient, option, UsageError, type FileCommand } from "../command.ts";
import { jsonObjectIn } from "../folder/json-object.ts";
import { problemLines, refusalLines } from "../folder/problem-lines.ts";
import { readTemplateFolder } from "../folder/template-folder.ts";

export const render: FileCommand = {
  usage: "DIR [--data FILE] [-o FILE] [--locale TAG] [--lenient]",
  shortNames: { output: "o" },
  async runOnFiles(options) {
    const directory = resolve(option(options, "DIR"));
    const output = options["output"] ?? `${basename(directory)}.pdf`;
    const format = formatOf(output);
    const read = await readTemplateFolder(directory, undefined, { lenient: isLenient(options) });
    if (read.status === "broken") throw new CommandError(problemLines(read.problems).join("\n"));
    const { content, warnings } = read;
    const { data: file, locale } = options;
    const data = file === undefined ? content.sampleData : (await jsonObjectIn(file)).value;
    // The bundler, the browser and the fonts are slow to load, and other commands do not need them.
    const { afterBuild } = await import("../render/build-files.ts");
    const { renderOnce } = await afterBuild(() => import("../render/render-folder.ts"));
    const rendered = await renderOnce(content, {
      data,
      format,
      deviceScaleFactor: 2,
      ...(locale !== undefined && { locale }),
    });
    if (rendered.status === "failed") throw new CommandError(refusalLines(rendered).join("\n"));
    await writeFile(output, rendered.file.bytes);
    const { pageCount, fileSize } = rendered.metadata;
    return { file: output, pageCount, fileSize, documentWarnings: rendered.warnings, warnings };
  },
};

function formatOf(output: string): DocumentFormat {
  const format = documentFormats.find((each) => hasExtension(output, each));
  if (format) return format;
  const extensions = documentFormats.map((each) => `.${extensionOf(each)}`).join(", ");
  throw new UsageError(`the file name must end with ${extensions}, got ${output}`);
}
