// The service that the operator's commands call: the local one with the key in STATE_DIR or, if COLOPHON_URL and
// COLOPHON_OPERATOR_KEY are set, a different one.
import { checkServiceUrl } from "colophon-base/service-url";
import {
  ColophonError,
  createManageClient,
  type DocumentRequests,
  type OperatorRequests,
} from "colophon-client/manage";
import { CommandError } from "colophon-templates/command";
import { accountApi } from "colophon-templates/service";
import { managePath } from "../core/api-paths.ts";
import { readLocalSecrets } from "./local/local-secrets.ts";
import { stateDir } from "./paths.ts";

export type ServiceApi = ReturnType<typeof serviceAt>;

/** The maximum time for removing a part of an account or repairing a batch. */
const timeoutMs = 120_000;

export async function serviceApi(env: NodeJS.ProcessEnv, isRemote: boolean): Promise<ServiceApi> {
  const { COLOPHON_URL: url, COLOPHON_OPERATOR_KEY: given } = env;
  // The local service's key must not be sent to a different service.
  if ((isRemote || url || given) && !(url && given))
    throw new CommandError(
      "set both COLOPHON_URL and COLOPHON_OPERATOR_KEY to call a service other than the local one",
    );
  const address = checkServiceUrl(url || `http://localhost:${env["PORT"] ?? 8787}`);
  if (address.status === "refused") throw new CommandError(`${url ? "COLOPHON_URL" : "PORT"} ${address.reason}`);
  const key = given ?? (await readLocalSecrets(stateDir)).OPERATOR_KEY;
  if (!key)
    throw new CommandError(
      `there is no operator's key in ${stateDir}; run npm start first, or set COLOPHON_OPERATOR_KEY`,
    );
  return serviceAt(address.url, key);
}

export function serviceAt(url: string, apiKey: string) {
  const base = `${url}${managePath}/admin`;
  const ofAccount = (id: string) => `${base}/accounts/${encodeURIComponent(id)}`;
  return {
    url,
    ...createManageClient<OperatorRequests>({ baseUrl: base, apiKey, timeoutMs }),
    account: (id: string) => accountApi(ofAccount(id), apiKey),
    documentsOf: (id: string) => createManageClient<DocumentRequests>({ baseUrl: ofAccount(id), apiKey, timeoutMs }),
  };
}

/** Returns a failure of the service as a command's error, in one line. */
export function commandError(error: unknown, { url }: Pick<ServiceApi, "url">): unknown {
  if (!(error instanceof ColophonError)) return error;
  const { code, status, message, requestId } = error;
  const isForeign = code === "UNEXPECTED_RESPONSE";
  if (isForeign && (status ?? 200) < 300) return new CommandError(`${url} does not respond as Colophon does`);
  if (isForeign) return new CommandError(`the service responded with ${status}`);
  if (status === null)
    return new CommandError(`the service at ${url} cannot be reached; is it running?`, { cause: error });
  return new CommandError(status >= 500 ? `${message} (request ${requestId})` : message);
}
