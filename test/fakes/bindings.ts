// D1 and R2 in memory, for tests in Node that run the service's own adapters. They implement the methods that the adapters use.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** A database with all migrations of its kind applied. */
export function memoryD1(kind: "directory" | "shard" = "directory"): D1Database {
  const database = new DatabaseSync(":memory:");
  const migrations = join(import.meta.dirname, "../../migrations", kind);
  for (const name of readdirSync(migrations)
    .filter((file) => file.endsWith(".sql"))
    .toSorted())
    database.exec(readFileSync(join(migrations, name), "utf8"));
  const prepared = new Map<string, StatementSync>();
  const statementOf = (sql: string, isArray: boolean) => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    statement.setReturnArrays(isArray);
    return statement;
  };
  type Statement = { run(): unknown; bind(...values: SQLInputValue[]): Statement };
  const prepare = (sql: string, values: SQLInputValue[] = []): Statement => {
    const results = () => {
      const rows = statementOf(sql, false).all(...values);
      return { success: true, results: rows, meta: statementOf("SELECT changes() AS changes", false).get() };
    };
    return Object.assign(
      {
        bind: (...bound: SQLInputValue[]) => prepare(sql, bound),
        all: async () => results(),
        raw: async () => statementOf(sql, true).all(...values),
        first: async () => results().results[0] ?? null,
      },
      { run: async () => results(), now: results },
    );
  };
  const batch = async (statements: { now(): unknown }[]) => {
    database.exec("BEGIN");
    try {
      const all = statements.map((statement) => statement.now());
      database.exec("COMMIT");
      return all;
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  };
  return { prepare: (sql: string) => prepare(sql), batch } as unknown as D1Database;
}

type Stored = { bytes: Uint8Array<ArrayBuffer>; customMetadata: Record<string, string> };
type Body = string | ArrayBuffer | Uint8Array | ReadableStream;
type PutOptions = { onlyIf?: unknown; customMetadata?: Record<string, string> };
type Range = { offset: number; length: number };

/** A bucket, and its objects by key. */
export function memoryBucket(): { bucket: R2Bucket; objects: Map<string, Stored> } {
  const objects = new Map<string, Stored>();
  const about = (key: string, { bytes, customMetadata }: Stored) => ({
    ...{ key, size: bytes.length, customMetadata, etag: createHash("md5").update(bytes).digest("hex") },
    uploaded: new Date(),
  });
  const head = async (key: string) => {
    const stored = objects.get(key);
    return stored ? about(key, stored) : null;
  };
  const put = async (key: string, value: Body, { onlyIf, customMetadata = {} }: PutOptions = {}) => {
    if (onlyIf && objects.has(key)) return null;
    objects.set(key, { bytes: new Uint8Array(await new Response(value as BodyInit).arrayBuffer()), customMetadata });
    return head(key);
  };
  const bucket = {
    head,
    put,
    async get(key: string, { range }: { range?: Range } = {}) {
      const stored = objects.get(key);
      if (!stored) return null;
      const bytes = range ? stored.bytes.slice(range.offset, range.offset + range.length) : stored.bytes;
      const text = async () => new TextDecoder().decode(bytes);
      return {
        ...about(key, stored),
        get body() {
          return new Response(bytes).body;
        },
        text,
        json: async () => JSON.parse(await text()) as unknown,
        arrayBuffer: async () => bytes.slice().buffer,
      };
    },
    async delete(keys: string | string[]) {
      for (const key of [keys].flat()) objects.delete(key);
    },
    async list({ prefix = "" }: { prefix?: string } = {}) {
      const found = [...objects].filter(([key]) => key.startsWith(prefix)).map(([key, stored]) => about(key, stored));
      return { objects: found, truncated: false };
    },
    async createMultipartUpload(key: string, options: PutOptions) {
      const parts = new Map<number, Uint8Array>();
      return {
        async uploadPart(partNumber: number, bytes: Uint8Array) {
          parts.set(partNumber, bytes.slice());
          return { partNumber, etag: `${partNumber}` };
        },
        async complete(uploaded: { partNumber: number }[]) {
          const all = uploaded.map(({ partNumber }) => parts.get(partNumber) ?? new Uint8Array());
          return put(key, Buffer.concat(all), {
            ...(options.customMetadata && { customMetadata: options.customMetadata }),
          });
        },
        abort: async () => parts.clear(),
      };
    },
  };
  return { bucket: bucket as unknown as R2Bucket, objects };
}
