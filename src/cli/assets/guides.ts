// Converts each guide in `docs` to a page, served at /docs/<name>. A link between guides leads to these pages. A link to any other
// file of the repository becomes plain text, because the service does not have the file.
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import MarkdownIt from "markdown-it";

type Guide = { name: string; title: string; html: string };

export async function guidesOf(folder: string): Promise<Guide[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".md"));
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), "utf8");
      return { name: basename(file, ".md"), title: /^# (.*)$/m.exec(text)?.[1] ?? file, html: htmlOf(text) };
    }),
  );
}

function htmlOf(text: string): string {
  return (
    new MarkdownIt()
      .render(text)
      .replace(/<(h[1-6])>(.*?)<\/h/g, (_, tag: string, title: string) => `<${tag} id="${anchorOf(title)}">${title}</h`)
      .replace(/<a href="([^"]*)">(.*?)<\/a>/gs, (_, url: string, label: string) => linkTo(url, label))
      // Examples and tables scroll in a narrow window, also by keyboard.
      .replace(/<(pre|table)>/g, '<$1 tabindex="0">')
  );
}

/** Returns the anchor that GitHub gives to a heading. */
function anchorOf(title: string): string {
  const text = title.replace(/<[^>]*>|&\w+;/g, "").toLowerCase();
  return text.replace(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");
}

function linkTo(url: string, label: string): string {
  const [, guide, anchor = ""] = /^([\w-]+)\.md(#.*)?$/.exec(url) ?? [];
  if (guide) return `<a href="/docs/${guide}${anchor}">${label}</a>`;
  return /^(https:|#)/.test(url) ? `<a href="${url}">${label}</a>` : label;
}
