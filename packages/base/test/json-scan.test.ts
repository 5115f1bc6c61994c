import { expect, it } from "vitest";
import { scanJson } from "../src/json-scan.ts";

it.each<[string, string, (string | number)[][]]>([
  ["at the top", '{"a":1,"b":2,"a":3}', [["a"]]],
  ["in an object in a list", '[{"a":1},{"b":{"c":1,"c":2}}]', [[1, "b", "c"]]],
  ["written with an escape", String.raw`{"a":1,"\u0061":2}`, [["a"]]],
  ["after an object that contains the key", '{"a":{"a":1},"a":2}', [["a"]]],
  ["in two objects at the same depth", '[{"a":1},{"a":2}]', []],
  ["at two depths", '{"a":{"a":{"a":1}}}', []],
  ["also as a value", '{"a":"a","b":["a","a"]}', []],
])("scanJson reports a key that occurs twice in one object: %s", (_, text, paths) => {
  const { problems } = scanJson(text, { maxDepth: 10, maxProblems: 10 });

  expect(problems.map(({ kind, path }) => ({ kind, path }))).toEqual(
    paths.map((path) => ({ kind: "duplicate_key", path })),
  );
});
