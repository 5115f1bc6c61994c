import { expect, it } from "vitest";
import type { Access } from "colophon-template-model/template";
import { accessOfVersion, resolveAccess } from "../../../src/core/documents/access.ts";
import { ServiceError } from "../../../src/core/errors.ts";

const ofAccount = "all documents of this account are private.";
const ofTemplate = "the documents of this template are private, and its `template.json` does not have `allowPublic`.";
const open = { access: "public" } as const;
const hidden = { access: "private" } as const;
const optional = { access: "private", allowPublic: true } as const;

type Row = [
  account: Access,
  template: Parameters<typeof resolveAccess>[1],
  requested: Access | undefined,
  result: string,
];
const rows: Row[] = [
  ["public", {}, undefined, "public"],
  ["public", {}, "public", "public"],
  ["public", {}, "private", "private"],
  ["public", open, undefined, "public"],
  ["public", open, "private", "private"],
  ["public", hidden, undefined, "private"],
  ["public", hidden, "private", "private"],
  ["public", hidden, "public", ofTemplate],
  ["public", { access: "private", allowPublic: false }, "public", ofTemplate],
  ["public", optional, undefined, "private"],
  ["public", optional, "public", "public"],
  ["private", {}, undefined, "private"],
  ["private", {}, "private", "private"],
  ["private", {}, "public", ofAccount],
  ["private", open, undefined, "private"],
  ["private", open, "public", ofAccount],
  ["private", hidden, "public", ofAccount],
  ["private", optional, undefined, "private"],
  ["private", optional, "public", ofAccount],
];

it.each(rows)(
  "in a %s account, a template with %j and a request for %s give: %s",
  (account, template, requested, result) => {
    expect(outcome(() => resolveAccess(account, template, requested))).toEqual(
      result === "public" || result === "private"
        ? result
        : [{ path: "access", message: `\`access\` must be "private": ${result}` }],
    );
  },
);

it("an older version is as strict as the stricter one of that version and the newest one", () => {
  const strict = [{}, open, optional, hidden];
  const results = strict.flatMap((version) => strict.map((newest) => accessOfVersion(version, newest)));

  const indexes = results.map((result) =>
    Math.max(
      1,
      strict.findIndex((each) => JSON.stringify(each) === JSON.stringify(result)),
    ),
  );
  expect(indexes).toEqual([1, 1, 2, 3, 1, 1, 2, 3, 2, 2, 2, 3, 3, 3, 3, 3]);
});

function outcome(resolve: () => Access) {
  try {
    return resolve();
  } catch (error) {
    return error instanceof ServiceError ? error.details : error;
  }
}
