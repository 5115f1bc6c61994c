// Chooses the faces of the service's fonts for the characters of a document.
import type { DocumentFace } from "colophon-fonts/font-index";
import type { TextCharacters } from "colophon-template-model/text-characters";
import type { RenderServices } from "../render-services.ts";

/** `locale` is the document's. Returns null if the index cannot be read. Never rejects. */
export async function chooseFonts(
  { fonts }: Pick<RenderServices, "fonts">,
  characters: TextCharacters,
  locale: string,
): Promise<DocumentFace[] | null> {
  const lookup = await fonts.lookup();
  return lookup && lookup.facesFor(characters, locale);
}
