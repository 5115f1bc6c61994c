import { expect, it } from "vitest";
import { parseStrictJson } from "../../src/core/strict-json.ts";

const parsed = (text: string) => parseStrictJson(text, 64);

/** The paths of the problems, or the status if there are none. */
function problemPaths(text: string): string[] | string {
  const result = parsed(text);
  return result.status === "refused" ? result.problems.map(({ path }) => path) : result.status;
}

it.each([
  ...["0", "-1.5e3", '"text"', " [ 1 , \t\r\n2 ] ", '{"a":{"b":[{"c":null},true,false,[[]]]}}'],
  ...['{"a":1,"b":{"a":1,"b":{"a":1}},"c":{"a":1}}', '[{"a":1},{"a":2},[{"a":3}]]', '{"a":{},"b":[{},"a"]}'],
  ...['{"a":"{\\"a\\":1,\\"a\\":2}"}', '{"\\\\":"\\\\","\\"":"\\\\\\"",":":","}', '{"":1," ":2}'],
  ...['{"\\u00e9":1,"e\\u0301":2}', '{"😀":"\\uD83D\\uDE00"}', '["\\\\ud800"]', '["1e400","9007199254740993"]'],
  ...['{"1e400":1}', '{"constructor":1,"toString":2,"hasOwnProperty":3}'],
])("parseStrictJson returns the value that JSON.parse returns: %s", (text) => {
  expect(parsed(text)).toEqual({ status: "parsed", value: JSON.parse(text) });
});

it("parseStrictJson reads `__proto__` as an ordinary key", () => {
  const result = parsed('{"__proto__":{"admin":true}}');

  const value = result.status === "parsed" ? result.value : null;
  expect(Object.keys(value ?? {})).toEqual(["__proto__"]);
  expect((value as { admin?: boolean }).admin).toBeUndefined();
});

it.each(["", "{", "[1,]", "\ufeff{}", "// comment\n1", "NaN", '"\t"', "[1]]"])(
  "parseStrictJson reports that %j is malformed",
  (text) => {
    expect(parsed(text).status).toBe("malformed");
  },
);

it.each([
  ['{\n  "a": 1\n  "b": 2\n}', 2, 9, "a comma is missing"],
  ['{"a": 1,\r\n "b": [1,]}', 2, 9, "a value is missing; a comma cannot come last"],
  ["{'a':1}", 1, 2, "this is not a value; text must be in double quotes"],
  ['{"a":1', 1, 7, "a `}` is missing"],
  ["[".repeat(200_000), 1, 65, "objects and lists are nested more than 64 levels deep"],
  [`[${"[1],".repeat(100_000)}x]`, 1, 400_002, "this is not a value; text must be in double quotes"],
])("parseStrictJson names the position of the first mistake (%#)", (text, line, column, reason) => {
  expect(parsed(text)).toEqual({ status: "malformed", line, column, reason });
});

it.each([
  ['{"a":1,"a":2}', ["a"]],
  ['{"a":1,"\\u0061":2}', ["a"]],
  ['{"a\\\\":1,"a\\\\":2}', ["a\\"]],
  ['{"a":1,"b":2,"a":3,"b":4,"a":5}', ["a", "b", "a"]],
  ['{"data":[{"a":1},{"a":1,"b":{},"a":2}]}', ["data.1.a"]],
  ['{"a":{"x":{"a":1}},"a":1}', ["a"]],
  ['[[],[1,[{"a":[{"a":1}],"a":1}]]]', ["1.1.0.a"]],
  ['{"":1,"":2}', [""]],
  ['{"constructor":1,"constructor":2}', ["constructor"]],
])("a duplicate key is refused with its path: %s", (text, paths) => {
  expect(problemPaths(text)).toEqual(paths);
});

it("a duplicate key is refused with a message that says what is required", () => {
  expect(parsed('{"data":{"name":"Ada","name":"Grace"}}')).toEqual({
    status: "refused",
    problems: [
      { path: "data.name", message: "`data.name` occurs more than once; each key of an object must be unique." },
    ],
  });
});

it.each([
  ['["\\ud800"]', ["0"]],
  ['["a","\\ud800\\ud800\\udc00"]', ["1"]],
  ['["\\udc00\\ud800"]', ["0"]],
  ['{"a":{"b":"x\\ud83dx"}}', ["a.b"]],
  ['"\\ud800"', [""]],
  ['["\ud800"]', ["0"]],
])("a lone surrogate in a string is refused with the path of the string: %s", (text, paths) => {
  expect(problemPaths(text)).toEqual(paths);
});

it.each([
  ['{"\\ud800":1}', [""]],
  ['{"data":[{"\\udfff":1}]}', ["data.0"]],
])("a lone surrogate in a key is refused with the path of the object: %s", (text, paths) => {
  expect(problemPaths(text)).toEqual(paths);
});

it("a lone surrogate in a key is replaced in the paths of other problems", () => {
  const result = parsed('{"a\\ud800":{"b":1e400}}');

  expect(JSON.stringify(result)).not.toMatch(/\\\\ud800"|\\ud800\./);
  expect(result).toMatchObject({ problems: [{ path: "" }, { path: "a\ufffd.b" }] });
});

it.each([
  ['{"a":[0,1e400]}', "a.1", "`a.1` is 1e400, but the largest number is about 1.8e308 (double precision)."],
  [
    '{"a":-9007199254740993}',
    "a",
    "`a` is -9007199254740993, which double precision would change to -9007199254740992; send it as a string or with at most 15 digits.",
  ],
])("a number that would become a different number is refused: %s", (text, path, message) => {
  expect(parsed(text)).toEqual({ status: "refused", problems: [{ path, message }] });
});

it.each(["18446744073709552000", "9007199254740993.0", "33.3333333333333333", "1e-400", "1e23"])(
  "a number is otherwise rounded to double precision: %s",
  (text) => {
    expect(parsed(text)).toEqual({ status: "parsed", value: Number(text) });
  },
);

it("at most the first twenty problems are returned", () => {
  expect(problemPaths(`[${Array(1_000).fill("1e400").join(",")}]`)).toEqual(
    Array.from({ length: 20 }, (_, i) => `${i}`),
  );
});

it("a problem names at most 60 characters of each key", () => {
  expect(problemPaths(`{"${"k".repeat(300_000)}":{"price":1e400}}`)).toEqual([`${"k".repeat(60)}.price`]);
});

it("the paths of problems have at most 200 characters", () => {
  const text = `${`{"${"k".repeat(50)}":`.repeat(20)}1e400${"}".repeat(20)}`;

  expect(problemPaths(text)).toEqual([expect.stringMatching(/^[k.]{200}$/)]);
});

it("a problem quotes at most 40 characters of a number", () => {
  expect(parsed(`{"a":${"9".repeat(100_000)}}`)).toMatchObject({
    problems: [{ message: `\`a\` is ${"9".repeat(40)}…, but the largest number is about 1.8e308 (double precision).` }],
  });
});

const arrays = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

it("JSON may be nested up to the limit", () => {
  expect([parsed(arrays(64)).status, parsed(arrays(65)).status]).toEqual(["parsed", "too_deep"]);
});

it("objects count towards the depth of JSON, but siblings do not", () => {
  const objects = `${'{"a":'.repeat(65)}1${"}".repeat(65)}`;

  expect([parsed(objects).status, parsed(`[${Array(1_000).fill("[[]]").join(",")}]`).status]).toEqual([
    "too_deep",
    "parsed",
  ]);
});

it("JSON with 200,000 levels does not overflow the stack", () => {
  expect(parsed(arrays(200_000)).status).toBe("too_deep");
});

const object = (count: number, key: (n: number) => string) =>
  `{"data":{${Array.from({ length: count }, (_, n) => `"${key(n)}" :0`).join()}}}`;

it.each([
  ["2,000 with many digits", object(2_000, (n) => `${1e9 + n * 65_536}`)],
  ["3,000 with few digits", object(3_000, (n) => `${n}`)],
])("keys that are numbers are accepted: %s", (_, text) => {
  expect(parsed(text).status).toBe("parsed");
});

it.each([
  ["digits", object(2_001, (n) => `${1e9 + n * 65_536}`)],
  ["escaped digits", object(2_001, (n) => `\\u0031${100_000 + n}`)],
])("more than 2,000 keys that are numbers with many digits are refused: %s", (_, text) => {
  expect(parsed(text)).toMatchObject({
    status: "refused",
    problems: [{ path: "", message: expect.stringContaining("2,000 keys") }],
  });
});
