// Thrown when a document would cost the browser far more than its size suggests. The message is for the caller.

export class TooExpensiveError extends Error {}
