// Compares a request's conditions with the ETag of the requested resource (RFC 9110).

/** Returns whether a value of `If-Match` contains this strong ETag. */
export function matchesEtag(condition: string, etag: string): boolean {
  return condition.split(",").some((candidate) => candidate.trim() === "*" || candidate.trim() === etag);
}

/**
 * Returns whether a value of `If-None-Match` contains this ETag. A proxy that compresses content makes its ETag weak.
 */
export function matchesWeakly(condition: string, etag: string): boolean {
  return matchesEtag(condition.replaceAll("W/", ""), etag);
}
