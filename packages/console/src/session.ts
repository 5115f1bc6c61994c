// The key that the reader entered. It is kept in this tab's session storage, and sent only to the service that serves the page.
import { percentDecoded } from "colophon-base/encoding";
import { ColophonError, type DocumentRequests, type OperatorRequests } from "colophon-client/manage";
import { apiAt, problemOf } from "./api.ts";

/** What the service allows the key to do: a live or a test key has one account, an operator's key has all accounts. */
export type Session = { key: string; kind: "live" | "test" | "operator" };

const storageName = "colophon-key";
const accountKey = /^colophon_(test_)?[0-9a-f]{16}_/;

/**
 * Returns the key in the fragment of the address, as in `/console#key=...`, or else the stored key. A key in the fragment is
 * removed immediately from the address and the tab's history.
 */
export function givenKey(): string | null {
  const stored = sessionStorage.getItem(storageName);
  const [, key] = /^#key=([^&]*)/.exec(location.hash) ?? [];
  if (key === undefined) return stored;
  history.replaceState(null, "", `${location.pathname}#/`);
  const decodedKey = percentDecoded(key);
  if (decodedKey === stored) return decodedKey;
  // A link from elsewhere must not lead a reader into someone else's account unnoticed.
  const [, id] = /^colophon_(?:test_)?([0-9a-f]{16})_/.exec(decodedKey) ?? [];
  const what = id === undefined ? "an operator's key" : `the key ${id}`;
  const instead = stored === null ? "" : ", replacing the current key";
  return confirm(`This link opens the console with ${what}${instead}. Continue only if you expected this.`)
    ? decodedKey
    : stored;
}

export function storeKey(key: string | null): void {
  if (key === null) sessionStorage.removeItem(storageName);
  else sessionStorage.setItem(storageName, key);
}

/** Asks the service what the key may do. Throws if the service refuses the key. */
export async function openSession(key: string): Promise<Session> {
  if (!/^[\x21-\x7e]{1,500}$/.test(key)) {
    throw problemOf("NOT_A_KEY", "A key contains only visible ASCII characters, without spaces.");
  }
  const [form, test] = accountKey.exec(key) ?? [];
  if (form === undefined) {
    await apiAt<OperatorRequests>("/api/manage/v1/admin", key).call("GET /plans");
    return { key, kind: "operator" };
  }
  await apiAt<DocumentRequests>("/api/v1", key)
    .call("GET /usage")
    .catch((error: unknown) => {
      // The key is valid and lacks only the scope for this request.
      if (!(error instanceof ColophonError && error.code === "INSUFFICIENT_SCOPE")) throw error;
    });
  return { key, kind: test === undefined ? "live" : "test" };
}
