// Ports for templates.
import type { Page } from "../core/pagination.ts";
import type { CompiledTemplate } from "../core/templates/compile-template.ts";
import type { Template, TemplateContent } from "../core/templates/template.ts";

/** Templates as the API reads them. Results may be up to ten seconds old. */
export type TemplateCatalog = {
  /** Null when the account has no such template. */
  find(accountId: string, id: string): Promise<Template | null>;
  /** Newest first, then by id. */
  list(accountId: string, page: Page): Promise<{ templates: Template[]; total: number }>;
  /** The content of the template's version; immutable. */
  content(template: Template): Promise<TemplateContent>;
  /** The version's content, ready to render; cached, because a version never changes. */
  compiled(template: Template): Promise<CompiledTemplate>;
};

/** Templates as the operator's command line changes them. */
export type TemplateStore = {
  /** Finds a template of any account. */
  findById(id: string): Promise<Template | null>;
  /** The template that was pushed from this folder name. */
  findByFolder(accountId: string, folder: string): Promise<Template | null>;
  /** Every template of the account, newest first, then by id. */
  listAll(accountId: string): Promise<Template[]>;
  /** Stores the content of the version that `template` names. Idempotent. */
  putContent(template: Template, content: TemplateContent): Promise<void>;
  /** False when another push has created a template for this folder in the meantime. */
  insert(template: Template, folder: string): Promise<boolean>;
  /** Stores a new version of an existing template; false when another push was first. */
  update(template: Template): Promise<boolean>;
  /** Removes rows and contents. False when there is no such template. */
  remove(id: string): Promise<boolean>;
};
