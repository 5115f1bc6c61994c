// Checks that the migrations, applied to a real D1, create the schema that the stores use.
import { env } from "cloudflare:workers";
import { getTableName, is, SQL } from "drizzle-orm";
import { getTableConfig, SQLiteTable, SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { expect, it } from "vitest";
import * as documentTables from "../../../src/platform/d1/document-tables.ts";
import * as otherTables from "../../../src/platform/d1/schema.ts";
import { readShards } from "../../../src/settings.ts";

const schema = { ...documentTables, ...otherTables };
const tables = Object.values(schema).filter((table) => is(table, SQLiteTable));
const shardTables = Object.values(documentTables).filter((table) => is(table, SQLiteTable));
const dialect = new SQLiteSyncDialect();

it("the migrations create the tables of the schema and no others", async () => {
  const found = await select<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations'",
  );

  expect(found.map(({ name }) => name).toSorted()).toEqual(tables.map(getTableName).toSorted());
});

it.each(tables.map((table) => ({ name: getTableName(table), table })))(
  "the migrations create the columns, keys and indexes that the schema defines for the table $name",
  async ({ name, table }) => {
    const found = {
      columns: await columnsOf(name),
      references: await referencesOf(name),
      indexes: await indexesOf(name),
    };

    expect(found).toEqual(expected(table));
  },
);

it("a shard has the tables, indexes and triggers of documents and events that the directory has, and no others", async () => {
  const names = shardTables.map((table) => `'${getTableName(table)}'`).join();
  const query = `SELECT type, name, sql FROM sqlite_master WHERE tbl_name IN (${names}) ORDER BY name`;
  const others = `SELECT name FROM sqlite_master WHERE tbl_name NOT IN (${names}) AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations'`;

  for (const shard of [...readShards(env).values()].slice(1)) {
    expect(withoutForm(await select(query, shard))).toEqual(withoutForm(await select(query)));
    expect(await select(others, shard)).toEqual([]);
  }
});

/** A column that was added later ends the text of a table. */
function withoutForm(rows: { sql: string | null }[]) {
  const columns = (sql: string) =>
    sql
      .split(/[,()\n]+/)
      .map((part) => part.trim())
      .filter(Boolean)
      .toSorted();
  return rows.map(({ sql, ...row }) => ({ ...row, sql: sql && columns(sql) }));
}

type Column = { name: string; type: string; isRequired: boolean; default: string | null; isKey: boolean };
type Index = { name: string; columns: string[]; isUnique: boolean; where: string | null };

function expected(table: SQLiteTable): { columns: Column[]; references: string[]; indexes: Index[] } {
  const { columns, primaryKeys, foreignKeys, indexes } = getTableConfig(table);
  const keys = new Set(primaryKeys.flatMap((key) => key.columns.map((column) => column.name)));
  return {
    columns: columns.map((column) => ({
      name: column.name,
      type: column.getSQLType(),
      isRequired: column.notNull,
      default: defaultOf(column.default),
      isKey: column.primary || keys.has(column.name),
    })),
    references: foreignKeys
      .map((key) => key.reference())
      .map(({ columns: from, foreignTable, foreignColumns: to }) => {
        return `${from[0]?.name} to ${getTableName(foreignTable)}.${to[0]?.name}`;
      })
      .toSorted(),
    indexes: indexes
      .map(({ config }) => ({
        name: config.name,
        columns: config.columns.map((column) => ("name" in column ? column.name : "expression")),
        isUnique: config.unique,
        where: config.where ? dialect.sqlToQuery(config.where).sql : null,
      }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
  };
}

function defaultOf(value: unknown): string | null {
  if (value === undefined) return null;
  if (is(value, SQL)) return dialect.sqlToQuery(value).sql;
  return typeof value === "string" ? `'${value}'` : String(value);
}

async function columnsOf(table: string): Promise<Column[]> {
  const rows = await select<{ name: string; type: string; notnull: number; dflt_value: string | null; pk: number }>(
    `PRAGMA table_info(${table})`,
  );
  return rows.map(({ name, type, notnull, dflt_value, pk }) => {
    return { name, type: type.toLowerCase(), isRequired: notnull === 1, default: dflt_value, isKey: pk > 0 };
  });
}

async function referencesOf(name: string): Promise<string[]> {
  const rows = await select<{ table: string; from: string; to: string }>(`PRAGMA foreign_key_list(${name})`);
  return rows.map(({ table, from, to }) => `${from} to ${table}.${to}`).toSorted();
}

async function indexesOf(table: string): Promise<Index[]> {
  const rows = await select<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = '${table}' ORDER BY name`,
  );
  return rows.map(({ name, sql }) => {
    const [, unique, columns = "", where] = /^CREATE (UNIQUE )?INDEX [^(]*\(([^)]*)\)(?: WHERE (.*))?$/.exec(sql) ?? [];
    return {
      name,
      columns: columns.replaceAll("`", "").split(","),
      isUnique: unique !== undefined,
      where: where ?? null,
    };
  });
}

async function select<T>(query: string, database = env.DB): Promise<T[]> {
  return (await database.prepare(query).all<T>()).results;
}
