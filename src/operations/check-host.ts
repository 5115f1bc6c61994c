// Decides by DNS whether the host of a URL may be called. This is the second half of the check in `core/public-url.ts`, which
// looks at the URL's text only. A name can still change between this lookup and the request that follows it.
import { addressProblem } from "../core/public-address.ts";
import { isAllowedOrigin, type UrlRules } from "../core/public-url.ts";
import type { NameResolver } from "../ports/names.ts";

/** The maximum time for one lookup. A DNS server that has to ask others usually answers within a second. */
const lookupTimeoutMs = 2_000;

/**
 * Returns why the host of this URL may not be called, e.g. `host name does not exist`; null when all of its addresses are
 * public. A failed lookup is a reason too. Origins that the rules allow are not looked up. `url` has passed
 * `checkPublicUrl`.
 */
export async function hostProblem(
  names: NameResolver,
  url: string,
  { rules, timeLeftMs = lookupTimeoutMs }: { rules: UrlRules; timeLeftMs?: number },
): Promise<string | null> {
  const parsed = new URL(url);
  if (isAllowedOrigin(parsed, rules.allowedOrigins)) return null;
  const lookup = await names.resolve(parsed.hostname, Math.min(lookupTimeoutMs, timeLeftMs));
  const problem = lookup.status === "failed" ? lookup.reason : addressProblem(lookup.addresses);
  return problem && `host name ${problem}`;
}
