// The filters by name. To add a filter, add it to one of the records below, and its cost to `test/calibration/primitives.ts`.
import { codeFilters } from "./code-filters.ts";
import { dateFilters } from "./date-filters.ts";
import { encodingFilters } from "./encoding-filters.ts";
import type { Filter } from "./filter.ts";
import { formatFilters } from "./format-filters.ts";
import { htmlFilters } from "./html-filters.ts";
import { itemFilters } from "./item-filters.ts";
import { listFilters } from "./list-filters.ts";
import { messageFilters } from "./message-filter.ts";
import { numberFilters } from "./number-filters.ts";
import { textFilters } from "./text-filters.ts";
import { valueFilters } from "./value-filters.ts";

export const filters: Readonly<Record<string, Filter>> = {
  ...codeFilters,
  ...dateFilters,
  ...encodingFilters,
  ...formatFilters,
  ...htmlFilters,
  ...itemFilters,
  ...listFilters,
  ...messageFilters,
  ...numberFilters,
  ...textFilters,
  ...valueFilters,
};

export function filterNamed(name: string): Filter | undefined {
  return Object.hasOwn(filters, name) ? filters[name] : undefined;
}

export function filterNames(): string[] {
  return Object.keys(filters);
}
