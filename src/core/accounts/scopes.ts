// The scopes of keys. Each operation of the API needs one scope; see `access` in the descriptions of operations.

export const scopes = [
  "documents",
  "documents:read",
  "templates",
  "templates:read",
  "keys",
  "webhooks",
  "account",
  "account:read",
] as const;
export type Scope = (typeof scopes)[number];

/** Returns whether a key with these scopes may call an operation that needs `needed`. A scope to change something includes reading it. */
export function includesScope(granted: readonly Scope[], needed: Scope): boolean {
  return granted.includes(needed) || granted.some((scope) => `${scope}:read` === needed);
}

/** Returns the stored form of a set of scopes, which `parseScopes` reads. */
export function formatScopes(granted: readonly Scope[]): string | null {
  const set = scopes.filter((scope) => granted.includes(scope));
  return set.length === scopes.length ? null : set.join(" ");
}

/** Parses a list of scopes that are separated by spaces. Null means all scopes. */
export function parseScopes(text: string | null): Scope[] {
  return text === null ? [...scopes] : scopes.filter((scope) => text.split(" ").includes(scope));
}
