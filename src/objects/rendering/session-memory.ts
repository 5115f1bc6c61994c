// The record of an object's browser sessions. It survives a restart of the object, so that no browser is forgotten while
// it may still be running: a session is recorded from its acquisition until it is known to have ended.

export type RememberedSession = { id: string; acquiredAtMs: number };

/** All methods take effect immediately, so that no step of the object can run between a change and its record. */
export type SessionMemory = {
  /** Returns the sessions that may still be running. */
  list(): RememberedSession[];
  add(session: RememberedSession): void;
  /** Does nothing if there is no such record. */
  delete(sessionId: string): void;
};

const key = "sessions";

/** Keeps the records in the object's storage, under one key. Calls `onNew` after each record of a new session. */
export function storedSessions(storage: Pick<SyncKvStorage, "get" | "put">, onNew: () => void): SessionMemory {
  const list = () => storage.get<RememberedSession[]>(key) ?? [];
  return {
    list,
    add(session) {
      storage.put(key, [...list(), session]);
      onNew();
    },
    delete(sessionId) {
      const sessions = list();
      const others = sessions.filter(({ id }) => id !== sessionId);
      if (others.length < sessions.length) storage.put(key, others);
    },
  };
}
