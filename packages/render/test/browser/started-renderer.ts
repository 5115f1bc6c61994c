// Starts a renderer with a real browser and without the service's fonts.
import { browserLauncher } from "colophon-templates/browser";
import { localRenderer, type LocalRenderer } from "../../../templates/src/render/local-renderer.ts";

/** The browser is unpacked when it is used for the first time, which takes longer than the default timeout of a hook. */
export const startTimeoutMs = 60_000;

export async function startedRenderer(): Promise<LocalRenderer> {
  const noFonts = { load: async function* () {}, patterns: async () => null };
  const renderer = localRenderer(await browserLauncher(), noFonts, () => {});
  await renderer.start();
  return renderer;
}
