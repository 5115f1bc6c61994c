// Folders with text files that are not UTF-8 text, and with JSON files that are not JSON.
import { inFile, type HostileFile, type HostileFolder } from "colophon-test-kit/hostile-folder";
import { manifest, bytesOf } from "colophon-test-kit/template-files";

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));
const utf16 = (text: string) => Uint8Array.from(Buffer.from(text, "utf16le"));
const joined = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...bytesOf(part)] : part)));

const notUtf8 = "the line is not valid UTF-8; save the file as UTF-8 …";
const control = (code: string) => `the line contains the control character U+${code}, so it is not text`;

export const encodings: HostileFolder[] = [
  ...inFile("template.json", [["ends inside a character", joined(manifest(), [0xe2, 0x82]), `11 ${notUtf8}`]]),
  ...inFile("sample.json", [["has two marks", "\ufeff\ufeff{}", "1 the file is not valid JSON: this …"]]),
  ...inFile("style.css", [["is UTF-16", utf16("\ufeffa{}"), `1 ${notUtf8}`]]),
  ...inFile("pages/1.liquid", [
    ["is UTF-16 without a byte order mark", utf16("<p>\n"), `1 ${control("0000")}`],
    ["is Latin-1", latin1("<p>\n<p>\ncaf\u00e9"), `3 ${notUtf8}`],
    ["is wrong after a million lines", new Uint8Array(1e6 + 1).fill(10).fill(0xff, 1e6), `1000001 ${notUtf8}`],
    ["is empty", "", ""],
    ["has U+FFFD", "\ufeff<p>\n\ufffd<p>", ""],
    ["has U+FFFD and Latin-1", joined("\ufeff<p>\n\ufffd<p>\n\ufffd", [0xe9]), `3 ${notUtf8}`],
    ["ends inside U+FFFD", joined("\ufffd\n\n", [0xef, 0xbf]), `3 ${notUtf8}`],
  ]),
  ...inFile("footer.liquid", [["is a program", joined([0x7f], "ELF", [2, 1, 1, 0]), `1 ${control("007F")}`]]),
  [
    "every text file has a byte order mark",
    {
      "template.json": `\ufeff${manifest()}`,
      "sample.json": '\ufeff{"name":"Ada"}',
      "style.css": "\ufeffa{}",
      "pages/1.liquid": "\ufeff<p>",
    },
    "",
  ],
  ["files have Windows endings", { "template.json": manifest().replaceAll("\n", "\r\n"), "style.css": "a{}\r\n" }, ""],
];

const notJson: HostileFile[] = [
  ["is empty", "", "1 a value is missing; a comma cannot come last"],
  ["has a trailing comma", '{\n "name": "Ada",\n}', "2 a property name in double quotes is missing; …"],
  ["has a comment", '{\n // Ada\n "name": "Ada" }', "2 comments are not allowed"],
  ["has a comment that never ends", '{ "name": "Ada" }\n/*', "2 comments are not allowed"],
  ["has single quotes", "{ 'name': 'Ada' }", "1 this is not a value; text must be in double quotes"],
  ["has no colon", '{ "name"\n"Ada" }', "1 a colon is missing after the property name"],
  ["never ends", '{ "name": "Ada"\n', "2 a `}` is missing"],
  ["has a string that never ends", '{\n "name": "Ada }\n', "2 the string is not closed before the end of its line"],
  ["has a tab in a string", '{\n\n "name": "A\tda" }', "3 the text contains a control character, …"],
  ["has an unknown escape", '{ "name": "\\x41" }', "1 a backslash is followed by a character that it cannot escape"],
  ["has half of an escape", '{ "name": "\\u12" }', "1 `\\u` must be followed by four hexadecimal digits"],
  ["has a number with a leading zero", '{ "name": 01 }', "1 a comma is missing"],
  ["has a number without digits", '{ "name": 1. }', "1 this number is incomplete"],
  ["has two values", '{ "name": "Ada" }\n{}', "2 there is more text after the end of the value"],
  ["has a no-break space between its values", '{\n\u00a0"name": "Ada" }', "2 this is not a value; …"],
  ["is half a million escaped quotes", `"${'\\"'.repeat(500_000)}`, "1 the string is not closed …"],
  ["is a megabyte of commas", ",".repeat(1_000_000), "1 a value is missing; …"],
];

const surrogate = "the text contains a lone surrogate, which is not a character";
const tooDeep = "objects and lists are nested more than 64 levels deep";

export const jsonFiles: HostileFolder[] = inFile("sample.json", [
  ...notJson.map(([what, content, problem]): HostileFile => [
    what,
    content,
    problem.replace(" ", " the file is not valid JSON: "),
  ]),
  ["has a key twice", '{ "name": "Ada",\n\n "name": "Bob" }', '3 the key "name" occurs twice in its object'],
  ["has a key 140,000 times", `{${'"a":1,'.repeat(140_000)}"a":1}`, '1 the key "a" occurs twice in its object'],
  ["has half of a surrogate pair", '{\n "name": "\\ud800" }', `2 ${surrogate}`],
  ["is nested 65 levels deep", `{ "name":\n${"[".repeat(64)}${"]".repeat(64)} }`, `2 ${tooDeep}`],
  ["opens 900,000 lists", "[".repeat(900_000), `1 ${tooDeep}`],
  ["is a list", "[]", "1 the file must contain a JSON object"],
  ["is null", "null", "1 the file must contain a JSON object"],
]);
