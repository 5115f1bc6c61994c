// Converts rows of the `templates` table to templates and back.
import type { Template, TemplateManifest } from "colophon-template-model/template";
import type { templates, templateVersions } from "../d1/schema.ts";

type Row = typeof templates.$inferSelect;

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
