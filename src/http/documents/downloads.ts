// Which responses count as downloads, and the schema of the list of downloads.
import { z } from "zod";
import type { Download } from "../../core/documents/document.ts";
import type { HttpContext } from "../context.ts";
import { timestamp } from "../response-schemas.ts";

export const downloadSchema = z.object({
  at: timestamp,
  via: z.enum(["key", "link"]),
  keyId: z.string().nullable().meta({ description: "The id of the key, or `operator`. Null for a link." }),
  country: z.string().nullable().meta({
    description: "The country of the client as two letters (ISO 3166). Null if it is unknown.",
  }),
});

export function downloadRecord({ createdAt, keyId, country }: Download): z.output<typeof downloadSchema> {
  return { at: new Date(createdAt).toISOString(), via: keyId === null ? "link" : "key", keyId, country };
}

/** Returns whether the response sends bytes of the file. */
export function isDownload({ req }: HttpContext, { status }: Response): boolean {
  return req.method === "GET" && (status === 200 || status === 206);
}

/** Returns the country of the client. Cloudflare writes XX for an unknown one, and T1 for the Tor network. */
export function countryOf({ req }: HttpContext): string | null {
  const { country } = (req.raw.cf ?? {}) as { country?: unknown };
  return typeof country === "string" && /^[A-Z]{2}$/.test(country) && country !== "XX" ? country : null;
}
