// The name of a template, with its version.
import { useConsole } from "../console.ts";
import { shortId } from "../format.ts";

export function TemplateLink({ id, version }: { id: string; version: number }) {
  const { templates, link } = useConsole();
  const name = templates.find((template) => template.id === id)?.folder ?? shortId(id);
  return (
    <a href={link(["templates", id])}>
      {name}, version {version}
    </a>
  );
}
