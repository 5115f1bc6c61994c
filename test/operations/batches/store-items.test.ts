// Tests the validation of items whose patterns take much work.
import { expect, it, vi } from "vitest";
import { field, templateContent } from "colophon-test-kit/template-content";
import type { Batch } from "../../../src/core/batches/batch.ts";
import { storeItems, type ItemLine } from "../../../src/operations/batches/store-items.ts";
import type { Services } from "../../../src/ports/services.ts";
import { fakeAccount, fakeServices, fakeTemplate } from "../../fakes/services.ts";

const upload = { write: async () => {}, finish: async () => {}, abort: async () => {} };

/** Validates items with the value, and returns how often other requests could run in between. */
async function pausesOf(pattern: string, value: string, items: number): Promise<number> {
  const pause = vi.fn(async () => {});
  const batchFiles = { upload: () => upload } as unknown as Services["batchFiles"];
  const services = { ...fakeServices({ slices: { pause } }), batchFiles };
  const { account } = await fakeAccount(services);
  const fields = [field("f", "string", { pattern })];
  const template = fakeTemplate(services, account, templateContent({ fields, page: "{{ f }}" }));
  const batch = { id: "b", template, options: { format: "pdf", deviceScaleFactor: 2 } } as unknown as Batch;
  async function* lines(): AsyncGenerator<ItemLine> {
    for (let index = 0; index < items; index++) yield { bytes: new Uint8Array(9), item: { data: { f: value } } };
  }
  await storeItems(services, account, { batch, lines: lines(), byteLength: 9 * items });
  return pause.mock.calls.length;
}

it("other requests can run between the items of a batch whose patterns take much work", async () => {
  expect(await pausesOf("^(?:.a?){200}$", "a".repeat(300), 20)).toBeGreaterThan(0);
  expect(await pausesOf("^a+$", "a".repeat(300), 20)).toBe(0);
});
