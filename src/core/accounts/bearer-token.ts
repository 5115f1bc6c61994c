// Reads the token of a request from its `Authorization` header.

/** Returns the token of a header `Bearer <token>`, or null if the header is missing or has another form. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer +([!-~]+) *$/i.exec(authorization ?? "")?.[1] ?? null;
}
