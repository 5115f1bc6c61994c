// Finds out which Cloudflare account wrangler acts on.
import { isObject, parseJson } from "../untrusted-json.ts";
import type { Wrangler } from "../wrangler.ts";
import { UsageError } from "./deploy-options.ts";
import { DeployError } from "./run-steps.ts";

type Account = { id: string; name: string };

/**
 * Returns the id of the account to deploy to: the given one, or the only one of the login. Throws if nobody is logged in, if
 * the login has no access to the given account, or if it has several accounts and none was given.
 */
export async function accountToUse(wrangler: Wrangler, given: string | undefined): Promise<string> {
  const accounts = await accountsOfLogin(wrangler);
  const list = accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
  const [first] = accounts;
  if (!first) throw new DeployError("Your login has no Cloudflare account.");
  if (given === undefined) {
    if (accounts.length === 1) return first.id;
    throw new UsageError(`Your login has several accounts. Choose one with --account-id:\n${list}`);
  }
  if (!accounts.some(({ id }) => id === given))
    throw new UsageError(`Your login has no access to the account ${given}. It has access to:\n${list}`);
  return given;
}

async function accountsOfLogin(wrangler: Wrangler): Promise<Account[]> {
  const { status, stdout, stderr } = await wrangler(["whoami", "--json"]);
  const answer = parseJson(stdout);
  if (isObject(answer) && answer["loggedIn"] === false)
    throw new DeployError("You are not logged in. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.");
  if (status !== 0 || !isObject(answer) || !Array.isArray(answer["accounts"]))
    throw new DeployError(`wrangler whoami failed:\n${`${stdout}\n${stderr}`.trim()}`);
  return answer["accounts"].filter(isAccount);
}

function isAccount(value: unknown): value is Account {
  return isObject(value) && typeof value["id"] === "string" && typeof value["name"] === "string";
}
