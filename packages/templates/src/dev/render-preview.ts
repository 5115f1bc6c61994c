// Renders the folder of a preview for its page.
import { counted } from "colophon-base/text";
import type { TemplateContent } from "colophon-template-model/template";
import { compileFolder, renderFolder, type FolderRenderParts, type FolderTemplate } from "../render/render-folder.ts";
import type { NotRendered, RenderRequest, RenderResult } from "./messages.ts";
import type { Preview } from "./preview.ts";
import { withSource } from "./source-lines.ts";

export type RenderedPreview = { result: RenderResult; file: Uint8Array | null };

/** Returns a function that renders. It rejects only for faults other than mistakes in the template or the request. */
export function previewRenderer(
  preview: Preview,
  parts: FolderRenderParts,
): (request: RenderRequest) => Promise<RenderedPreview> {
  const compile = compiledFolder();
  return async ({ sample: name, data: given, ...request }) => {
    const { valid, state } = preview;
    const { revision } = state;
    const failed = (message: string, more: Partial<NotRendered> = {}): RenderedPreview => ({
      result: { status: "failed", revision, message, details: [], problems: [], ...more },
      file: null,
    });
    if (!valid) return failed("The folder has no valid template yet.");
    const sample = valid.shown.find(({ file }) => file === name);
    const data = given ?? valid.samples.find(({ file }) => file === name)?.data;
    if (!sample) return failed(`There is no sample named ${name}.`);
    const { problems: wrong } = sample;
    if (!data) return failed(`${sample.file} has ${counted(wrong.length, "problem")}.`, { problems: wrong });
    const startMs = performance.now();
    const rendered = await renderFolder(parts, await compile(valid.content), {
      ...request,
      data,
      deviceScaleFactor: 2,
    });
    if (rendered.status === "failed") {
      const { message, details, problems } = rendered;
      const places = problems.map(({ file = "", line = 0, message: reason, page }) => {
        return { file, line, message: page === undefined ? reason : `Page ${page}: ${reason}` };
      });
      return failed(message, { details, problems: await withSource(preview.directory, places) });
    }
    const { metadata, file, warnings } = rendered;
    const { pageCount, width } = metadata;
    const { bytes, ...times } = file;
    const totalMs = performance.now() - startMs;
    const result = { revision, pageCount, width, totalMs, ...times, warnings };
    return { result: { status: "rendered", ...result }, file: bytes };
  };
}

/** Returns a function that compiles content, and returns the same object for the same content. */
function compiledFolder(): (content: TemplateContent) => Promise<FolderTemplate> {
  let last: { content: TemplateContent; folder: Promise<FolderTemplate> } | null = null;
  return (content) => {
    if (last?.content !== content) last = { content, folder: compileFolder(content) };
    return last.folder;
  };
}
