// Ports for templates.
import type { Page, Position } from "../core/pagination.ts";
import type { CompiledTemplate } from "colophon-template-model/compile-template";
import type { Template, TemplateContent } from "colophon-template-model/template";

/** `more` is the position from which the list continues; null if it ends there. */
export type TemplateList = { templates: Template[]; more: Position | null; total: number };

/** Templates as the API reads them. A change may take up to ten seconds to become visible. */
export type TemplateCatalog = {
  /** The template; null when the account has no such template. */
  find(accountId: string, id: string): Promise<Template | null>;
  /** The template as it was in this version, which never changes; null when there is no such version. */
  findVersion(accountId: string, id: string, version: number): Promise<Template | null>;
  /** One page of the account's templates, newest first, then by id. `total` counts the templates of all pages. */
  list(accountId: string, page: Page): Promise<TemplateList>;
  /** The content of the template's version, which never changes. */
  content(template: Template): Promise<TemplateContent>;
  /** The version's content, ready to render; cached, because a version never changes. */
  compiled(template: Template): Promise<CompiledTemplate>;
  /** How many bytes of memory `compiled` takes at most. */
  sizeBytes(template: Template): Promise<number>;
};

/** Templates as the operator's command line changes them. */
export type TemplateStore = {
  /** Finds a template of any account; null when there is none with this id. */
  findById(id: string): Promise<Template | null>;
  /** The template that was pushed from the folder with this name; null when there is none. */
  findByFolder(accountId: string, folder: string): Promise<Template | null>;
  /** Every template of the account with the folder it was first pushed from, newest first, then by id. */
  listAll(accountId: string): Promise<(Template & { folder: string })[]>;
  /** Every version of a template, newest first; empty when there is no such template. */
  listVersions(id: string): Promise<Template[]>;
  /** The content of the template's version, which never changes. */
  content(template: Template): Promise<TemplateContent>;
  /** Stores the content of the template's newest version. Idempotent. */
  putContent(template: Template, content: TemplateContent): Promise<void>;
  /** Stores a new template; false when another push has created a template for this folder in the meantime. */
  insert(template: Template, folder: string): Promise<boolean>;
  /** Stores a new version of an existing template; false when another push has stored one in the meantime. */
  update(template: Template): Promise<boolean>;
  /** Removes the template with all its versions and their contents. False when there is no such template. */
  remove(id: string): Promise<boolean>;
};
