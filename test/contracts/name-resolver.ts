// Tests that apply to every NameResolver: DNS over HTTPS and the fake.
import { describe, expect, it } from "vitest";
import type { NameResolver } from "../../src/ports/names.ts";

export type NameResolverUnderTest = {
  names: NameResolver;
  /** Returns a name with exactly these addresses, a name that does not exist, or one about which the DNS server is silent. */
  host(lookup: string[] | "missing" | "silent"): string;
};

export function nameResolverContract(name: string, make: () => NameResolverUnderTest): void {
  describe(`${name} as a NameResolver`, () => {
    it.each([
      ["of one IPv4 address", ["192.0.43.8"]],
      ["of one IPv6 address", ["2001:500:88:200::8"]],
      ["of several addresses in both families", ["192.0.43.8", "10.0.0.1", "2001:500:88:200::8", "::1"]],
    ])("finds all addresses of a name: %s", async (_what, addresses) => {
      const { names, host } = make();

      const lookup = await names.resolve(host(addresses), 5_000);

      expect(lookup).toEqual({ status: "resolved", addresses });
    });

    it("finds no address if the name exists but has none", async () => {
      const { names, host } = make();

      expect(await names.resolve(host([]), 5_000)).toEqual({ status: "resolved", addresses: [] });
    });

    it("fails if the name does not exist", async () => {
      const { names, host } = make();

      expect(await names.resolve(host("missing"), 5_000)).toEqual({ status: "failed", reason: "does not exist" });
    });

    it("fails in time if there is no answer", async () => {
      const { names, host } = make();
      const before = Date.now();

      const lookup = await names.resolve(host("silent"), 300);

      const reason = "could not be resolved: the DNS server did not answer in time";
      expect(lookup).toEqual({ status: "failed", reason });
      expect(Date.now() - before).toBeLessThan(2_000);
    });
  });
}
