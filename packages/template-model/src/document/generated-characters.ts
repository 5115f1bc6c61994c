// The characters that the browser adds to a document: the numbers of lists and counters, quotation marks, emphasis marks and
// full-width letters. No text contains them, but the styles or the markup contain the word that asks for them.

const digits = (first: number) =>
  Array.from({ length: 10 }, (_, digit) => String.fromCodePoint(first + digit)).join("");
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join("");

const chineseUnits = "十百千萬万億亿零負负";
const informal = `〇一二三四五六七八九${chineseUnits}`;
const formal = "零壹贰貳叁參肆伍陆陸柒捌玖拾佰仟";
const hiragana = range(0x3041, 0x3096);
const katakana = range(0x30a1, 0x30fa);
const korean = "영일이삼사오육칠팔구십백천만억조마이너스一二三四五六七八九十百千萬零壹貳參拾仟";

type Generated = readonly (readonly [word: RegExp, characters: string])[];

const countsItems = /list-style|counters?\s*\(|counter-style/i;

/** The characters of numbers, by a word in the name of the counter style. */
const counterStyles: Generated = [
  [/arabic-indic/i, digits(0x660)],
  [/persian/i, digits(0x6f0)],
  [/urdu/i, digits(0x6f0)],
  [/devanagari/i, digits(0x966)],
  [/bengali/i, digits(0x9e6)],
  [/gurmukhi/i, digits(0xa66)],
  [/gujarati/i, digits(0xae6)],
  [/oriya/i, digits(0xb66)],
  [/tamil/i, digits(0xbe6)],
  [/telugu/i, digits(0xc66)],
  [/kannada/i, digits(0xce6)],
  [/malayalam/i, digits(0xd66)],
  [/thai/i, digits(0xe50)],
  [/lao/i, digits(0xed0)],
  [/tibetan/i, digits(0xf20)],
  [/myanmar/i, digits(0x1040)],
  [/cambodian/i, digits(0x17e0)],
  [/khmer/i, digits(0x17e0)],
  [/mongolian/i, digits(0x1810)],
  [/armenian/i, range(0x531, 0x587)],
  [/georgian/i, range(0x10d0, 0x10f5)],
  [/hebrew/i, range(0x5d0, 0x5ea)],
  [/lower-greek/i, range(0x3b1, 0x3c9)],
  [/ethiopic/i, range(0x1200, 0x137c)],
  [/hiragana/i, hiragana],
  [/katakana/i, katakana],
  [/cjk-/i, `${informal}甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥、`],
  [/chinese/i, `${informal}${formal}、`],
  [/japanese/i, `${informal}${formal}、マイナス`],
  [/korean/i, `${korean}、,가나다라마바사아자차카타파하`],
  [/hangul/i, `${korean}가나다라마바사아자차카타파하`],
  [/disclosure/i, "▸▾◂▴"],
];

/** The characters that other styles and elements add. */
const others: Generated = [
  [/text-emphasis/i, "•◦●○◉◎▲△﹅﹆"],
  [/full-width/i, range(0xff01, 0xff5e)],
  [/quote/i, "“”‘’«»‹›„‟‚「」『』"],
  [/<q\b/i, "“”‘’«»‹›„‟‚「」『』"],
  [/text-security/i, "•◦■"],
];

/** Returns the characters that the words in this text ask for. They need not be visible. */
export function generatedCharacters(text: string): string {
  const wanted = countsItems.test(text) ? [...counterStyles, ...others] : others;
  return wanted.map(([word, characters]) => (word.test(text) ? characters : "")).join("");
}
