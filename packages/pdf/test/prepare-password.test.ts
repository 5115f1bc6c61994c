import { describe, expect, it } from "vitest";
import { preparePassword } from "../src/encryption/prepare-password.ts";

function prepared(text: string): string {
  const outcome = preparePassword(text);
  return outcome.status === "prepared" ? new TextDecoder().decode(outcome.bytes) : outcome.reason;
}

const unchanged = ["user", "USER", "pä$$ wörd ", "كلمةالسر", "🔑🦄", "密码", "ا1ا", "\u{1fae8}"];

it.each(unchanged)("the password %j is prepared unchanged", (text) => {
  expect(prepared(text)).toBe(text);
});

it.each([
  ["I\u00adX", "IX", "a soft hyphen"],
  ["\u00aa", "a", "a compatibility character"],
  ["\u2168", "IX", "a Roman numeral"],
  ["a\u0308", "\u00e4", "a decomposed letter"],
  ["a\u00a0b\u3000c", "a b c", "a space other than U+0020"],
  ["\u2764\ufe0f", "\u2764", "a variation selector"],
  ["\ufeffx", "x", "a byte order mark"],
])("the password %j is prepared as %j, because it has %s", (text, expected) => {
  expect(prepared(text)).toBe(expected);
});

describe("characters that a password must not contain", () => {
  it.each([
    ["a control character", "a\u0007", "U+0007"],
    ["a line feed", "a\n", "U+000A"],
    ["a lone surrogate", "a\ud83d", "U+D83D"],
    ["a private-use character", "\ue000", "U+E000"],
    ["a noncharacter", "\u{1fffe}", "U+1FFFE"],
    ["a replacement character", "a\ufffd", "U+FFFD"],
    ["a direction mark", "a\u202eb", "U+202E"],
    ["a tag character", "\u{1f3f4}\u{e0067}", "U+E0067"],
  ])("refuses a password with %s, and names the character", (_, text, code) => {
    expect(prepared(text)).toContain(`must not contain ${code}.`);
  });
});

it.each(["", "\u00ad\u200d"])("the password %j, of which nothing remains, is refused", (text) => {
  expect(prepared(text)).toContain("at least one character");
});

it.each(["ا1", "1ا", "אa", "اaا", "١ا"])("the right-to-left password %j is refused", (text) => {
  expect(prepared(text)).toContain("right-to-left");
});

it.each([
  ["a".repeat(127), "a".repeat(128), 128],
  [`${"🔑".repeat(31)}abc`, `${"🔑".repeat(31)}abcd`, 128],
  [`${"ß".repeat(63)}a`, "ß".repeat(64), 128],
])("a password has at most 127 bytes in UTF-8", (longest, tooLong, bytes) => {
  expect(prepared(longest)).toBe(longest);
  expect(prepared(tooLong)).toContain(`has ${bytes}.`);
});

it("the length of a password counts after its preparation", () => {
  expect(prepared("\u00ad".repeat(200) + "a")).toBe("a");
  expect(prepared("\ufdfa".repeat(10))).toContain("at most 127 bytes");
});
