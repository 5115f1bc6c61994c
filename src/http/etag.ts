// Compares the conditions of requests with the ETag of what they ask for (RFC 9110).

/** Whether a value of `If-Match` names this strong ETag. */
export function matchesEtag(condition: string, etag: string): boolean {
  return condition.split(",").some((candidate) => candidate.trim() === "*" || candidate.trim() === etag);
}

/** Whether a value of `If-None-Match` names this ETag. A proxy that compresses content makes its ETag a weak one. */
export function matchesWeakly(condition: string, etag: string): boolean {
  return matchesEtag(condition.replaceAll("W/", ""), etag);
}
