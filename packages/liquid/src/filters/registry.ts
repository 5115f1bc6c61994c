// The filters that every template can use. To add a filter, add it to a record below, and its cost to
// `packages/liquid-filters/test/calibration/primitives.ts`.
import { dateFilters } from "./date-filters.ts";
import type { Filter } from "./filter.ts";
import { formatFilters } from "./format-filters.ts";
import { itemFilters } from "./item-filters.ts";
import { listFilters } from "./list-filters.ts";
import { markupFilters } from "./markup-filters.ts";
import { numberFilters } from "./number-filters.ts";
import { textFilters } from "./text-filters.ts";
import { valueFilters } from "./value-filters.ts";

export type Filters = Readonly<Record<string, Filter>>;

export const standardFilters: Filters = {
  ...dateFilters,
  ...formatFilters,
  ...itemFilters,
  ...listFilters,
  ...markupFilters,
  ...numberFilters,
  ...textFilters,
  ...valueFilters,
};
