// Tests which hyphenation patterns are sent to a page, and when it drops them.
import { expect, it } from "vitest";
import type { SentPatterns } from "colophon-page/hyphenation";
import { FontError } from "../../src/page/page-fonts.ts";
import { pagePatterns } from "../../src/page/page-patterns.ts";

/** Opens a page. The patterns of each language have `chars` characters, except in those that cannot be read. */
function opened({ chars = 3, failing = new Set<string>() } = {}) {
  const calls: SentPatterns[] = [];
  const patterns = async (name: string) => (failing.has(name) ? null : name.padEnd(chars));
  const { send } = pagePatterns({ patterns }, { addPatterns: async (each) => void calls.push(each) });
  const namesSent = () => calls.map(({ sent, dropped }) => ({ sent: sent.map(([name]) => name), dropped }));
  return { send, namesSent, calls, failing };
}

it("a page receives the patterns of each language once", async () => {
  const { send, namesSent, calls } = opened();

  for (const names of [["de"], ["de", "fr"], ["fr"], []]) await send(names);

  expect(namesSent()).toEqual([
    { sent: ["de"], dropped: [] },
    { sent: ["fr"], dropped: [] },
  ]);
  expect(calls[0]?.sent).toEqual([["de", "de "]]);
});

it("a page drops the patterns of earlier documents when it has too many patterns", async () => {
  const { send, namesSent } = opened({ chars: 900_000 });

  for (const names of [["de", "fr"], ["fr", "hu"], ["de"]]) await send(names);

  expect(namesSent()).toEqual([
    { sent: ["de", "fr"], dropped: [] },
    { sent: ["hu"], dropped: ["de"] },
    { sent: ["de"], dropped: ["fr", "hu"] },
  ]);
});

it("a document fails if its patterns cannot be read, and the next document reads them again", async () => {
  const { send, namesSent, failing } = opened({ failing: new Set(["de"]) });

  await expect(send(["de"])).rejects.toThrow(FontError);
  failing.clear();
  await send(["de"]);

  expect(namesSent()).toEqual([{ sent: ["de"], dropped: [] }]);
});
