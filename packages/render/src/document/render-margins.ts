// Renders the headers and footers that read `page`, after the pool has determined the pages of the printed document.
import type { DocumentFace } from "colophon-fonts/font-index";
import type { LiquidProblem, Outcome } from "colophon-liquid/liquid";
import type { MarginMarkups } from "colophon-page/margin-markups";
import type { MarginRenderer } from "colophon-template-model/page-margins";
import { charactersOf, type TextCharacters } from "colophon-template-model/text-characters";
import type { RenderMargins, RenderServices } from "../render-services.ts";
import { type CreateMemory, runInSlices } from "./create-resources.ts";

/** How long headers and footers wait for memory. During this time, the render occupies a page for which others may be waiting. */
const maxWaitMs = 2_000;

export type MarginWork = {
  renderer: MarginRenderer;
  /** The characters that occur in the rest of the document. */
  characters: TextCharacters;
  documentFaces: readonly DocumentFace[];
  /** The document's locale. */
  locale: string;
  memory: CreateMemory;
  /** Returns the message for the caller. */
  onProblem(problem: LiquidProblem): string;
};

/** Returns a function that runs the renderer in slices. It never rejects. */
export function marginsOf(
  services: RenderServices,
  { document, deadline }: { document: { id: string; accountId: string }; deadline: number },
  { renderer, characters, documentFaces, locale, memory, onProblem }: MarginWork,
): RenderMargins {
  const { id: documentId, accountId } = document;
  const run = { accountId, deadline, memory, maxWaitMs };
  return async (pages) => {
    try {
      const textsOf = (outcome: Outcome<MarginMarkups>) => (outcome.status === "ok" ? outcome.value.markups : []);
      const outcome = await runInSlices(services, renderer(pages), { ...run, textsOf });
      if (outcome.status === "no_memory") return noMemory;
      if (outcome.status === "problem") return { status: "impossible", message: onProblem(outcome.problem) };
      if (outcome.status !== "ok") return outcome;
      // Section titles and page numbers may contain characters that the rest of the document lacks.
      const marginCharacters = await runInSlices(services, charactersOf(outcome.value.markups, characters), run);
      if ("status" in marginCharacters) return marginCharacters.status === "no_memory" ? noMemory : marginCharacters;
      const faces = await services.fonts.facesFor(marginCharacters, locale);
      if (!faces) return { status: "crashed", reason: "the font index could not be read" };
      const isSame = JSON.stringify(faces) === JSON.stringify(documentFaces);
      return { status: "ok", ...outcome.value, ...(isSame ? {} : { fonts: faces }) };
    } catch (cause) {
      // The renderer may run in a different isolate, and the error would lose its class and stack on the way.
      services.log("error", { event: "render.margins_failed", documentId, cause });
      return { status: "crashed", reason: "the headers and footers could not be rendered" };
    }
  };
}

const noMemory = { status: "crashed", reason: "memory for the headers did not become free in time" } as const;
