import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { quotaLedger } from "../../../src/objects/accounts/quota-ledger.ts";
import { quotaStorageSteps } from "../../../src/objects/accounts/quota-storage.ts";
import { upgradeStorage } from "../../../src/objects/runtime/storage-version.ts";
import { deliveryLedger } from "../../../src/objects/webhooks/delivery-ledger.ts";
import { deliveryStorageSteps } from "../../../src/objects/webhooks/delivery-storage.ts";
import { deliveriesVersion1, quotaVersion1, versionKey } from "./first-version.ts";

/** Runs `work` with the storage of a new browser pool, which is empty because a pool's constructor stores nothing. */
function inEmptyStorage<T>(work: (storage: DurableObjectStorage) => T): Promise<T> {
  const object = env.BROWSER_POOL.get(env.BROWSER_POOL.idFromName(crypto.randomUUID()));
  return runInDurableObject(object, (_, { storage }) => work(storage));
}

/** Runs `work` with a storage in which the SQL in `recorded` has created the tables and rows of the first version. */
function inVersion1<T>(recorded: string, work: (storage: DurableObjectStorage) => T): Promise<T> {
  return inEmptyStorage((storage) => {
    storage.sql.exec(recorded);
    storage.kv.put(versionKey, 1);
    return work(storage);
  });
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

  it("keeps its tables and its version when a step fails half-way, and can be upgraded later", async () => {
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

describe.each([
  { name: "quota", recorded: quotaVersion1, steps: quotaStorageSteps, table: "holds" },
  { name: "deliveries", recorded: deliveriesVersion1, steps: deliveryStorageSteps, table: "deliveries" },
])("the first version's storage ($name)", ({ recorded, steps, table }) => {
  it("has the schema that the first upgrade step creates in this release", async () => {
    const created = await inEmptyStorage((storage) => {
      upgradeStorage(storage, steps.slice(0, 1));
      return schemaOf(storage);
    });

    expect(created).toEqual(await inVersion1(recorded, schemaOf));
  });

  it("keeps its rows when the later steps are applied", async () => {
    const planted = `ALTER TABLE ${table} ADD COLUMN planted TEXT NOT NULL DEFAULT 'x'`;
    const found = await inVersion1(recorded, (storage) => {
      const before = rows(storage, `SELECT * FROM ${table}`) as object[];
      upgradeStorage(storage, [...steps, planted]);
      return { before, after: rows(storage, `SELECT * FROM ${table}`), version: versionOf(storage) };
    });

    expect(found.before.length).toBeGreaterThan(1);
    expect(found.after).toMatchObject(found.before.map((row) => ({ ...row, planted: "x" })));
    expect(found.version).toBe(steps.length + 1);
  });
});

describe("an object of this release", () => {
  it("reads the quota that the first version stored", async () => {
    const at = 1_795_293_795_000;
    const found = await inVersion1(quotaVersion1, (storage) => {
      const ledger = quotaLedger(storage);
      return {
        usage: ledger.usage("2026-11"),
        key: ledger.lookUpKey({ key: "order-17", bodyHash: "b5bb9d80" }, at),
        expired: ledger.expired(at),
        deletions: ledger.overdueDeletions(at),
      };
    });

    expect(found).toMatchObject({
      usage: { used: 1, reserved: 1 },
      key: { status: "done", documentId: "cfd12160-d945-4687-bf38-ab3316837210" },
      expired: [{ hold: { leaseMs: 90_000, draft: { id: "6b4c7d1e-5a8e-4c39-9f3b-4a1d2e7c8b90", format: "png" } } }],
      deletions: [{ documentId: "11f0c1d4-3e27-4d5c-8a8e-7b9d0c6e5f43", due: at }],
    });
  });

  it("continues the deliveries that the first version stored", async () => {
    const at = 1_795_293_800_000;
    const found = await inVersion1(deliveriesVersion1, (storage) => {
      const ledger = deliveryLedger(storage);
      const unreported = ledger.unreported(10).map(({ eventId }) => eventId);
      ledger.resetInterrupted(at);
      const first = ledger.startNext(at, () => false);
      const second = ledger.startNext(at, () => true);
      return { unreported, first, second };
    });

    expect(found).toMatchObject({
      unreported: ["evt_paused"],
      first: { event: { id: "evt_paused" }, endpoint: "https://receiver.example/hook", delivery: { attempts: 0 } },
      second: null,
    });
  });
});
