// A fake of the DNS. Every name leads to a public address, unless a test plans another lookup.
import type { NameLookup, NameResolver } from "../../src/ports/names.ts";

/** A public address: IANA's own web server. The documentation ranges are not public. */
export const publicAddress = "192.0.43.8";

export type FakeNames = NameResolver & {
  /** The planned lookups, by host name. */
  planned: Map<string, NameLookup>;
  /** The names that were looked up, oldest first. */
  lookedUp: string[];
};

export function fakeNames(): FakeNames {
  const planned = new Map<string, NameLookup>();
  const lookedUp: string[] = [];
  return {
    planned,
    lookedUp,
    resolve: async (hostname) => {
      lookedUp.push(hostname);
      return planned.get(hostname) ?? { status: "resolved", addresses: [publicAddress] };
    },
  };
}
