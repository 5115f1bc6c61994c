// Pushes the sample templates to the demo account, except those in whose place the account has a template of its user.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readTemplateFolder } from "colophon-templates/template-folder";
import { contentHashOf, pushTemplate } from "../../operations/templates/push-template.ts";
import type { OperatorServices } from "../../ports/services.ts";

/** The hash of the content that `npm start` pushed last, by folder. */
export type PushedSamples = Record<string, string>;
type Invoice = { templateId: string; sampleData: object };

/** The template `invoice` of the account, what has been pushed, and the folders that were left as they are. */
export type Samples = { invoice: Invoice; pushed: PushedSamples; kept: string[] };

/** `pushed` is what earlier starts have pushed. A stored template with any other content is its user's, and is kept. */
export async function pushSamples(
  services: Pick<OperatorServices, "templates" | "now" | "newId">,
  { accountId, directory, pushed: earlier }: { accountId: string; directory: string; pushed: PushedSamples },
): Promise<Samples> {
  const [pushed, kept]: [PushedSamples, string[]] = [{ ...earlier }, []];
  let invoice: Invoice | null = null;
  for (const folder of (await readdir(directory)).sort()) {
    const read = await readTemplateFolder(join(directory, folder));
    if (read.status === "broken") throw new Error(`templates/${folder}: ${JSON.stringify(read.problems)}`);
    let { content } = read;
    const hash = await contentHashOf(content);
    let template = await services.templates.findByFolder(accountId, folder);
    if (template && ![hash, earlier[folder]].includes(template.contentHash)) {
      kept.push(folder);
      content = await services.templates.content(template);
    } else {
      const result = await pushTemplate(services, { accountId, folder, content });
      if (result.status !== "pushed") throw new Error(`templates/${folder} cannot be pushed: ${result.status}`);
      template = result.template;
      pushed[folder] = hash;
    }
    if (folder === "invoice") invoice = { templateId: template.id, sampleData: content.sampleData };
  }
  if (!invoice) throw new Error("templates/invoice is missing");
  return { invoice, pushed, kept };
}
