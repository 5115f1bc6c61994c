// Checks that the documents explain every event in the log.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = new URL("../..", import.meta.url).pathname;
const textOf = (pattern: string) =>
  globSync(join(root, pattern))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");

it("each event that the service logs is documented", () => {
  const sources = textOf("src/**/*.ts") + textOf("packages/render/src/**/*.ts");
  const logged = sources.matchAll(/(?:event: |"(?:info|warn|error)",\s+)"([a-z_]+\.[a-z_]+)"/g);
  const events = [...new Set([...logged].map(([, event]) => event))];
  const documents = textOf("docs/*.md");

  expect(events.filter((event) => !documents.includes(`\`${event}\``))).toEqual([]);
  expect(events.length).toBeGreaterThan(50);
});
