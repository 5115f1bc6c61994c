// The headers and footers of the document that is loaded. They are kept between the call that prepares the document and
// the call that lays out the sheets, because the document is printed in between.
import type { PrepareInput } from "../prepared-page.ts";
import type { Edge, MarginHost } from "./margin-hosts.ts";
import type { MarginHeights } from "./reserve-margins.ts";

export type CurrentMargins = {
  input: PrepareInput;
  /** No longer in the document. */
  hosts: readonly MarginHost[];
  /** The heights for which there is space in the margins, unless the margins are higher anyway. */
  reserved: Record<Edge, MarginHeights>;
};

let current: CurrentMargins | null = null;

export function keepMargins(margins: CurrentMargins): void {
  current = margins;
}

export function currentMargins(): CurrentMargins {
  if (!current) throw new Error("no document is prepared");
  return current;
}
