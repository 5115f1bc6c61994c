// All templates of an account, in D1 and R2, for maintenance.
import { eq } from "drizzle-orm";
import type { TemplateArchive } from "../../ports/maintenance.ts";
import type { D1Client } from "../d1/d1-client.ts";
import { templates, templateVersions } from "../d1/schema.ts";
import { removeContents } from "../templates/template-contents.ts";

export function templateArchive(d1: D1Client, bucket: R2Bucket): TemplateArchive {
  return {
    async removeAll(accountId) {
      await d1.run((db) =>
        db.batch([
          db.delete(templates).where(eq(templates.accountId, accountId)),
          db.delete(templateVersions).where(eq(templateVersions.accountId, accountId)),
        ]),
      );
      await removeContents(bucket, { accountId });
    },
  };
}
