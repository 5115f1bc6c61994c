// Ports for the limits on how often callers may do something. The counts are approximate, and each location of the platform
// has its own.

export type RateLimits = {
  failures: FailureLimit;
  requests: RequestLimit;
};

/**
 * The limit on failed attempts to authenticate, by client. A credential is the text with which a caller tried to
 * authenticate. It is never stored in full.
 */
export type FailureLimit = {
  /**
   * Returns true if the client has failed too often, unless this credential was accepted recently. Costs nothing: only the
   * isolate's own memory is asked.
   */
  refuses(client: string, credential: string): Promise<boolean>;
  /** Remembers that the credential was accepted. */
  recordSuccess(credential: string): Promise<void>;
  /** Counts a failed attempt. Returns false if the client has now failed too often. Never rejects. */
  recordFailure(client: string, credential: string): Promise<boolean>;
};

export type RequestLimit = {
  /** Counts a request of the account. Returns false if the account has sent too many. Never rejects. */
  recordRequest(accountId: string): Promise<boolean>;
};
