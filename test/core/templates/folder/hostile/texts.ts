// Folders with text files that are not UTF-8 text, and with JSON files that are not JSON.
import { manifest, bytesOf } from "../../../../fixtures/template-files.ts";
import { accepted, refused, type HostileFolder } from "../../../../fixtures/hostile-folder.ts";

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));
const utf16 = (text: string, mark = "\ufeff") => Uint8Array.from(Buffer.from(mark + text, "utf16le"));
const joined = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...bytesOf(part)] : part)));

const notUtf8 = /^the line is not valid UTF-8; save the file as UTF-8/;
const nul = /^the line contains the control character U\+0000, so it is not text$/;
const json = (words: string) => new RegExp(`^the file is not valid JSON: .*${words}`);
const sample = (text: string) => ({ "sample.json": text });
const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

export const encodings: HostileFolder[] = [
  refused("template.json is UTF-16", { "template.json": utf16(manifest()) }, "template.json", 1, notUtf8),
  refused("sample.json is big-endian UTF-16", { "sample.json": joined([0xfe, 0xff, 0, 0x7b, 0, 0x7d]) }, "sample.json", 1, notUtf8),
  refused("style.css is UTF-16", { "style.css": utf16("a{}") }, "style.css", 1, notUtf8),
  refused("a page is UTF-16 without a byte order mark", { "pages/1.liquid": utf16("<p>\n", "") }, "pages/1.liquid", 1, nul),
  refused("a page is Latin-1", { "pages/1.liquid": latin1("<p>\n<p>\ncaf\u00e9") }, "pages/1.liquid", 3, notUtf8),
  refused("header.liquid is Latin-1", { "header.liquid": latin1("\u00a9") }, "header.liquid", 1, notUtf8),
  refused("footer.liquid is a program", { "footer.liquid": joined([0x7f], "ELF", [2, 1, 1, 0]) }, "footer.liquid", 1, /control character U\+007F/),
  refused("style.css is a PNG image", { "style.css": joined([0x89], "PNG\r\n", [0x1a], "\n") }, "style.css", 1, notUtf8),
  refused("style.css is a compressed file", { "style.css": Uint8Array.of(0x1f, 0x8b, 8, 0) }, "style.css", 1, /control character U\+001F/),
  refused("sample.json is Latin-1 on line 2", { "sample.json": latin1('{\n "name": "caf\u00e9"\n}') }, "sample.json", 2, notUtf8),
  refused("template.json ends in the middle of a character", { "template.json": joined(manifest(), [0xe2, 0x82]) }, "template.json", 11, notUtf8),
  refused("a page has a null character on line 2", { "pages/1.liquid": "<p>\n\0" }, "pages/1.liquid", 2, nul),
  refused("style.css has an escape character", { "style.css": "a{}\n\n\u001b[2J" }, "style.css", 3, /control character U\+001B/),
  refused("a page has an overlong encoding of <", { "pages/1.liquid": joined("<p>\n", [0xc0, 0xbc]) }, "pages/1.liquid", 2, notUtf8),
  refused("a page has half of a surrogate pair", { "pages/1.liquid": joined([0xed, 0xa0, 0x80]) }, "pages/1.liquid", 1, notUtf8),
  refused("a page has a character beyond Unicode", { "pages/1.liquid": joined("\n\n", [0xf5, 0x80, 0x80, 0x80]) }, "pages/1.liquid", 3, notUtf8),
  refused("sample.json has two byte order marks", { "sample.json": "\ufeff\ufeff{}" }, "sample.json", 1, json("")),
  accepted("every text file has a byte order mark", {
    "template.json": `\ufeff${manifest()}`,
    "sample.json": '\ufeff{"name":"Ada"}',
    "style.css": "\ufeffa{}",
    "pages/1.liquid": "\ufeff<p>",
  }),
  accepted("text files have Windows line endings", { "template.json": manifest().replaceAll("\n", "\r\n"), "style.css": "a{}\r\n" }),
];

export const jsonFiles: HostileFolder[] = [
  refused("sample.json is empty", sample(""), "sample.json", 1, json("a value is missing")),
  refused("sample.json is white space", sample(" \n \n"), "sample.json", 3, json("a value is missing")),
  refused("sample.json has a trailing comma", sample('{\n "name": "Ada",\n}'), "sample.json", 2, json("a comma cannot come last")),
  refused("sample.json has a comment", sample('{\n // Ada\n "name": "Ada" }'), "sample.json", 2, json("comments are not allowed")),
  refused("sample.json has a comment that never ends", sample('{ "name": "Ada" }\n/*'), "sample.json", 2, json("comments are not allowed")),
  refused("sample.json has single quotes", sample("{ 'name': 'Ada' }"), "sample.json", 1, json("double quotes")),
  refused("sample.json has a key without quotes", sample('{\nname: "Ada" }'), "sample.json", 2, json("double quotes")),
  refused("sample.json has no comma", sample('{ "name": "Ada"\n"x": 1 }'), "sample.json", 1, json("a comma is missing")),
  refused("sample.json has no colon", sample('{ "name"\n"Ada" }'), "sample.json", 1, json("a colon is missing")),
  refused("sample.json never ends", sample('{ "name": "Ada"\n'), "sample.json", 2, json("a `}` is missing")),
  refused("sample.json has a string that never ends", sample('{\n "name": "Ada }\n'), "sample.json", 2, json("not closed before the end of its line")),
  refused("sample.json has a tab in a string", sample('{\n\n "name": "A\tda" }'), "sample.json", 3, json("control character")),
  refused("sample.json has an unknown escape", sample('{ "name": "\\x41" }'), "sample.json", 1, json("a backslash is followed by")),
  refused("sample.json has half of an escape", sample('{ "name": "\\u12" }'), "sample.json", 1, json("four hexadecimal digits")),
  refused("sample.json has NaN", sample('{ "name": NaN }'), "sample.json", 1, json("this is not a value")),
  refused("sample.json has a number with a leading zero", sample('{ "name": 01 }'), "sample.json", 1, json("")),
  refused("sample.json has a number without digits", sample('{ "name": 1. }'), "sample.json", 1, json("number is incomplete")),
  refused("sample.json has two values", sample('{ "name": "Ada" }\n{}'), "sample.json", 2, json("more text after the end")),
  refused("sample.json has a no-break space between its values", sample('{\n\u00a0"name": "Ada" }'), "sample.json", 2, json("")),
  refused("sample.json has a key twice", sample('{ "name": "Ada",\n\n "name": "Bob" }'), "sample.json", 3, /^the key "name" occurs twice in its object$/),
  refused("sample.json has a key twice, once as an escape", sample('{ "name": "Ada",\n "n\\u0061me": "Bob" }'), "sample.json", 2, /^the key "name" occurs twice/),
  refused("sample.json has a nested key twice", sample('{ "name": [{ "__proto__": 1,\n "__proto__": 2 }] }'), "sample.json", 2, /^the key "__proto__" occurs twice/),
  refused("template.json has a key twice", { "template.json": manifest().replace("{", '{\n "title": "x",') }, "template.json", 3, /^the key "title" occurs twice/),
  refused("sample.json has half of a surrogate pair", sample('{\n "name": "\\ud800" }'), "sample.json", 2, /^the text contains half of a surrogate pair/),
  refused("a key of sample.json has half of a surrogate pair", sample('{\n "\\udc00": "" }'), "sample.json", 2, /^the text contains half of a surrogate pair/),
  refused("template.json has half of a surrogate pair", { "template.json": manifest({ title: "\ud800" }) }, "template.json", 2, /half of a surrogate pair/),
  refused("sample.json is nested 65 levels deep", sample(`{ "name":\n${nested("[", "]", 64)} }`), "sample.json", 2, /^objects and lists are nested more than 64 levels deep$/),
  refused("sample.json is nested 400,000 levels deep", sample(nested("[", "]", 400_000)), "sample.json", 1, /nested more than 64 levels/),
  refused("sample.json opens 900,000 lists", sample("[".repeat(900_000)), "sample.json", 1, /nested more than 64 levels/),
  refused("sample.json opens 100,000 objects", sample('{"a":'.repeat(100_000)), "sample.json", 1, /nested more than 64 levels/),
  refused("template.json is nested 60,000 levels deep", { "template.json": nested('{"a":[', "]}", 20_000) }, "template.json", 1, /nested more than 128 levels/),
  refused("sample.json is a list", sample("[]"), "sample.json", 1, /^the file must contain a JSON object$/),
  refused("sample.json is null", sample("null"), "sample.json", 1, /^the file must contain a JSON object$/),
  refused("sample.json is a string", sample('"Ada"'), "sample.json", 1, /^the file must contain a JSON object$/),
];
