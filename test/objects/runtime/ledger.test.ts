import { expect, it } from "vitest";
import { quotaLedger } from "../../../src/objects/accounts/quota-ledger.ts";
import { batchLedger } from "../../../src/objects/batches/batch-ledger.ts";
import { hasTables, upgradeStorage } from "../../../src/objects/runtime/ledger.ts";
import { deliveryLedger } from "../../../src/objects/webhooks/delivery-ledger.ts";
import { objectStorage } from "../../fakes/object-storage.ts";

/** The key under which each release records the version of the storage, in the object's key-value storage. */
const versionKey = "storage-version";

const notes = "CREATE TABLE notes (text TEXT NOT NULL)";
const note = "INSERT INTO notes VALUES ('noted')";
const author = "ALTER TABLE notes ADD COLUMN author TEXT NOT NULL DEFAULT 'unknown'";

const stateOf = ({ kv, sql }: DurableObjectStorage) => ({
  version: kv.get<number>(versionKey),
  notes: sql.exec("SELECT * FROM notes").toArray(),
});

it("the storage of an object gets every upgrade step once, including steps that a later release adds", () => {
  const storage = objectStorage();
  const hadTables = hasTables(storage);
  for (let construction = 0; construction < 2; construction++) upgradeStorage(storage, [notes, note]);
  const before = stateOf(storage);

  upgradeStorage(storage, [notes, note, author]);

  expect(before).toEqual({ version: 2, notes: [{ text: "noted" }] });
  expect(stateOf(storage)).toEqual({ version: 3, notes: [{ text: "noted", author: "unknown" }] });
  expect([hadTables, hasTables(storage)]).toEqual([false, true]);
});

it("the storage of an object is refused and not changed if a newer release has upgraded it", () => {
  const storage = objectStorage();
  upgradeStorage(storage, [notes, note]);

  expect(() => upgradeStorage(storage, [notes])).toThrow(
    "The storage of this object has version 2, but this release supports only version 1. A newer release has run: deploy that release or a later one.",
  );
  expect(stateOf(storage)).toEqual({ version: 2, notes: [{ text: "noted" }] });
});

it.each(Object.entries({ quotaLedger, deliveryLedger, batchLedger }))(
  "an object's storage is refused by the %s if a newer release has upgraded it",
  (_name, ledger) => {
    const storage = objectStorage();
    storage.kv.put(versionKey, 1_000);

    expect(() => ledger(storage)).toThrow("has version 1000");
    expect(storage.sql.exec("SELECT * FROM sqlite_master").toArray()).toEqual([]);
  },
);
