// The result of fetching an image.

export type FetchedImage =
  | { status: "fetched"; bytes: Uint8Array }
  | { status: "redirected"; location: string }
  /** `reason` is shown to the caller, e.g. `its server could not be reached`. */
  | { status: "failed"; reason: string };
