// Ports for templates.
import type { CompiledTemplate } from "colophon-template-model/compile-template";
import type { Template, TemplateContent } from "colophon-template-model/template";
import type { Listed, Page } from "../core/pagination.ts";
import type { AuditEvent } from "./accounts.ts";

/** Templates as the API reads them. A change may take up to ten seconds to become visible. */
export type TemplateCatalog = {
  /** The template; null when the account has no such template. */
  find(accountId: string, id: string): Promise<Template | null>;
  /** The template as it was in this version, which never changes; null when there is no such version. */
  findVersion(accountId: string, id: string, version: number): Promise<Template | null>;
  list(accountId: string, page: Page): Promise<Listed<Template>>;
  /** The content of the template's version, which never changes. */
  content(template: Template): Promise<TemplateContent>;
  /** The version's content, ready to render; cached, because a version never changes. */
  compiled(template: Template): Promise<CompiledTemplate>;
  /** The maximum memory that `compiled` takes, in bytes. */
  sizeBytes(template: Template): Promise<number>;
};

/** A template and the name of its folder, which identifies it within the account. */
export type NamedTemplate = Template & { folder: string };

/** The zip with the files of a pushed folder, in parts. `digest` depends only on the names and bytes of the files. */
export type TemplateUpload = { zip: Uint8Array[]; digest: string };

/** Templates for callers that change them. Never stale. */
export type TemplateStore = {
  /** `id` is the id of the template, or the name of its folder. */
  find(accountId: string, id: string): Promise<NamedTemplate | null>;
  list(accountId: string, page: Page): Promise<Listed<NamedTemplate>>;
  /** Versions, newest first. In positions, the number of a version takes the place of the time. */
  listVersions(accountId: string, id: string, page: Page): Promise<Listed<Template>>;
  findVersion(accountId: string, id: string, version: number): Promise<Template | null>;
  /** The content of the template's version, which never changes. */
  content(template: Template): Promise<TemplateContent>;
  /** The zip with the files of the template's version; null if it was not pushed as a zip. */
  files(template: Template): Promise<ReadableStream | null>;
  /** Stores the content of the template's newest version. Idempotent. */
  putContent(template: Template, content: TemplateContent, upload: TemplateUpload | null): Promise<void>;
  /** Stores a new template; false when a concurrent push has created a template for this folder. */
  insert(template: Template, folder: string, audit: AuditEvent): Promise<boolean>;
  /** Stores a new version of an existing template; false when a concurrent push has stored one. */
  update(template: Template, audit: AuditEvent): Promise<boolean>;
  /** Removes the template with all its versions and their contents. Idempotent. */
  remove(template: Template, audit: AuditEvent): Promise<void>;
};
