// Converts rows of the `templates` table to templates and back, and defines the order in which they are listed.
import { desc } from "drizzle-orm";
import type { Template, TemplateManifest } from "colophon-template-model/template";
import { templates, type templateVersions } from "../d1/schema.ts";

type Row = typeof templates.$inferSelect;

export const newestFirst = [desc(templates.createdAt), desc(templates.id)];

/** Returns all columns except the folder's name, which only the first push sets. */
export function toRow({ manifest, ...columns }: Template): Omit<Row, "folder"> {
  return { ...columns, manifest: JSON.stringify(manifest) };
}

export function fromRow({ folder: _, manifest, ...columns }: Row): Template {
  return { ...columns, manifest: JSON.parse(manifest) as TemplateManifest };
}

/** Returns the template as it was in this version. */
export function fromVersionRow({ templateId, manifest, ...columns }: typeof templateVersions.$inferSelect): Template {
  return {
    ...columns,
    id: templateId,
    manifest: JSON.parse(manifest) as TemplateManifest,
    updatedAt: columns.createdAt,
  };
}
