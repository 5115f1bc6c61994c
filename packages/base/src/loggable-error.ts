// Decides which parts of an error may be logged: its class, its code, and the frames of its stack. Messages are never logged, because
// libraries quote their input in them: SQL parameters, URLs, JSON, document content.

/**
 * An error of this service. Its code consists of constants and numbers, so it may be logged; its message may contain more.
 */
export class CodedError extends Error {
  readonly code: string;

  constructor(code: string, message = code, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const maxFrames = 20;
const maxFrameChars = 200;
const maxCauses = 8;

/** Returns the code of the error, or its class if it has none. */
export function loggableReason(error: unknown): string {
  return error instanceof CodedError ? error.code : classOf(error);
}

/** Returns the error and its causes, each with its class, its code, and the frames of its stack. */
export function loggableChain(error: unknown): string {
  const chain: string[] = [];
  for (let cause = error; cause !== undefined && chain.length < maxCauses; cause = nextCause(cause)) {
    const heading = cause instanceof CodedError ? `${classOf(cause)}: ${cause.code}` : classOf(cause);
    chain.push([heading, ...framesOf(cause)].join("\n"));
  }
  return chain.join("\ncaused by: ");
}

function nextCause(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

/** A library may set any name, so a name is returned only if it looks like a class name. */
function classOf(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${error === null ? "null" : typeof error}`;
  const isClassName = (name: string) => /^[A-Z][A-Za-z]{1,40}(?:Error|Exception)$/.test(name);
  return [error.constructor.name, error.name].find(isClassName) ?? "Error";
}

/**
 * A stack begins with the message that the error had when it was created. If the message has changed, the frames are
 * not returned.
 */
function framesOf(error: unknown): string[] {
  if (!(error instanceof Error) || !error.stack) return [];
  const { stack, message } = error;
  const heading = /^[\w$]{1,60}(?:: )?/.exec(stack)?.[0] ?? "";
  if (!stack.startsWith(`${message}\n    at `, heading.length)) return [];
  const lines = stack.slice(heading.length + message.length + 1).split("\n");
  const frames = lines.filter((line) => /^ {4}at /.test(line) && line.length <= maxFrameChars);
  return frames.slice(0, maxFrames);
}
