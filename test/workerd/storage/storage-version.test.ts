// Upgrades rely on one property of the platform: tables and the key-value storage take part in the same transaction. Everything
// else is tested with a fake storage in `test/objects/runtime/ledger.test.ts`.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { upgradeStorage } from "../../../src/objects/runtime/ledger.ts";

const notes = "CREATE TABLE notes (text TEXT NOT NULL)";
const note = "INSERT INTO notes VALUES ('noted')";

function stateOf({ kv, sql }: DurableObjectStorage) {
  const tables = sql.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*'").toArray();
  return { version: kv.get<number>("storage-version"), tables, notes: sql.exec("SELECT * FROM notes").toArray() };
}

it("an object's storage can be upgraded after a step has failed halfway", async () => {
  // The constructor of a browser pool stores nothing.
  const object = env.BROWSER_POOL.get(env.BROWSER_POOL.idFromName(crypto.randomUUID()));
  const [failed, upgraded] = await runInDurableObject(object, (_, { storage }) => {
    upgradeStorage(storage, [notes]);
    const broken = `${note}; CREATE TABLE more (text TEXT); INSERT INTO nowhere VALUES (1)`;
    expect(() => upgradeStorage(storage, [notes, broken, note])).toThrow(/no such table: nowhere/);
    const afterFailure = stateOf(storage);
    upgradeStorage(storage, [notes, note]);
    return [afterFailure, stateOf(storage)];
  });

  const tables = [{ name: "notes" }];
  expect(failed).toEqual({ version: 1, tables, notes: [] });
  expect(upgraded).toEqual({ version: 2, tables, notes: [{ text: "noted" }] });
});
