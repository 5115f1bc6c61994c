// The error of a template that fails while it is rendered.

/** Thrown when a template exceeds a limit or does what is not allowed. The message is for the template's author. */
export class LiquidError extends Error {}
