// Chooses the faces of the service's fonts for the characters of a document.
import type { DocumentFace } from "colophon-fonts/font-index";
import type { TextCharacters } from "../../core/rendering/fonts/text-characters.ts";
import type { RenderServices } from "../../ports/services.ts";

/** `locale` is the document's. Returns null if an index cannot be read. Never rejects. */
export async function chooseFonts(
  { fonts }: Pick<RenderServices, "fonts">,
  characters: TextCharacters,
  locale: string,
): Promise<DocumentFace[] | null> {
  for (const withHan of [false, true]) {
    const lookup = await fonts.lookup(withHan);
    if (!lookup) return null;
    const faces = lookup.facesFor(characters, locale);
    if (faces) return faces;
  }
  return [];
}
