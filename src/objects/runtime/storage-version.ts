// Upgrades the SQLite storage of a Durable Object. Every object's constructor applies, in order, the steps that its storage
// has not seen yet, so that a column or a table can be added after the first deployment.
//
// The version is a key of the object's key-value storage, which lives in the same database and takes part in its
// transactions: the platform does not support `PRAGMA user_version`, and a separate table for it would have to be looked up
// first. `BrowserPool` has no versions: it stores one session id, and losing that costs one idle browser.

const versionKey = "storage-version";

/**
 * Brings the storage to version `steps.length`. A step is SQL, which may hold several statements; the step and the change
 * of the version are one transaction. A released step never changes: append a new one instead. Throws when the storage has
 * a newer version.
 */
export function upgradeStorage(storage: DurableObjectStorage, steps: readonly string[]): void {
  const version = storage.kv.get<number>(versionKey) ?? 0;
  if (version > steps.length) {
    throw new Error(
      `The storage of this object has version ${version}, but this release knows only version ${steps.length}. ` +
        "A newer release has run: deploy that release or a later one.",
    );
  }
  for (const [index, step] of steps.entries()) {
    if (index >= version) applyStep(storage, step, index + 1);
  }
}

function applyStep(storage: DurableObjectStorage, step: string, version: number): void {
  storage.transactionSync(() => {
    storage.sql.exec(step);
    storage.kv.put(versionKey, version);
  });
}
