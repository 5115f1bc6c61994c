import { expect, it } from "vitest";
import { counterStyles } from "../../src/references/counter-styles.ts";
import {
  leaderAttributeName,
  pageAttributeName,
  parseAttributeNames,
} from "../../src/references/reference-attributes.ts";

it("each attribute of a page reference can be read back from its name", () => {
  const styles = [...counterStyles, "part" as const];
  const names = styles.flatMap((style) => ["href", "data-of-x"].map((source) => pageAttributeName(source, style)));

  const { pages } = parseAttributeNames(names.join(" "));

  expect(pages).toEqual(
    styles.flatMap((style) =>
      ["href", "data-of-x"].map((source) => ({ name: pageAttributeName(source, style), source, style })),
    ),
  );
});

it.each([".", " . ", "·", "→", "😀", "‏."])("the leader %j can be read back from its attribute's name", (pattern) => {
  const name = leaderAttributeName(pattern);

  expect(name).toMatch(/^[a-z0-9-]+$/);
  expect(parseAttributeNames(name).leaders).toEqual([{ name, pattern }]);
});

it("attributes with other names are ignored", () => {
  const names =
    "data-colophon-page-decimal data-colophon-page-binary-of-href data-colophon-leader-2e data-colophon-leader x";

  expect(parseAttributeNames(names)).toEqual({ pages: [], leaders: [] });
  expect(parseAttributeNames("")).toEqual({ pages: [], leaders: [] });
});
