// Folders whose template.json or sample.json is well-formed JSON, but wrong.
import { dataUri, png } from "../../../../fixtures/images.ts";
import { manifest, type Files } from "../../../../fixtures/template-files.ts";
import { accepted, refused, type HostileFolder } from "../../../../fixtures/hostile-folder.ts";

/** A folder whose template has these fields, with this text as its sample data. */
const folder = (fields: object[], sample = "{}"): Files => ({
  "template.json": manifest({ fields }),
  "sample.json": sample,
});
const nestedField = (depth: number): object =>
  depth === 0 ? { key: "a", type: "string" } : { key: "a", type: "object", fields: [nestedField(depth - 1)] };
const wrongManifest = (what: string, change: object, line: number, reason: RegExp) =>
  refused(`template.json ${what}`, { "template.json": manifest(change) }, "template.json", line, reason);
const wrongField = (what: string, field: object, line: number, reason: RegExp) =>
  refused(`a field ${what}`, folder([{ key: "a", ...field }]), "template.json", line, reason);
const wrongSample = (what: string, fields: object[], sample: string, line: number, reason: RegExp) =>
  refused(`sample.json ${what}`, folder(fields, sample), "sample.json", line, reason);

const image = { key: "logo", type: "image" };
const text = { key: "name", type: "string" };

export const manifests: HostileFolder[] = [
  refused(
    "template.json is a list",
    { "template.json": "[]" },
    "template.json",
    1,
    /^template\.json: must be an object, got a list$/,
  ),
  refused(
    "template.json is a number",
    { "template.json": "7" },
    "template.json",
    1,
    /^template\.json: must be an object, got 7$/,
  ),
  refused(
    "template.json is an empty object",
    { "template.json": "{}" },
    "template.json",
    1,
    /^title: is missing; it must be a string$/,
  ),
  wrongManifest("has a number as its title", { title: 7 }, 2, /^title: must be a string, got 7$/),
  wrongManifest("has an empty title", { title: "" }, 2, /^title: must not be empty$/),
  wrongManifest("has a title of spaces", { title: " \u00a0 " }, 2, /^title: must not be empty$/),
  wrongManifest(
    "has a title of 201 characters",
    { title: "x".repeat(201) },
    2,
    /^title: must have at most 200 characters$/,
  ),
  wrongManifest(
    "has a title with a null character",
    { title: "a\0b" },
    2,
    /^title: must not contain line breaks or other control characters$/,
  ),
  wrongManifest("has a title with a line break", { title: "a\nb" }, 2, /^title: must not contain line breaks/),
  wrongManifest(
    "has a description with an escape character",
    { description: "\u001b[2J" },
    11,
    /^description: must not contain control characters/,
  ),
  wrongManifest("has an unknown paper size", { pageSize: "A9" }, 3, /^pageSize: must be one of .*"A4".*, got "A9"$/),
  wrongManifest("has constructor as its paper size", { pageSize: "constructor" }, 3, /^pageSize: must be one of/),
  wrongManifest(
    "has a width of 1e308",
    { pageSize: undefined, width: 1e308, height: 100 },
    10,
    /^width: must be a whole number of pixels from 16 to 5000$/,
  ),
  wrongManifest("has a negative margin", { margin: { top: -1 } }, 12, /^margin\.top: must be at least 0, got -1$/),
  wrongManifest(
    "has a margin of a thousand digits",
    { margin: { top: `${"9".repeat(1_000)}px` } },
    11,
    /^margin: the margins leave no room on the page$/,
  ),
  wrongManifest(
    "has a locale of 1,000 characters",
    { locale: `en-x${"-abcdefgh".repeat(110)}` },
    11,
    /^locale: must have at most 100 characters$/,
  ),
  wrongManifest(
    "has an orientation in capitals",
    { orientation: "Portrait" },
    11,
    /^orientation: must be one of "portrait", "landscape", got "Portrait"$/,
  ),
  wrongManifest(
    "has the string yes for isPublished",
    { isPublished: "yes" },
    11,
    /^isPublished: must be true or false, got "yes"$/,
  ),
  wrongManifest(
    "has an unknown property",
    { papersize: "A4" },
    11,
    /^template\.json: "papersize" is not a known property$/,
  ),
  refused(
    "template.json has a property called __proto__",
    { "template.json": manifest().replace("{", '{\n "__proto__": { "title": "x" },') },
    "template.json",
    2,
    /^template\.json: "__proto__" is not a known property$/,
  ),
  refused(
    "template.json has null as its fields",
    { "template.json": manifest({ fields: null }) },
    "template.json",
    4,
    /^fields: must be a list, got null$/,
  ),
  wrongField("has no type", {}, 5, /^fields\.0\.type: must be one of "string".*, got nothing$/),
  wrongField(
    "is required but has a default",
    { type: "string", required: true, default: "x" },
    9,
    /a required field cannot have a default$/,
  ),
  wrongField(
    "has an example of another type",
    { type: "number", example: "7" },
    8,
    /^fields\.0\.example: `a` must be a number, got the string "7"\.$/,
  ),
  wrongField(
    "has a default with a number too large for JSON",
    { type: "number", default: "1e999" },
    8,
    /^fields\.0\.default: `a` must be a number/,
  ),
  wrongField(
    "has an image of a gigabyte as its default",
    { type: "image", default: dataUri("png", png(16_000, 16_000)) },
    8,
    /^fields\.0\.default: the image `a` cannot be used: it is 16000 x 16000 pixels/,
  ),
  wrongField(
    "has a misspelt property",
    { type: "string", requried: true },
    8,
    /^fields\.0: "requried" is not a known property$/,
  ),
  wrongField(
    "has an object as its label",
    { type: "string", label: {} },
    8,
    /^fields\.0\.label: must be a string, got an object$/,
  ),
  wrongField(
    "is a list with neither items nor fields",
    { type: "list" },
    7,
    /^fields\.0\.type: a list must have either `fields` or `items`$/,
  ),
  wrongField(
    "is a list with both items and fields",
    { type: "list", items: "string", fields: [text] },
    7,
    /^fields\.0\.type: a list must have either `fields` or `items`$/,
  ),
  wrongField("is an object without fields", { type: "object" }, 7, /^fields\.0\.type: an object must have `fields`/),
  wrongField(
    "is a string with items",
    { type: "string", items: "string" },
    7,
    /^fields\.0\.type: only objects and lists/,
  ),
  wrongField("has an unknown type", { type: "money" }, 7, /^fields\.0\.type: .*"integer"/),
  wrongField(
    "has a key that is not a name",
    { type: "string", key: "1st" },
    6,
    /^fields\.0\.key: a key consists of letters, digits and _/,
  ),
  wrongField(
    "has an inner key twice",
    { type: "object", fields: [text, text] },
    14,
    /^fields\.0\.fields\.1: the key "name" is used twice$/,
  ),
  wrongManifest("has an unknown time zone", { timeZone: "Mars/Olympus" }, 11, /^timeZone: not an IANA time zone$/),
  wrongManifest(
    "has margins that leave no room on the page",
    { margin: { top: "200mm", bottom: "200mm" } },
    11,
    /^margin: the margins leave no room on the page$/,
  ),
  refused("there is no template.json", { "template.json": null }, "template.json", 1, /^the file is missing$/),
  refused(
    "fields are nested 62 levels deep without sample data for a required one",
    folder([nestedField(62), { ...text, required: true }]),
    "sample.json",
    1,
    /^`name` is required\.$/,
  ),
  refused(
    "fields are nested 70 levels deep",
    folder([nestedField(70)]),
    "template.json",
    257,
    /nested more than 128 levels deep/,
  ),
  refused(
    "a key is used twice",
    folder([text, text]),
    "template.json",
    10,
    /^fields\.1: the key "name" is used twice$/,
  ),
  accepted("a default is null", folder([{ ...text, default: null, required: true }], '{ "name": "Ada" }')),
  accepted("an example is null", folder([{ ...text, example: null }])),
  accepted(
    "keys have names that are special in JavaScript",
    folder(
      [
        { key: "__proto__", type: "string" },
        { key: "constructor", type: "string" },
      ],
      '{ "__proto__": "a", "constructor": "b" }',
    ),
  ),
];

export const samples: HostileFolder[] = [
  wrongSample("lacks a required field", [{ ...text, required: true }], "{}", 1, /^`name` is required\.$/),
  wrongSample(
    "lacks a required nested field",
    [{ key: "l", type: "list", fields: [{ ...text, required: true }] }],
    '{\n "l": [\n  { "name": "" },\n  { }\n ]\n}',
    4,
    /^`l\.1\.name` is required\.$/,
  ),
  refused("there is no sample.json", { "sample.json": null }, "sample.json", 1, /^the file is missing$/),
  wrongSample("has a number for a string", [text], '{\n "name": 7 }', 2, /^`name` must be a string, got 7\.$/),
  wrongSample(
    "has a number too large for double precision",
    [{ key: "n", type: "number" }],
    '{ "n":\n 1e999 }',
    2,
    /^`n` must be a number, got Infinity\.$/,
  ),
  wrongSample(
    "has an integer that is not exact",
    [{ key: "n", type: "integer" }],
    '{ "n": 9007199254740993 }',
    1,
    /^`n` must be a whole number/,
  ),
  wrongSample(
    "has a date that does not exist",
    [{ key: "d", type: "date" }],
    '{ "d": "2026-02-30" }',
    1,
    /^`d` must be a date/,
  ),
  wrongSample(
    "has a key that is not a field",
    [text],
    '{\n "name": "Ada",\n "nmae": "Bob" }',
    3,
    /^`nmae` is not a field of the template$/,
  ),
  wrongSample(
    "has an unknown key inside a list",
    [{ key: "l", type: "list", fields: [text] }],
    '{ "l": [{},\n { "nmae": "" }] }',
    2,
    /^`l\.1\.nmae` is not a field of the template$/,
  ),
  wrongSample(
    "has a key with a dot that is not a field",
    [text],
    '{\n "a.b": 1 }',
    2,
    /^`a\.b` is not a field of the template$/,
  ),
  wrongSample(
    "has a key called __proto__ that is not a field",
    [text],
    '{\n "__proto__": {} }',
    2,
    /^`__proto__` is not a field of the template$/,
  ),
  wrongSample(
    "has 50,000 unknown keys",
    [text],
    JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, 0]))),
    1,
    /^`k0` is not a field of the template$/,
  ),
  wrongSample(
    "has an image that is not an image",
    [image],
    '{ "logo":\n "data:image/png;base64,AAAA" }',
    2,
    /^the image `logo` cannot be used: its content is not a PNG/,
  ),
  wrongSample(
    "has an image of a gigabyte",
    [image],
    `{ "logo":\n "${dataUri("png", png(16_000, 16_000))}" }`,
    2,
    /^the image `logo` cannot be used: it is 16000 x 16000 pixels/,
  ),
  wrongSample(
    "has an image with malformed base64",
    [image],
    '{ "logo": "data:image/png;base64,@@@" }',
    1,
    /^the image `logo` cannot be used: its `data:` URI is not well formed/,
  ),
  wrongSample(
    "has an image on the host itself",
    [image],
    '{ "logo": "https://127.0.0.1/a.png" }',
    1,
    /^the image `logo` cannot be used: /,
  ),
  wrongSample(
    "has an image from a file of the host",
    [image],
    '{ "logo": "file:///etc/passwd" }',
    1,
    /^`logo` must be a `data:` URI of an image/,
  ),
  wrongSample(
    "has a list for an object",
    [{ key: "o", type: "object", fields: [text] }],
    '{ "o": [] }',
    1,
    /^`o` must be an object, got a list\.$/,
  ),
  wrongSample(
    "has null inside a list of strings",
    [{ key: "l", type: "list", items: "string" }],
    '{ "l": ["a",\n null] }',
    2,
    /^`l\.1` must be a string, got null\.$/,
  ),
  accepted("sample.json has null for an optional field", folder([text], '{ "name": null }')),
  accepted("sample.json has an image on a public host", folder([image], '{ "logo": "https://example.com/a.png" }')),
];
