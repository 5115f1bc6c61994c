// The secret that keys the checksums of API keys. A migration made it.
import { CodedError } from "colophon-base/loggable-error";
import { eq } from "drizzle-orm";
import type { D1Client } from "../d1/d1-client.ts";
import { serviceSecrets } from "../d1/schema.ts";

const name = "api-key-checksum";

/** Rejects when the secret is missing, because then no key could be checked. */
export async function readChecksumSecret(d1: D1Client): Promise<string> {
  const row = await d1.run((db) => db.select().from(serviceSecrets).where(eq(serviceSecrets.name, name)).get());
  if (!row) throw new CodedError(`the table service_secrets has no row ${name}`);
  return row.secret;
}
