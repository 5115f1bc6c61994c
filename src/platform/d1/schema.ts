// The D1 tables of the directory, the database that all accounts share. The tables of the shards are in `document-tables.ts`. Times are
// in ms since the epoch. To add a column, add it here, run `npm run migration -- --name what-changed`, and map it in the domain's store.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { accessKinds } from "colophon-template-model/template";
import type { Jurisdiction, Region } from "../../core/region.ts";

export const plans = sqliteTable("plans", {
  name: text().primaryKey(),
  monthlyRenders: integer("monthly_renders").notNull(),
  apiAccess: integer("api_access", { mode: "boolean" }).notNull().default(true),
  /** The number of days for which documents are kept; null keeps them until they are deleted. */
  retentionDays: integer("retention_days"),
});

export const accounts = sqliteTable(
  "accounts",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    plan: text()
      .notNull()
      .references(() => plans.name),
    createdAt: integer("created_at").notNull(),
    /** The account's own retention: null if the plan's applies, 0 if documents are kept until they are deleted. */
    retentionDays: integer("retention_days"),
    /** When the operator deleted the account. The row remains until the account's data has been removed. */
    deletedAt: integer("deleted_at"),
    /** The account's home region; null if its objects are created near its first request. */
    region: text().$type<Region>(),
    /** The account's own monthly allowance; null if the plan's applies. */
    monthlyRenders: integer("monthly_renders"),
    /** The database with the account's documents and events: 0 for the directory, or n for `DB_n`. */
    shard: integer().notNull().default(0),
    /** Where the account's objects are, which is the jurisdiction of the deployment when the account was created. */
    jurisdiction: text().$type<Jurisdiction>(),
    access: text({ enum: accessKinds }).notNull().default("public"),
    recordDownloads: integer("record_downloads", { mode: "boolean" }).notNull().default(false),
  },
  // The scheduled run searches for deleted accounts every minute.
  (table) => [
    index("accounts_deleted")
      .on(table.deletedAt)
      .where(sql`deleted_at IS NOT NULL`),
  ],
);

/**
 * Secrets that the service itself needs, by name. A migration generates them. `api-key-checksum` keys the checksums of API keys: if it
 * changes, every existing key is refused.
 */
export const serviceSecrets = sqliteTable("service_secrets", {
  name: text().primaryKey(),
  secret: text().notNull(),
});

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text().primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id),
    name: text().notNull(),
    /** The SHA-256 of the secret in hexadecimal. */
    secretHash: text("secret_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    revokedAt: integer("revoked_at"),
    /** Separated by spaces; null if the key may do everything. */
    scopes: text(),
    expiresAt: integer("expires_at"),
    isTest: integer("is_test", { mode: "boolean" }).notNull().default(false),
    /** Accurate to one hour, so that few requests write it. */
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [index("api_keys_by_account").on(table.accountId, table.createdAt)],
);

/** Who changed what in an account. Row ids follow the order of creation, so old events are found without an index. */
export const auditEvents = sqliteTable(
  "audit_events",
  {
    id: text().notNull(),
    accountId: text("account_id").notNull(),
    createdAt: integer("created_at").notNull(),
    /** The id of a key, or `operator`. */
    actor: text().notNull(),
    action: text().notNull(),
    /** The id of the key, template, webhook or account that was changed. */
    subject: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.createdAt, table.id] })],
);

export const templates = sqliteTable(
  "templates",
  {
    id: text().primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id),
    /** The name of the folder. A push of a folder with the same name updates this template. */
    folder: text().notNull(),
    /** The number of the newest version. */
    version: integer().notNull(),
    contentHash: text("content_hash").notNull(),
    /** JSON of `TemplateManifest`. */
    manifest: text().notNull(),
    pagesCount: integer("pages_count").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    index("templates_by_account").on(table.accountId, table.createdAt, table.id),
    uniqueIndex("templates_by_folder").on(table.accountId, table.folder),
  ],
);

/** All versions of each template. Their contents are in R2, under `<account>/<template>/<content hash>.json`. */
export const templateVersions = sqliteTable(
  "template_versions",
  {
    templateId: text("template_id").notNull(),
    version: integer().notNull(),
    accountId: text("account_id").notNull(),
    contentHash: text("content_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    /** JSON of `TemplateManifest`. */
    manifest: text().notNull().default("{}"),
    pagesCount: integer("pages_count").notNull().default(1),
  },
  (table) => [primaryKey({ columns: [table.templateId, table.version] })],
);

/**
 * The secrets that webhooks are signed with. They are encrypted, not hashed, because signing needs the secret itself; see
 * `core/webhooks/secret-encryption.ts`.
 */
export const webhookSecrets = sqliteTable(
  "webhook_secrets",
  {
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id),
    /** The SHA-256 of the secret in hexadecimal, which identifies the secret regardless of the key that encrypts it. */
    secretHash: text("secret_hash").notNull(),
    /** Identifies the key that the secret is encrypted with. */
    keyId: text("key_id").notNull(),
    ciphertext: text().notNull(),
    createdAt: integer("created_at").notNull(),
    /** Null for the newest secret. */
    expiresAt: integer("expires_at"),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.secretHash] })],
);

/** The progress of the scheduled passes, one row per pass, so that they continue after a restart. */
export const repairPasses = sqliteTable("repair_passes", {
  name: text().primaryKey(),
  /** JSON of `RepairPosition`; null between passes. */
  position: text(),
  finishedAt: integer("finished_at"),
});
