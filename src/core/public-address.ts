// Decides which IP addresses are public. IPv4 and IPv6 addresses that IANA's registries set aside for a special purpose
// are refused. An IPv6 address that embeds an IPv4 address, as in NAT64 or 6to4, is always refused, because it may lead
// to any IPv4 address.
import ipaddr from "ipaddr.js";

/**
 * Returns why a host with these addresses may not be called; null when all of them are public. A single address that is
 * not public is enough, because `fetch` may connect to any of them. The reason continues a sentence about the host.
 */
export function addressProblem(addresses: string[]): string | null {
  if (addresses.length === 0) return "has no IP address";
  for (const address of addresses) {
    const purpose = specialPurpose(address);
    if (purpose) return `resolves to ${purpose}, but only public addresses are allowed`;
  }
  return null;
}

/** Descriptions of the ranges that `ipaddr.js` knows. Ranges that are missing here are described as reserved. */
const descriptions: Record<string, string> = {
  unspecified: "unspecified",
  broadcast: "broadcast",
  multicast: "multicast",
  linkLocal: "link-local",
  loopback: "loopback",
  private: "private",
  carrierGradeNat: "carrier-grade NAT",
  uniqueLocal: "unique local",
  deprecatedSiteLocal: "site-local",
  benchmarking: "benchmarking",
  ipv4Mapped: "IPv4-mapped",
  rfc6145: "IPv4-translated",
  rfc6052: "NAT64",
  "6to4": "6to4",
  teredo: "Teredo",
};

/**
 * Addresses in public ranges at which a cloud provider offers services to its own machines. At 168.63.129.16, Azure's
 * machines reach the platform's host agent. Other providers use link-local and private ranges.
 */
const cloudAddresses = new Set(["168.63.129.16"]);

/** IANA allocates public IPv6 addresses only from this range, so all other IPv6 addresses are refused. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** Describes an address that is not public, e.g. `the loopback address 127.0.0.1`; null when the address is public. */
function specialPurpose(text: string): string | null {
  // The parser would also accept IPv4 addresses with fewer parts, or with octal parts.
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  if (!isAddress) return "something that is not an IP address";
  const address = ipaddr.parse(text);
  const range = address.range();
  if (range !== "unicast") return `the ${descriptions[range] ?? "reserved"} address ${text}`;
  if (address instanceof ipaddr.IPv6 && !address.match(globalUnicast)) return `the reserved address ${text}`;
  return cloudAddresses.has(text) ? `the cloud provider's internal address ${text}` : null;
}
