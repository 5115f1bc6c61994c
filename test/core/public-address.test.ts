import { describe, expect, it } from "vitest";
import { addressProblem } from "../../src/core/public-address.ts";

const isPublic = (address: string) => addressProblem([address]) === null;

/**
 * The ranges in IANA's registries of special-purpose addresses, and multicast. Each has a description, its first and
 * last address, and the neighbouring addresses that are public. All addresses are written out, so that the test shares
 * no arithmetic with the code.
 */
const ranges: [what: string, first: string, last: string, publicNeighbours: string[]][] = [
  ["unspecified", "0.0.0.0", "0.255.255.255", ["1.0.0.0"]],
  ["private", "10.0.0.0", "10.255.255.255", ["9.255.255.255", "11.0.0.0"]],
  ["carrier-grade NAT", "100.64.0.0", "100.127.255.255", ["100.63.255.255", "100.128.0.0"]],
  ["loopback", "127.0.0.0", "127.255.255.255", ["126.255.255.255", "128.0.0.0"]],
  ["link-local", "169.254.0.0", "169.254.255.255", ["169.253.255.255", "169.255.0.0"]],
  ["private", "172.16.0.0", "172.31.255.255", ["172.15.255.255", "172.32.0.0"]],
  ["reserved", "192.0.0.0", "192.0.0.255", ["191.255.255.255", "192.0.1.0"]],
  ["reserved", "192.0.2.0", "192.0.2.255", ["192.0.1.255", "192.0.3.0"]],
  ["reserved", "192.31.196.0", "192.31.196.255", ["192.31.195.255", "192.31.197.0"]],
  ["reserved", "192.52.193.0", "192.52.193.255", ["192.52.192.255", "192.52.194.0"]],
  ["reserved", "192.88.99.0", "192.88.99.255", ["192.88.98.255", "192.88.100.0"]],
  ["private", "192.168.0.0", "192.168.255.255", ["192.167.255.255", "192.169.0.0"]],
  ["reserved", "192.175.48.0", "192.175.48.255", ["192.175.47.255", "192.175.49.0"]],
  ["reserved", "198.18.0.0", "198.19.255.255", ["198.17.255.255", "198.20.0.0"]],
  ["reserved", "198.51.100.0", "198.51.100.255", ["198.51.99.255", "198.51.101.0"]],
  ["reserved", "203.0.113.0", "203.0.113.255", ["203.0.112.255", "203.0.114.0"]],
  ["multicast", "224.0.0.0", "239.255.255.255", ["223.255.255.255"]],
  ["reserved", "240.0.0.0", "255.255.255.254", []],
  ["broadcast", "255.255.255.255", "255.255.255.255", []],
  ["unspecified", "::", "::", []],
  ["loopback", "::1", "::1", []],
  ["reserved", "::2", "::fffe:ffff:ffff", []],
  ["IPv4-mapped", "::ffff:0:0", "::ffff:ffff:ffff", []],
  ["IPv4-translated", "::ffff:0:0:0", "::ffff:0:ffff:ffff", []],
  ["NAT64", "64:ff9b::", "64:ff9b::ffff:ffff", []],
  ["NAT64", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", []],
  ["reserved", "100::", "100::ffff:ffff:ffff:ffff", []],
  ["reserved", "100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", []],
  ["reserved", "1000::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ["2000::"]],
  ["Teredo", "2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", ["2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff"]],
  ["reserved", "2001:1::", "2001:1:ffff:ffff:ffff:ffff:ffff:ffff", []],
  ["benchmarking", "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", []],
  ["reserved", "2001:3::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", ["2001:200::"]],
  [
    "reserved",
    "2001:db8::",
    "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
    ["2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"],
  ],
  ["6to4", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ["2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"]],
  [
    "reserved",
    "2620:4f:8000::",
    "2620:4f:8000:ffff:ffff:ffff:ffff:ffff",
    ["2620:4f:7fff:ffff:ffff:ffff:ffff:ffff", "2620:4f:8001::"],
  ],
  [
    "reserved",
    "3fff::",
    "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
    ["3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"],
  ],
  ["reserved", "4000::", "5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ["3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"]],
  ["reserved", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", []],
  ["reserved", "5f01::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", []],
  ["unique local", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", []],
  ["reserved", "fe00::", "fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", []],
  ["link-local", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", []],
  ["site-local", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", []],
  ["multicast", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", []],
];

describe.each(ranges)("the %s range from %s to %s", (what, first, last, publicNeighbours) => {
  it("is refused from its first to its last address, and the reason names the range", () => {
    expect([first, last].map((address) => addressProblem([address]))).toEqual(
      [first, last].map(
        (address) => `resolves to the ${what} address ${address}, but only public addresses are allowed`,
      ),
    );
  });

  it("does not include the public addresses next to it", () => {
    expect(publicNeighbours.filter((address) => !isPublic(address))).toEqual([]);
  });
});

describe("the address of a cloud's metadata service", () => {
  it.each([
    ["AWS, Azure, Google and others", "169.254.169.254"],
    ["AWS over IPv6", "fd00:ec2::254"],
    ["Google over IPv6", "fd20:ce::254"],
    ["ECS tasks", "169.254.170.2"],
    ["Alibaba", "100.100.100.200"],
    ["Oracle", "192.0.0.192"],
    ["Azure's host agent", "168.63.129.16"],
  ])("is refused: %s", (_whose, address) => {
    expect(isPublic(address)).toBe(false);
  });
});

describe("an IPv6 address that embeds an IPv4 address", () => {
  it.each([
    ["IPv4-mapped", "::ffff:127.0.0.1"],
    ["IPv4-mapped, a public one", "::ffff:192.0.43.8"],
    ["IPv4-compatible", "::127.0.0.1"],
    ["NAT64", "64:ff9b::a9fe:a9fe"],
    ["NAT64, dotted", "64:ff9b::192.0.43.8"],
    ["local NAT64", "64:ff9b:1::a00:1"],
    ["6to4", "2002:7f00:1::"],
    ["Teredo", "2001:0:c000:2b08::80ff:fffe"],
  ])("is refused whatever it embeds: %s", (_what, address) => {
    expect(isPublic(address)).toBe(false);
  });
});

describe("an address", () => {
  it.each([
    "0:0:0:0:0:0:0:1",
    "0000:0000:0000:0000:0000:0000:0000:0001",
    "::FFFF:7F00:1",
    "0:0:0:0:0:ffff:7f00:0001",
    "FE80::1",
    "fe80::1%eth0",
    "FD00:EC2::254",
    "::ffff:169.254.169.254",
  ])("is refused however it is written: %s", (address) => {
    expect(isPublic(address)).toBe(false);
  });

  it.each([
    "192.0.43.8",
    "1.1.1.1",
    "8.8.8.8",
    "104.16.132.229",
    "2606:4700:4700::1111",
    "2606:4700:4700:0:0:0:0:1111",
    "2001:4860:4860::8888",
    "2A00:1450:4001:82A::200E",
  ])("of a public host is accepted: %s", (address) => {
    expect(addressProblem([address])).toBeNull();
  });

  it.each(["", " ", "host.example.com", "127.1", "0x7f.0.0.1", "0177.0.0.1", "1.2.3", "1.2.3.undefined", "1.2.3.4.5"])(
    "that is not well formed is refused: %j",
    (text) => {
      expect(addressProblem([text])).toMatch(/not an IP address/);
    },
  );
});

describe("a host", () => {
  it("with several public addresses is accepted", () => {
    expect(addressProblem(["192.0.43.8", "8.8.8.8", "2606:4700:4700::1111"])).toBeNull();
  });

  it.each([
    [["127.0.0.1", "192.0.43.8", "8.8.8.8"]],
    [["192.0.43.8", "10.0.0.1", "8.8.8.8"]],
    [["192.0.43.8", "8.8.8.8", "::1"]],
  ])("is refused if one of its addresses is not public: %j", (addresses) => {
    expect(addressProblem(addresses)).toMatch(/^resolves to the (loopback|private) address /);
  });

  it("without an address is refused", () => {
    expect(addressProblem([])).toBe("has no IP address");
  });
});
