// Identifies the client of a request by its network address, to count failed attempts to authenticate.
import ipaddr from "ipaddr.js";

/** Cloudflare reports this address for requests from Workers of other zones. */
const addressOfWorkers = "2a06:98c0:3600::103";

/** The length of an IPv6 network prefix. One host usually controls all addresses in its network. */
const networkBytes = 8;

/**
 * Returns an identifier of the client with this IP address, or null if the address is not valid. All addresses in an IPv6
 * network of 64 bits count as one client. All requests from Workers come from the same address, so `workerZone` distinguishes
 * them.
 */
export function clientOf(address: string | undefined, workerZone: string | undefined): string | null {
  if (address === undefined || !ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  if (parsed.toString() === addressOfWorkers) return `worker of ${workerZone ?? "an unknown zone"}`;
  const network = parsed.toByteArray().fill(0, networkBytes);
  return `${ipaddr.fromByteArray(network).toString()}/64`;
}
