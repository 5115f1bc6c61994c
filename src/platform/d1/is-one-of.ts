// A condition for many ids. D1 allows at most 100 parameters, so all ids are bound as one.
import { inArray, sql, type Column, type SQL } from "drizzle-orm";

export function isOneOf(column: Column, ids: readonly string[]): SQL {
  return inArray(column, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}
