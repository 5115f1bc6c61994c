import { expect, it } from "vitest";
import { argumentNames } from "../../src/messages/message.ts";
import { parseMessage } from "../../src/messages/parse-message.ts";

function reasonOf(text: string): string {
  const result = parseMessage(text);
  if (result.status === "parsed") throw new Error("the message was parsed");
  return result.reason;
}

it.each(
  Object.entries({
    "pour l'{item} seul": "the apostrophe before `{item}` makes it text; write two apostrophes there",
    "{n, plural, one {d'{name, number}} other {x}}":
      "the apostrophe before `{name,` makes it text; write two apostrophes there",
    "{date": "a `}` is missing, at `{date`",
    "{}": "the name of an argument is missing between `{` and `}`, at `{}`",
    "due {date}}": "there is a `}` without a `{` before it; write `'}'` to print it",
    "{a b}": "an argument must be a name, as in `{date}` or `{count, number}`, at `{a b}`",
    "{a, money}":
      "the type of an argument must be `number`, `date`, `time`, `plural`, `selectordinal` or `select`, at `money}`",
    "{a, date, ::foo}":
      "the style of a date or time must be `short`, `medium`, `long`, `full`, or a skeleton such as `::MMMM yyyy`",
    "{a, date, dd.MM.}":
      "the style of a date or time must be `short`, `medium`, `long`, `full`, or a skeleton such as `::MMMM yyyy`",
    "{a, time, tiny}":
      "the style of a date or time must be `short`, `medium`, `long`, `full`, or a skeleton such as `::jmm`",
    "{0}": "`{0}` is not an argument; its name must consist of letters, digits and `_`, as in `{date}`",
    "{größe}": "`{größe}` is not an argument; its name must consist of letters, digits and `_`, as in `{date}`",
    "{n, plural, one {x}}": "the form `other` is missing, at `}`",
    "{n, plural, single {x} other {y}}":
      "there is no plural form `single`, only `zero`, `one`, `two`, `few`, `many`, `other`, and numbers such as `=0`",
    "{n, plural, =01 {x} other {y}}":
      "there is no plural form `=01`, only `zero`, `one`, `two`, `few`, `many`, `other`, and numbers such as `=0`",
    "{n, plural, one {x} one {y} other {z}}": "a form occurs twice, at `one {y} other {z}}`",
    "{n, select}": "the forms are missing, as in `{count, plural, one {# item} other {# items}}`, at `}`",
    "{a, }":
      "a type is missing after the comma; it must be `number`, `date`, `time`, `plural`, `selectordinal` or `select`, at `}`",
    "{a, number, }": "a style is missing after the comma, at `}`",
    "{a, number, ::.00/}": "the style of the number is not a skeleton such as `::currency/EUR`, at `::.00/}`",
    "{a, date, ::}": "a skeleton such as `MMMM yyyy` is missing after `::`, at `{a, date, ::}`",
    "{a, number, 'x}": "a `'` in the style is not closed, at `x}`",
    "{n, plural, offset:x other {y}}": "a number is missing after `offset:`, at `x other {y}}`",
    "{n, plural, offset:99999999999999999999 other {y}}":
      "`offset:` must be followed by a number, at `99999999999999999999 other {y}…`",
    "{n, plural, }": "the name of a form is missing, as in `one {…}`, at `}`",
    "{n, select, }": "the name of a form is missing, as in `other {…}`, at `}`",
    "{n, plural, other}": "a form needs its text in braces, as in `one {text}`, at `}`",
    "{n, select, other}": "a form needs its text in braces, as in `other {text}`, at `}`",
    "{n, select, a {x} a {y} other {z}}": "a form occurs twice, at `a {y} other {z}}`",
    "{n, plural, =1 {x}": "the form `other` is missing, at the end",
  }),
)("a message: %s is refused: %s", (text, reason) => {
  expect(reasonOf(text)).toBe(reason);
});

it.each([
  "{a, number, money}",
  `{a, number, ::.${"0".repeat(21)}}`,
  "{a, number, ::percent}",
  "{a, number, ::currency/EURO}",
])("a message: %s is refused for the style of the number", (text) => {
  expect(reasonOf(text)).toBe(
    "the style of a number must be `integer`, `percent`, or a skeleton made of `::currency/EUR`, `.00` and `group-off`",
  );
});

it.each([
  "'}'",
  "'{x}'",
  "it's '}'",
  "'{' and '}' and ''",
  "{n, select, other {'}'}}",
  "'{unclosed}",
  "l''{item}",
  "a'{'b'}'",
  `{a, number, ::.${"0".repeat(20)}}`,
])("a message: %s is valid", (text) => {
  expect(parseMessage(text).status).toBe("parsed");
});

it("a message may have at most 5,000 characters", () => {
  expect(parseMessage("x".repeat(5_000)).status).toBe("parsed");
  expect(reasonOf("x".repeat(5_001))).toBe("a message may have at most 5,000 characters");
});

it.each([
  ["{a,select,other{", "}}", 300],
  ["{", "", 5_000],
  ["{a,plural,other{", "", 300],
  ["'{", "", 2_500],
  ["}", "", 5_000],
])("a message that repeats %s is refused or read without a crash", (open, close, count) => {
  const { status } = parseMessage(open.repeat(count) + close.repeat(count));

  expect(["parsed", "problem"]).toContain(status);
});

it("plurals and selects in a message may be nested five levels deep", () => {
  const nested = (depth: number) => "{a, select, other {".repeat(depth) + "x" + "}}".repeat(depth);

  expect(parseMessage(nested(5)).status).toBe("parsed");
  expect(reasonOf(nested(6))).toBe("plurals and selects are nested more than 5 levels deep");
});

it("a message may have a form with the name `__proto__`", () => {
  const result = parseMessage("{a, select, __proto__ {x {b}} other {y}}");

  expect(result.status === "parsed" && [...argumentNames(result.message)]).toEqual(["a", "b"]);
});
