// Renders one document and ends the browser.
import type { RenderRequest } from "colophon-render/plan-render";
import type { TemplateContent } from "colophon-template-model/template";
import { browserLauncher } from "../browser/browser.ts";
import { diskFonts } from "./disk-fonts.ts";
import { localRenderer } from "./local-renderer.ts";
import { compileFolder, renderFolder, stderrLog, type FolderRender } from "./render-folder.ts";

export async function renderOnce(content: TemplateContent, request: RenderRequest): Promise<FolderRender> {
  const fonts = diskFonts(stderrLog);
  const renderer = localRenderer(await browserLauncher(), fonts, stderrLog);
  try {
    return await renderFolder({ renderer, fonts, log: stderrLog }, await compileFolder(content), request);
  } finally {
    await renderer.stop();
  }
}
