// Identifies the client of a request by its network address, to count failed attempts to authenticate.
import ipaddr from "ipaddr.js";

/** Cloudflare gives this address to requests that Workers of other zones send. */
const addressOfWorkers = "2a06:98c0:3600::103";

/** The length of an IPv6 network. One host usually has all addresses of its network. */
const networkBytes = 8;

/**
 * Returns a text that identifies the client with this IP address, or null if there is no valid address. All addresses in an IPv6
 * network of 64 bits are one client. All requests from Workers have the same address, so `workerZone` distinguishes them.
 */
export function clientOf(address: string | undefined, workerZone: string | undefined): string | null {
  if (address === undefined || !ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  if (parsed.toString() === addressOfWorkers) return `worker of ${workerZone ?? "an unknown zone"}`;
  const network = parsed.toByteArray().fill(0, networkBytes);
  return `${ipaddr.fromByteArray(network).toString()}/64`;
}
