// Rewords the errors of the ICU MessageFormat parser.
import { shortened } from "colophon-base/text";

/** The parser reports the name of the mistake as the error's message. */
const reasons: Record<string, string> = {
  EXPECT_ARGUMENT_CLOSING_BRACE: "a `}` is missing",
  EMPTY_ARGUMENT: "the name of an argument is missing between `{` and `}`",
  MALFORMED_ARGUMENT: "an argument must be a name, as in `{date}` or `{count, number}`",
  EXPECT_ARGUMENT_TYPE:
    "a type is missing after the comma; it must be `number`, `date`, `time`, `plural`, `selectordinal` or `select`",
  INVALID_ARGUMENT_TYPE:
    "the type of an argument must be `number`, `date`, `time`, `plural`, `selectordinal` or `select`",
  EXPECT_ARGUMENT_STYLE: "a style is missing after the comma",
  INVALID_NUMBER_SKELETON: "the style of the number is not a skeleton such as `::currency/EUR`",
  INVALID_DATE_TIME_SKELETON: "the style of the date is not a skeleton such as `::MMMM yyyy`",
  EXPECT_NUMBER_SKELETON: "a skeleton such as `currency/EUR` is missing after `::`",
  EXPECT_DATE_TIME_SKELETON: "a skeleton such as `MMMM yyyy` is missing after `::`",
  UNCLOSED_QUOTE_IN_ARGUMENT_STYLE: "a `'` in the style is not closed",
  EXPECT_SELECT_ARGUMENT_OPTIONS: "the forms are missing, as in `{count, plural, one {# item} other {# items}}`",
  EXPECT_PLURAL_ARGUMENT_OFFSET_VALUE: "a number is missing after `offset:`",
  INVALID_PLURAL_ARGUMENT_OFFSET_VALUE: "`offset:` must be followed by a number",
  EXPECT_SELECT_ARGUMENT_SELECTOR: "the name of a form is missing, as in `other {…}`",
  EXPECT_PLURAL_ARGUMENT_SELECTOR: "the name of a form is missing, as in `one {…}`",
  EXPECT_SELECT_ARGUMENT_SELECTOR_FRAGMENT: "a form needs its text in braces, as in `other {text}`",
  EXPECT_PLURAL_ARGUMENT_SELECTOR_FRAGMENT: "a form needs its text in braces, as in `one {text}`",
  INVALID_PLURAL_ARGUMENT_SELECTOR: "`=` must be followed by a number, as in `=0 {none}`",
  DUPLICATE_PLURAL_ARGUMENT_SELECTOR: "a form occurs twice",
  DUPLICATE_SELECT_ARGUMENT_SELECTOR: "a form occurs twice",
  MISSING_OTHER_CLAUSE: "the form `other` is missing",
};

type Located = { location?: { start?: { offset?: number } } };

/** Describes the problem and its position in the message, which the parser adds to its errors. */
export function syntaxReason(error: SyntaxError & Located, text: string): string {
  const reason = Object.hasOwn(reasons, error.message) ? reasons[error.message] : undefined;
  const shown = shortened(text.slice(error.location?.start?.offset ?? 0), 30);
  const place = shown.trim() === "" ? "at the end" : `at \`${shown}\``;
  return `${reason ?? "the message is malformed"}, ${place}`;
}
