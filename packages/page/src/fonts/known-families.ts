// Well-known font families, and the type of service font that replaces each family.
import type { FontFamily } from "colophon-fonts/font-index";

/** Families for which a browser chooses a font. */
const genericNames: Partial<Record<FontFamily, string>> = {
  serif: "serif,ui-serif,fangsong",
  sans: `sans-serif,cursive,fantasy,system-ui,ui-sans-serif,ui-rounded,-webkit-body,-webkit-standard,blinkmacsystemfont,
    -apple-system`,
  mono: "monospace,ui-monospace",
  math: "math",
  scripts: "emoji,-webkit-pictograph",
};

/** Families that come with operating systems, browsers and office programs, or that are common fallbacks in style sheets. */
const systemNames: Record<FontFamily, string> = {
  sans: `Arial,Arial Black,Arial Narrow,Arial Nova,Arial Unicode MS,Arimo,Aptos,Avenir,Avenir Next,Bahnschrift,Bitstream Vera Sans,
    Calibri,Candara,Cantarell,Carlito,Century Gothic,Comic Sans,Comic Sans MS,Corbel,DejaVu Sans,Droid Sans,Franklin Gothic,
    Franklin Gothic Medium,FreeSans,Futura,Geneva,Gill Sans,Gill Sans MT,Heiti SC,Heiti TC,Helvetica,Helvetica Neue,
    Hiragino Kaku Gothic Pro,Hiragino Kaku Gothic ProN,Hiragino Sans,Hiragino Sans GB,Apple SD Gothic Neo,Impact,Liberation Sans,
    Lucida,Lucida Grande,Lucida Sans,Lucida Sans Unicode,Malgun Gothic,Meiryo,Microsoft JhengHei,Microsoft Sans Serif,
    Microsoft YaHei,MS Gothic,MS PGothic,MS Sans Serif,Myriad Pro,Nimbus Sans,Nimbus Sans L,Noto Sans,Open Sans,Optima,Oxygen,
    Oxygen-Sans,PingFang HK,PingFang SC,PingFang TC,Roboto,San Francisco,Segoe UI,Segoe UI Variable,SF Pro,SF Pro Display,
    SF Pro Text,SimHei,Source Han Sans,STHeiti,Tahoma,Trebuchet,Trebuchet MS,Ubuntu,Univers,Verdana,WenQuanYi Micro Hei,Yu Gothic`,
  serif: `Baskerville,Batang,Bitstream Vera Serif,Bodoni MT,Book Antiqua,Bookman,Bookman Old Style,Cambria,Century,
    Century Schoolbook,Charter,Cochin,Constantia,DejaVu Serif,Didot,Droid Serif,FreeSerif,Garamond,Georgia,Hiragino Mincho Pro,
    Hiragino Mincho ProN,Hoefler Text,Iowan Old Style,Liberation Serif,Lucida Bright,Minion Pro,MS Mincho,MS PMincho,MS Serif,
    Nimbus Roman,Nimbus Roman No9 L,Noto Serif,Palatino,Palatino Linotype,Perpetua,Rockwell,SimSun,Sitka Text,Songti SC,
    Source Han Serif,STSong,Times,Times New Roman,Tinos,URW Palladio L,Yu Mincho`,
  mono: `Andale Mono,Bitstream Vera Sans Mono,Cascadia Code,Cascadia Mono,Consolas,Courier,Courier New,Cousine,DejaVu Sans Mono,
    Droid Sans Mono,Fira Mono,FreeMono,Inconsolata,Liberation Mono,Lucida Console,Lucida Sans Typewriter,Menlo,Monaco,Nimbus Mono,
    Nimbus Mono PS,Noto Mono,Noto Sans Mono,Oxygen Mono,Roboto Mono,SF Mono,SFMono-Regular,Source Code Pro,Ubuntu Mono`,
  scripts: `Android Emoji,Apple Color Emoji,Apple Symbols,EmojiOne Color,Noto Color Emoji,Noto Emoji,Segoe Emoji,Segoe UI Emoji,
    Segoe UI Symbol,Symbola,Twemoji Mozilla`,
  math: `Asana Math,Cambria Math,Latin Modern Math,Libertinus Math,New Computer Modern Math,STIX Math,STIX Two Math,
    TeX Gyre Termes Math,XITS Math`,
};

const kinds = new Map<string, FontFamily>();
const generic = new Set<string>();
/** The known families as authors write them, by name in lower case. */
export const wellKnownFamilies = new Map<string, string>();
for (const names of [genericNames, systemNames]) {
  for (const [kind, list] of Object.entries(names)) {
    for (const name of list.split(",").map((text) => text.trim())) {
      kinds.set(name.toLowerCase(), kind as FontFamily);
      wellKnownFamilies.set(name.toLowerCase(), name);
      if (names === genericNames) generic.add(name);
    }
  }
}
for (const kind of ["sans", "serif", "mono", "scripts", "math"] as const) kinds.set(`colophon ${kind}`, kind);

/** Returns whether an unquoted name is a family for which a browser chooses a font. */
export function isGenericFamily(name: string): boolean {
  return generic.has(name.toLowerCase());
}

/**
 * Returns the type of font that the service uses for a family; null for a family that authors must provide themselves.
 */
export function kindOfFamily(name: string): FontFamily | null {
  const lower = name.toLowerCase();
  // The families of Noto for scripts other than Latin, such as Noto Sans Arabic.
  const noto = /^noto (sans|serif) /.exec(lower)?.[1];
  return kinds.get(lower) ?? (noto === "serif" ? "serif" : noto === "sans" ? "sans" : null);
}
