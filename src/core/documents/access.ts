// Decides who can open the file of a document: anyone who has its URL, or only holders of a key or a link that ends.
import type { Access, TemplateManifest } from "colophon-template-model/template";
import { validationError } from "../errors.ts";

type TemplateAccess = Pick<TemplateManifest, "access" | "allowPublic">;

/**
 * Returns the access of a new document. The request may make it private, and may make it public if neither the account nor the template
 * forbids that. Throws VALIDATION_ERROR.
 */
export function resolveAccess(account: Access, template: TemplateAccess, requested: Access | undefined): Access {
  const refuse = (reason: string) =>
    validationError([{ path: "access", message: `\`access\` must be "private": ${reason}` }]);
  if (requested === "public" && account === "private") throw refuse("all documents of this account are private.");
  if (requested === "public" && strictness(template) === 2)
    throw refuse("the documents of this template are private, and its `template.json` does not have `allowPublic`.");
  return account === "private" ? account : (requested ?? template.access ?? account);
}

/**
 * Returns the access of an older version: the stricter one of that version and the newest one, so that a request cannot make a private
 * document public by asking for a version from before the template was private.
 */
export function accessOfVersion(version: TemplateAccess, newest: TemplateAccess): TemplateAccess {
  const { access, allowPublic } = strictness(newest) > strictness(version) ? newest : version;
  return { access, allowPublic };
}

function strictness({ access, allowPublic }: TemplateAccess): 0 | 1 | 2 {
  if (access !== "private") return 0;
  return allowPublic ? 1 : 2;
}
