// The errors of templates. Their messages are for the template's author.
import { printable, shortened } from "colophon-base/text";

/** Messages quote the template, in which a name can be very long or turn the direction of text. */
const maxMessageChars = 500;

/** Thrown when a template exceeds a limit or does something forbidden while it is rendered. */
export class LiquidError extends Error {}

/** Thrown by the parser. `line` counts from 1. After a fatal error, the rest of the file is not parsed. */
export class LiquidSyntaxError extends Error {
  readonly line: number;
  readonly isFatal: boolean;

  constructor(message: string, line: number, { isFatal = false } = {}) {
    super(printable(shortened(message, maxMessageChars)));
    this.line = line;
    this.isFatal = isFatal;
  }
}
