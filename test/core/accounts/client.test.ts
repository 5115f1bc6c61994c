import { expect, it } from "vitest";
import { clientOf } from "../../../src/core/accounts/client.ts";

it("a client with an IPv4 address is identified by the address, also in its IPv6 form", () => {
  const clients = ["203.0.113.7", "::ffff:203.0.113.7", "203.0.113.8"].map((address) => clientOf(address, undefined));

  expect(clients).toEqual(["203.0.113.7", "203.0.113.7", "203.0.113.8"]);
});

it.each(["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:0DB8:0001:0002:0:0:0:0"])(
  "the client of a request is the network of 64 bits for IPv6 (%s)",
  (address) => {
    expect(clientOf(address, undefined)).toBe("2001:db8:1:2::/64");
  },
);

it("requests from Workers of other zones are identified by their zone, because they all have the same address", () => {
  const clients = ["a.example", "b.example", undefined].map((zone) => clientOf("2a06:98c0:3600::103", zone));

  expect(new Set(clients).size).toBe(3);
});

it("a client with a different address cannot claim to be a zone", () => {
  expect(clientOf("203.0.113.7", "a.example")).toBe(clientOf("203.0.113.7", "b.example"));
});

it.each([undefined, "", "unknown", "203.0.113.7, 203.0.113.8", "<script>"])(
  "the client of a request is unknown for the address %j",
  (address) => {
    expect(clientOf(address, undefined)).toBeNull();
  },
);
