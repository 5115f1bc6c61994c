import { expect, it } from "vitest";
import { parseUuid } from "../../src/core/uuid.ts";

const id = "9c009b16-54fb-4998-b6b1-dcbe21f51998";

it.each([id, id.toUpperCase(), "9C009b16-54fB-4998-b6b1-dcbe21F51998"])(
  "the id %s is returned in lower case",
  (text) => {
    expect(parseUuid(text)).toBe(id);
  },
);

it.each([
  ...["", "1", `${id}\n`, ` ${id}`, `${id}0`, id.slice(1), `{${id}}`, `urn:uuid:${id}`, id.replaceAll("-", "")],
  ...[id.replace("9", "g"), id.replace("9", "\u0669")],
])("the id %j is not a valid UUID", (text) => {
  expect(parseUuid(text)).toBeNull();
});
