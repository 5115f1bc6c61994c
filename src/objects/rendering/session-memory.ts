// The record of an object's browser sessions. It survives a restart of the object, so that no browser is forgotten while
// it may still be running: a session is recorded from its acquisition until it has certainly ended.

export type RememberedSession = {
  id: string;
  acquiredAtMs: number;
  /** When the object stopped sending renders to the session; null while it may still be used. */
  retiredAtMs: number | null;
};

/** All methods take effect at once, so that no step of the object can run between a change and its record. */
export type SessionMemory = {
  /** Returns the sessions that may still be running, in the order in which they were acquired. */
  list(): RememberedSession[];
  /** Records a new session, or replaces the record with the same id. */
  put(session: RememberedSession): void;
  /** Does nothing when there is no such record. */
  delete(sessionId: string): void;
};

/** The part of a Durable Object's storage that is used here. */
type KeyValueStorage = Pick<SyncKvStorage, "get" | "put">;

const key = "sessions";

/** Keeps the records in the object's storage, under one key. Calls `onNew` after each record of a new session. */
export function storedSessions(storage: KeyValueStorage, onNew: () => void): SessionMemory {
  const list = () => storage.get<RememberedSession[]>(key) ?? [];
  return {
    list,
    put(session) {
      const sessions = list();
      const at = sessions.findIndex(({ id }) => id === session.id);
      storage.put(key, at < 0 ? [...sessions, session] : sessions.with(at, session));
      if (at < 0) onNew();
    },
    delete(sessionId) {
      const sessions = list();
      const others = sessions.filter(({ id }) => id !== sessionId);
      if (others.length < sessions.length) storage.put(key, others);
    },
  };
}
