// A font that maps every character to the same blank glyph, which is about 4096 em wide. The page script measures text with
// this font as the last fallback. If a text is about that wide, it contains a character that the other fonts lack. The font has
// only 548 bytes, because its `cmap` table uses format 13.

const base64 =
  "AAEAAAAKAIAAAwAgT1MvMnBRbusAAACsAAAAYGNtYXAAIQA0AAABDAAAAChnbHlmAAAAAAAAATQAAAAEaGVhZF8jPR0AAAE4AAAANmhoZWEAIgACAAABcAAAACRobXR4//4AAAAAAZQAAAAIbG9jYQAAAAAAAAGcAAAABm1heHAAAwABAAABpAAAACBuYW1lATIRFgAAAcQAAAA+cG9zdAADAAAAAAIEAAAAIAADABABkAAFAAAACAAIAAAAAAAIAAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABub25lAEAAAP//ABAAAAAAABAAEAAAAAAAAAAAAAgACAAAACAAAAAAAAEAAwAKAAAADAANAAAAAAAcAAAAAAAAAAEAAAAAABD//wAAAAEAAAAAAAEAAAABAAADvSLfXw889QAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQABAAAAAIAAIAAAAAAAAAAQAAABAAAAAA//8AAAAAABAAAQAAAAAAAAAAAAAAAAAAAAL//wAA//8AAAAAAAAAAAAAAAEAAAACAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAEADYAAwABBAkAAQACAAAAAwABBAkAAgACAAIAAwABBAkABAACAAQAAwABBAkABgACAAYAbQByAG0AbQAAAAMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

/**
 * The `@font-face` rule of this font. Every document declares it initially, because adding it later would make the browser lay
 * out all text again. The browser decodes the font only when it is used.
 */
export const everyCharacterFace = `@font-face{font-family:colophon-every-character;src:url(data:font/ttf;base64,${base64})}`;
