// The services of `template dev`: those with which the service renders, except that the only template is the one in the
// folder. The limits are those of `src/settings.ts`.
import type { CompiledTemplate } from "colophon-template-model/compile-template";
import type { Template } from "colophon-template-model/template";
import { imageSource } from "colophon-render/image-source";
import { isolateMemory } from "../../platform/rendering/render-memory.ts";
import { isolateSlices } from "../../platform/rendering/slice-scheduler.ts";
import type { Renderer } from "colophon-render/render-services";
import type { RenderServices } from "colophon-render/render-services";
import type { PlanServices } from "../../ports/services.ts";
import type { Log } from "colophon-base/log";
import { readSettings } from "../../settings.ts";
import { givenVariables } from "../local/service-process.ts";
import { diskFonts } from "./disk-fonts.ts";

export type FolderTemplate = { template: Template; compiled: CompiledTemplate };

/** Returns the services for rendering one template. */
export function devServices(
  env: Env,
  renderer: Renderer,
  { template, compiled }: FolderTemplate,
): PlanServices & RenderServices {
  return {
    templates: {
      find: async () => template,
      findVersion: async () => template,
      compiled: async () => compiled,
      sizeBytes: async () => compiled.sizeBytes,
    },
    renderer,
    memory: isolateMemory,
    slices: isolateSlices,
    images: imageSource,
    fonts: diskFonts(devLog),
    settings: readSettings(env, "http://localhost"),
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    log: devLog,
    measure: (_stage, work) => work(),
  };
}

/** Writes what is worth knowing while the command runs to stderr. */
export const devLog: Log = (level, { event, reason }) => {
  if (level !== "info") console.error(`${event}${typeof reason === "string" ? `: ${reason}` : ""}`);
};

/** Returns the variables that `npm start` takes too. There are no bindings, so only functions that read variables may use it. */
export function serviceVariables(): Env {
  return givenVariables() as unknown as Env;
}
