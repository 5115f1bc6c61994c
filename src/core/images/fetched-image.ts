// What a fetch of an image came to.

export type FetchedImage =
  | { status: "fetched"; bytes: Uint8Array }
  | { status: "redirected"; location: string }
  /** `reason` is for the caller. */
  | { status: "failed"; reason: string };
