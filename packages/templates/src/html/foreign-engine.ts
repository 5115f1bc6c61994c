// Recognizes the template engine for which a page was written, by the words that Liquid lacks.
import { foreignCode } from "colophon-liquid/foreign-syntax";
import { byWord, foreignFilters, foreignTags, type ForeignWord } from "colophon-liquid/foreign-words";
import { foreignTextCode } from "colophon-template-checks/foreign-markup";
import { withoutForeignTags } from "colophon-template-checks/foreign-tags";

const tags = byWord(foreignTags);
const filters = byWord(foreignFilters);

/** Returns the one or two engines that have most of these words; an empty list for a page without any. */
export function foreignEngines(markup: string): string[] {
  const { foreign, text } = withoutForeignTags(markup, []);
  const rows: (ForeignWord | undefined)[] = foreign.map(({ row }) => row);
  for (const row of foreignTextCode) if (row.pattern?.test(text)) rows.push(row);
  for (const [, tag = "", output = ""] of text.matchAll(/\{%-?\s*(\w+)|\{\{(\{?[^{}]*)\}\}/g)) {
    rows.push(
      tags.get(tag),
      foreignCode.find(({ pattern }) => output !== "" && pattern?.test(output)),
    );
    for (const [, filter = ""] of output.matchAll(/\|\s*(\w+)/g)) rows.push(filters.get(filter));
  }
  const names = rows.flatMap((row) => row?.engines.split(" ") ?? []);
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, all]) => ({ name, count: all.length }));
  const most = Math.max(...counts.map(({ count }) => count));
  return counts.flatMap(({ name, count }) => (count === most ? [name] : [])).slice(0, 2);
}
