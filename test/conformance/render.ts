// Renders templates as PDFs that must conform to a standard, with the service's code.
import { writeFile } from "node:fs/promises";
import type { AttachedFiles } from "colophon-pdf/attachments";
import type { Conformance } from "colophon-pdf/conformance";
import type { RenderJob } from "colophon-render/render-job";
import type { RenderCalls } from "colophon-render/render-services";
import type { TemplateContent } from "colophon-template-model/template";
import { browserLauncher } from "../../packages/templates/src/browser/browser.ts";
import { diskFonts, localRenderer } from "../../packages/templates/src/render/local-renderer.ts";
import { compileFolder, renderFolder } from "../../packages/templates/src/render/render-folder.ts";

export type LaneDocument = {
  name: string;
  content: TemplateContent;
  locale?: string | undefined;
  isTest?: boolean;
  attached?: AttachedFiles;
};

/** `refusal` is the message of a document that cannot conform, and has no file. */
export type LaneFile = { name: string; file: string; refusal: string | null };

/** Renders the documents one after the other into a folder. */
export async function renderAll(
  documents: readonly LaneDocument[],
  { folder, conformance }: { folder: string; conformance: readonly Conformance[] },
): Promise<LaneFile[]> {
  const log = () => {};
  const fonts = diskFonts(log);
  const renderer = localRenderer(await browserLauncher(), fonts, log);
  const files: LaneFile[] = [];
  try {
    for (const { name, content, locale, isTest = false, attached } of documents) {
      const render = (job: RenderJob, calls?: RenderCalls) => renderer.render({ ...job, isTest }, calls);
      const parts = { renderer: { ...renderer, render }, fonts, log };
      const request = {
        data: content.sampleData,
        format: "pdf",
        deviceScaleFactor: 2,
        conformance,
        ...attached,
      } as const;
      const result = await renderFolder(
        parts,
        await compileFolder(content),
        { ...request, ...(locale && { locale }) },
        0,
      );
      const file = `${folder}/${name}.pdf`;
      if (result.status === "rendered") await writeFile(file, result.file.bytes);
      files.push({ name, file, refusal: result.status === "rendered" ? null : result.message });
    }
  } finally {
    await renderer.stop();
  }
  return files;
}
