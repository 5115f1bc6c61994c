// Decides what may be logged of an error. Libraries quote their input in messages: SQL parameters, URLs, JSON, text of a
// document. Therefore only the phrases that are listed here are taken from a message, and of a stack only its frames.

/** Words of this service, its libraries and its platform. None of them has room for a caller's text. */
const phrases = [
  // The service itself.
  /(?:\b(?:D1|R2 \w{3,6}|AccountQuota|WebhookSender|BrowserPool|the webhook queue|the browser|the render|connecting|reconnecting|acquiring a browser|opening a session|opening a page|a ping of the browser|rendering headers and footers|reading a font) )?took longer than \d{1,7} ms/,
  /the (?:variable|binding|secret) [A-Z][A-Z_]{1,40} (?:is missing|must (?:be|have)\b)/,
  /the page's process ended|the browser does not respond|the session was opened after the deadline/,
  /the handler did not respond|the browser closed a page while it was being opened|the browser returned no stream/,
  /the platform refused to start a browser|the account has no webhook secret/,
  /the Worker did not send the document|the document is incomplete/,
  /the static files responded with status \d{3}|the index has no such font|the file is not the font of the index/,
  /R2 refused to put|the query failed|has no metadata|does not compile|template content/,
  // D1 and SQLite.
  /\bD1_(?:[A-Z]{1,20}_)?ERROR\b/,
  /(?:UNIQUE|FOREIGN KEY|NOT NULL|CHECK) constraint failed/,
  /\bSQLITE_[A-Z_]{1,40}\b/,
  /no such (?:table|column)|database is locked|database or disk is full|too many SQL variables|string or blob too big/,
  // The platform.
  /network connection lost|cannot resolve D1 due to transient issue|internal error|overloaded|rate limited/i,
  /caused object to be reset|code was updated|exceeded (?:its memory limit|timeout|its CPU)|too many requests queued/i,
  /the script will never generate a response|exceeded (?:CPU|memory) limit|invalid URL|no such bucket|unspecified error/i,
  /too many subrequests|cannot perform I\/O on behalf of a different request|does not support|not implemented/i,
  /could not serialize|value is too large|RPC receiver/i,
  /\(100\d\d\)/, // a code of R2
  // The browser.
  /unable to (?:create new browser|connect to existing session|fetch new sessions)/i,
  /\bcode: [1-5]\d\d\b/,
  /Protocol error(?: \([A-Z][A-Za-z]{1,30}\.[A-Za-z]{1,40}\))?/,
  /target closed|session closed|connection closed|browser has disconnected|printing failed|no target with given id/i,
];

const maxMessageChars = 10_000;
const maxFrames = 20;
const maxFrameChars = 200;
const maxCauses = 8;

/** Returns the phrases of the error's message that may be logged, or the class of the error when there are none. */
export function loggableReason(error: unknown): string {
  const found = error instanceof Error ? phrasesOf(error) : "";
  return found || `${classOf(error)} (message withheld)`;
}

/** Returns the error and its causes: for each its class, the phrases that may be logged, and the frames of its stack. */
export function loggableChain(error: unknown): string {
  const chain: string[] = [];
  for (let cause = error; cause !== undefined && chain.length < maxCauses; cause = nextCause(cause)) {
    const phrases = cause instanceof Error ? phrasesOf(cause) : "";
    chain.push([`${classOf(cause)}: ${phrases || "(message withheld)"}`, ...framesOf(cause)].join("\n"));
  }
  return chain.join("\ncaused by: ");
}

function nextCause(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

/** Returns the phrases in the order in which they occur in the message. */
function phrasesOf({ message: whole }: Error): string {
  const message = whole.slice(0, maxMessageChars);
  return phrases
    .flatMap((phrase) => phrase.exec(message) ?? [])
    .map((phrase) => ({ phrase, at: message.indexOf(phrase) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ phrase }) => phrase)
    .join("; ");
}

/** A library may set any name, so only one that looks like the name of a class is returned. */
function classOf(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${error === null ? "null" : typeof error}`;
  const isClassName = (name: string) => /^[A-Z][A-Za-z]{1,40}(?:Error|Exception)$/.test(name);
  return [error.constructor.name, error.name].find(isClassName) ?? "Error";
}

/** A stack begins with the message as it was when the error was made. If that is not certain, there are no frames. */
function framesOf(error: unknown): string[] {
  if (!(error instanceof Error) || !error.stack) return [];
  const { stack, message } = error;
  const heading = /^[\w$]{1,60}(?:: )?/.exec(stack)?.[0] ?? "";
  if (!stack.startsWith(`${message}\n    at `, heading.length)) return [];
  const lines = stack.slice(heading.length + message.length + 1).split("\n");
  const frames = lines.filter((line) => /^ {4}at /.test(line) && line.length <= maxFrameChars);
  return frames.slice(0, maxFrames);
}
