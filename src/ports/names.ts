// The port for looking up host names.

export type NameLookup =
  /** The IPv4 and IPv6 addresses that the name leads to, through all of its aliases; empty when it has none. */
  | { status: "resolved"; addresses: string[] }
  /** `reason` continues a sentence about the host name, e.g. `does not exist`. */
  | { status: "failed"; reason: string };

/** Looks up host names in the public DNS. Never rejects, and ends within `timeoutMs`. */
export type NameResolver = {
  /** Asks for the addresses of both families. Fails when either of the two answers fails. */
  resolve(hostname: string, timeoutMs: number): Promise<NameLookup>;
};
