// Chooses the faces of the service's fonts for the characters of a document.
import type { DocumentFace } from "colophon-fonts/font-index";
import type { TextCharacters } from "../../core/rendering/fonts/text-characters.ts";
import type { RenderServices } from "../../ports/services.ts";

export type ChosenFonts = { faces: DocumentFace[]; warnings: string[] };

/** `locale` is the document's. Never rejects: without an index, the document has a warning and no faces. */
export async function chooseFonts(
  { fonts }: Pick<RenderServices, "fonts">,
  characters: TextCharacters,
  locale: string,
): Promise<ChosenFonts> {
  for (const withHan of [false, true]) {
    const lookup = await fonts.lookup(withHan);
    if (!lookup) return { faces: [], warnings: [unavailable] };
    const faces = lookup.facesFor(characters, locale);
    if (faces) return { faces, warnings: [] };
  }
  return { faces: [], warnings: [] };
}

const unavailable =
  "The fonts of the service could not be loaded, so characters may be drawn as boxes. Create the document again.";
