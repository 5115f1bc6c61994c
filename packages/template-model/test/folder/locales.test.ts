import { expect, it } from "vitest";
import { manifest, validFiles } from "colophon-test-kit/template-files";
import { foldersLike } from "./folders.ts";

/** A template whose only page prints one message. */
const { contentOf, problemsOf } = foldersLike({
  ...validFiles,
  "template.json": manifest({ fields: [], locale: "en" }),
  "sample.json": "{}",
  "pages/1.liquid": '{{ "hello" | t }}',
  "locales/en.json": '{ "hello": "Hello" }',
});

it("the files of `locales/` are stored unchanged, with their languages in the manifest", () => {
  const content = contentOf({
    "locales/de-AT.json": '{"hello":\n"Servus"}',
    "locales/de.json": '{ "hello": "Hallo" }',
  });

  expect(content.locales).toEqual([
    { locale: "de", source: '{ "hello": "Hallo" }' },
    { locale: "de-AT", source: '{"hello":\n"Servus"}' },
    { locale: "en", source: '{ "hello": "Hello" }' },
  ]);
  expect(content.manifest.locales).toEqual(["de", "de-AT", "en"]);
});

it("the content of a template without files in `locales/` does not mention them", () => {
  const content = contentOf({ "locales/en.json": null, "pages/1.liquid": "Hello" });

  expect(content).not.toHaveProperty("locales");
  expect(content.manifest).not.toHaveProperty("locales");
});

it.each([
  ["de-at.json", "its name must be written as de-AT.json"],
  [
    "i-klingon.json",
    "the name of a file in locales/ must be a BCP 47 language tag such as `de` or `en-GB`, followed by .json",
  ],
  ["jp.json", "`jp` is not a known language"],
  [
    "README.md",
    "the name of a file in locales/ must be a BCP 47 language tag such as `de` or `en-GB`, followed by .json",
  ],
])("a file in `locales/` cannot be called %s", (name, reason) => {
  expect(problemsOf({ [`locales/${name}`]: '{ "hello": "x" }' })).toEqual([`locales/${name}:1: ${reason}`]);
});

it.each([
  ["a list", "[]", 1, "the file must contain a JSON object"],
  [
    "a number",
    '{\n "hello": "x",\n "a": { "b": 7 } }',
    3,
    "a message must be a string, or an object that contains messages",
  ],
  [
    "a long key",
    `{ "a": { "${"x".repeat(200 - 1)}": "y" } }`,
    1,
    "a key may have at most 200 characters, including the keys of the objects around it",
  ],
  ["an empty key", '{\n "hello": "x",\n "": "y" }', 3, "a key must not be empty or contain control characters"],
  [
    "a key in two spellings",
    '{ "hello": "x",\n "a.b": "y",\n "a": { "b": "z" } }',
    3,
    'the key "a.b" occurs twice in the file',
  ],
  ["a malformed message", '{ "hello": "x",\n "a": { "b": "{date" } }', 2, "`a.b`: a `}` is missing, at `{date`"],
])("a file in `locales/` cannot contain %s", (_what, source, line, reason) => {
  expect(problemsOf({ "locales/en.json": source })).toEqual([`locales/en.json:${line}: ${reason}`]);
});

it("the files of `locales/` may have keys that are special in JavaScript", () => {
  const source = '{ "hello": "x", "__proto__": "a", "constructor": { "toString": "b" } }';
  const page = '{{ "hello" | t }}{{ "__proto__" | t }}{{ "constructor.toString" | t }}';

  expect(problemsOf({ "locales/en.json": source, "pages/1.liquid": page })).toEqual([]);
});

it("a file in `locales/` may have at most 5,000 messages", () => {
  const source = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "x"])));
  const page = "{% assign k = 'k' | append: '1' %}{{ k | t }}";

  expect(problemsOf({ "locales/en.json": source(5_000), "pages/1.liquid": page })).toEqual([]);
  expect(problemsOf({ "locales/en.json": source(10_000), "pages/1.liquid": page })).toEqual([
    "locales/en.json:1: the file has 10000 messages; at most 5,000 are allowed",
  ]);
});

it("the files of `locales/` may have at most a million characters together", () => {
  const languages = ["da", "de", "es", "fi", "fr", "it", "nl", "pl", "pt", "sv"];
  const text = JSON.stringify({
    hello: "x",
    ...Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`k${n}`, "x".repeat(4_900)])),
  });
  const files = Object.fromEntries(languages.map((tag) => [`locales/${tag}.json`, text]));

  expect(problemsOf(files)).toEqual([
    `locales:1: the files in locales/ have ${languages.length * text.length + 20} characters; at most 1,000,000 are allowed`,
  ]);
});

it("the files of `locales/` may nest keys at most ten levels deep", () => {
  const nested = (depth: number) => `{ "hello": "x", "a":${'{"a":'.repeat(depth - 1)}"x"${"}".repeat(depth)}`;
  const key = (depth: number) => Array.from({ length: depth }, () => "a").join(".");

  expect(
    problemsOf({ "locales/en.json": nested(10), "pages/1.liquid": `{{ "${key(10)}" | t }}{{ "hello" | t }}` }),
  ).toEqual([]);
  expect(problemsOf({ "locales/en.json": nested(11) })).toEqual([
    "locales/en.json:1: objects and lists are nested more than 10 levels deep",
  ]);
});

it("the files of `locales/` must contain messages in the template's own language", () => {
  const changes = {
    "locales/en.json": null,
    "locales/de.json": '{ "hello": "x" }',
    "locales/fr.json": '{ "hello": "x" }',
  };

  expect(problemsOf(changes)).toEqual([
    "template.json:5: locale: there are no messages in the template's own language; add locales/en.json, or set `locale` to one of `de`, `fr`",
  ]);
  expect(problemsOf({ ...changes, "template.json": manifest({ fields: [], locale: "de-AT" }) })).toEqual([]);
});

it("`locale` in template.json is stored in its canonical form", () => {
  const content = contentOf({ "template.json": manifest({ fields: [], locale: "EN-gb" }) });

  expect(content.manifest.locale).toBe("en-GB");
});

it("`locale` in template.json cannot be an unknown language", () => {
  expect(problemsOf({ "template.json": manifest({ fields: [], locale: "jp" }) })).toEqual([
    'template.json:5: locale: "jp" is not a known language',
  ]);
});

it.each(["en_GB", ""])("`locale` in template.json cannot be %j", (locale) => {
  expect(problemsOf({ "template.json": manifest({ fields: [], locale }) })).toEqual([
    `template.json:5: locale: must be a BCP 47 language tag such as \`de\` or \`en-GB\`, got "${locale}"`,
  ]);
});
