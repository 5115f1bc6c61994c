// All templates of an account, in D1 and R2, for maintenance.
import { asc, eq } from "drizzle-orm";
import type { TemplateArchive } from "../../ports/maintenance.ts";
import type { D1Client } from "../d1/d1-client.ts";
import { templates, templateVersions } from "../d1/schema.ts";
import { readContentJson, removeContents } from "../templates/template-contents.ts";

export function templateArchive(d1: D1Client, bucket: R2Bucket): TemplateArchive {
  return {
    async versions(accountId) {
      const { templateId, version, contentHash, createdAt } = templateVersions;
      const mine = eq(templateVersions.accountId, accountId);
      return d1.run((db) =>
        db
          .select({ templateId, version, contentHash, createdAt })
          .from(templateVersions)
          .where(mine)
          .orderBy(asc(templateId), asc(version))
          .all(),
      );
    },
    contentJson: (accountId, { templateId, contentHash }) =>
      readContentJson(bucket, { accountId, id: templateId, contentHash }),
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
