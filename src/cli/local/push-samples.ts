// Pushes the sample templates to the demo account, except those in whose place the account has a template of its user.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readTemplateFolder } from "colophon-templates/template-folder";
import { templateZip } from "colophon-template-model/template-zip";
import type { AccountRequests, ManageClient } from "colophon-client/manage";

/** The version that `npm start` pushed last, by folder. */
export type PushedSamples = Record<string, number>;

/** The id of the template `invoice`, what has been pushed, and the folders that were left as they are. */
export type Samples = { invoiceId: string; pushed: PushedSamples; kept: string[] };

/**
 * `account` has the requests for the account. `pushed` is what earlier starts have pushed. A template with any other version is its user's, and is
 * kept.
 */
export async function pushSamples(
  account: Pick<ManageClient<AccountRequests>, "call" | "list">,
  { directory, pushed: earlier }: { directory: string; pushed: PushedSamples },
): Promise<Samples> {
  const listed = await Array.fromAsync(account.list("GET /templates"));
  const stored = new Map(listed.map((one) => [one.folder, one]));
  const [pushed, kept]: [PushedSamples, string[]] = [{ ...earlier }, []];
  for (const folder of (await readdir(directory)).sort()) {
    const known = stored.get(folder);
    if (known && known.version !== earlier[folder]) {
      kept.push(folder);
      continue;
    }
    const read = await readTemplateFolder(join(directory, folder));
    if (read.status === "broken") throw new Error(`templates/${folder}: ${JSON.stringify(read.problems)}`);
    const body = new Blob([templateZip(read.files)], { type: "application/zip" });
    const { template } = await account.call("PUT /templates/{template}", { path: { template: folder }, body });
    stored.set(folder, template);
    pushed[folder] = template.version;
  }
  const invoice = stored.get("invoice");
  if (!invoice) throw new Error("templates/invoice is missing");
  return { invoiceId: invoice.id, pushed, kept };
}
