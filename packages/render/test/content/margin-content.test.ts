import { expect, it } from "vitest";
import type { MarginMarkups } from "colophon-page/margin-markups";
import type { SentMargins } from "colophon-page/prepared-page";
import { openContent } from "../../src/content/job-content.ts";
import { poolMargins } from "../../src/content/margin-content.ts";

const uri = `data:image/png;base64,${"A".repeat(1_500_000)}`;
const short: MarginMarkups = { markups: ["1 €"], headerOfPage: [0], footerOfPage: null, files: [] };

it.each([
  ["short", short, Uint8Array],
  ["with much markup", { ...short, markups: ["€".repeat(200_000)] }, ReadableStream],
  ["with large files", { ...short, files: [{ placeholder: "logo", uri }] }, ReadableStream],
])("headers and footers arrive in a pool as they were sent (%s)", async (_what, margins, kind) => {
  const sent = await poolMargins(async () => ({ status: "ok", ...margins }))([]);
  if (sent.status !== "ok") throw new Error(sent.status);
  const { text, filesOf } = await openContent<SentMargins>(sent, Date.now() + 5_000);

  expect(sent.content).toBeInstanceOf(kind);
  const files = margins.files.map(({ placeholder }) => ({
    placeholder,
    chars: uri.length,
    type: "data:image/png;base64",
  }));
  expect(text).toEqual({ ...margins, files });
  let arrived = "";
  for await (const part of filesOf(text.files)) arrived += part;
  expect(arrived).toBe(margins.files.map((each) => each.uri).join(""));
});

it("a failure to render headers and footers reaches the pool unchanged", async () => {
  const problem = { status: "impossible", message: "a problem" } as const;

  expect(await poolMargins(async () => problem)([])).toEqual(problem);
});
