// The ids of documents and templates.

/** Returns the id in lower case, or null if the string is not a UUID. UUIDs are case-insensitive (RFC 9562). */
export function parseUuid(text: string): string | null {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : null;
}
