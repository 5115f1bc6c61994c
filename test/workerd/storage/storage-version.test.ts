import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { quotaLedger } from "../../../src/objects/accounts/quota-ledger.ts";
import { upgradeStorage } from "../../../src/objects/runtime/storage-version.ts";
import { deliveryLedger } from "../../../src/objects/webhooks/delivery-ledger.ts";

/** The key under which each release records the version of the storage, in the object's key-value storage. */
const versionKey = "storage-version";

/** Runs `work` with the storage of a new browser pool, which is empty because a pool's constructor stores nothing. */
function inEmptyStorage<T>(work: (storage: DurableObjectStorage) => T): Promise<T> {
  const object = env.BROWSER_POOL.get(env.BROWSER_POOL.idFromName(crypto.randomUUID()));
  return runInDurableObject(object, (_, { storage }) => work(storage));
}

const versionOf = (storage: DurableObjectStorage) => storage.kv.get<number>(versionKey);

function rows(storage: DurableObjectStorage, query: string): unknown[] {
  return storage.sql.exec(query).toArray();
}

/** Returns the definitions of the service's tables and indexes, sorted by name, with white space normalised. */
function schemaOf({ sql }: DurableObjectStorage): string[] {
  const select =
    "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' ORDER BY name";
  return sql
    .exec<{ sql: string }>(select)
    .toArray()
    .map((row) => row.sql.replace(/\s+/g, " "));
}

const notes = "CREATE TABLE notes (text TEXT NOT NULL)";
const note = "INSERT INTO notes VALUES ('noted')";

describe("an object's storage", () => {
  it("gets every upgrade step once, even if its object is constructed repeatedly", async () => {
    const found = await inEmptyStorage((storage) => {
      for (let construction = 0; construction < 2; construction++) upgradeStorage(storage, [notes, note]);
      return { version: versionOf(storage), notes: rows(storage, "SELECT text FROM notes") };
    });

    expect(found).toEqual({ version: 2, notes: [{ text: "noted" }] });
  });

  it("gets only the missing upgrade steps", async () => {
    const found = await inEmptyStorage((storage) => {
      upgradeStorage(storage, [notes, note]);
      upgradeStorage(storage, [notes, note, "ALTER TABLE notes ADD COLUMN author TEXT NOT NULL DEFAULT 'unknown'"]);
      return { version: versionOf(storage), notes: rows(storage, "SELECT * FROM notes") };
    });

    expect(found).toEqual({ version: 3, notes: [{ text: "noted", author: "unknown" }] });
  });

  it("can be upgraded after a step has failed half-way", async () => {
    const found = await inEmptyStorage((storage) => {
      upgradeStorage(storage, [notes]);
      const broken = `${note}; CREATE TABLE more (text TEXT); INSERT INTO nowhere VALUES (1)`;
      expect(() => upgradeStorage(storage, [notes, broken, note])).toThrow(/no such table: nowhere/);
      const after = {
        version: versionOf(storage),
        schema: schemaOf(storage),
        notes: rows(storage, "SELECT * FROM notes"),
      };
      upgradeStorage(storage, [notes, note]);
      return { after, later: { version: versionOf(storage), notes: rows(storage, "SELECT * FROM notes") } };
    });

    expect(found.after).toEqual({ version: 1, schema: [notes], notes: [] });
    expect(found.later).toEqual({ version: 2, notes: [{ text: "noted" }] });
  });

  it("is refused and left unchanged if a newer release has upgraded it", async () => {
    const found = await inEmptyStorage((storage) => {
      upgradeStorage(storage, [notes, note]);
      expect(() => upgradeStorage(storage, [notes])).toThrow(
        "The storage of this object has version 2, but this release knows only version 1. A newer release has run: deploy that release or a later one.",
      );
      return { version: versionOf(storage), notes: rows(storage, "SELECT * FROM notes") };
    });

    expect(found).toEqual({ version: 2, notes: [{ text: "noted" }] });
  });

  it.each([
    { name: "quota", ledger: quotaLedger },
    { name: "deliveries", ledger: deliveryLedger },
  ])("is refused by the object's ledger if a newer release has upgraded it ($name)", async ({ ledger }) => {
    const refusal = await inEmptyStorage((storage) => {
      storage.kv.put(versionKey, 1_000);
      try {
        ledger(storage);
        return "accepted";
      } catch (error) {
        return { message: (error as Error).message, schema: schemaOf(storage) };
      }
    });

    expect(refusal).toEqual({ message: expect.stringContaining("has version 1000"), schema: [] });
  });
});
