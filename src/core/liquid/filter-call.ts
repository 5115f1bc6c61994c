// The context in which a filter is called: the properties of the render, and the budget that the filter's work is
// charged to.

/** The properties of a render that its filters use. */
export type FilterScope = {
  locale: string;
  timeZone: string;
  /**
   * The time in ms since the epoch that `"now"` stands for. The dates in a document therefore do not depend on the
   * clock.
   */
  createdAt: number;
  /** Returns the placeholder that stands for an asset until it is inlined; throws when the template has no such asset. */
  assetReference: (name: string) => string;
  /** Formatters are expensive to create, so they are cached per template version. See `formatterOf`. */
  formatters: Map<string, Formatter>;
};

export type Formatter = Intl.NumberFormat | Intl.DateTimeFormat | Intl.PluralRules;

export type FilterCall = {
  context: { getRegister(key: string): unknown; renderLimit: { check(time: number): void } };
};
export type Filter = (this: FilterCall, value: unknown, ...args: unknown[]) => unknown;

export const filterScopeRegister = "colophon";

export function scopeOf(call: FilterCall): FilterScope {
  return call.context.getRegister(filterScopeRegister) as FilterScope;
}

/** Deducts visits from the document's budget; throws when the budget is used up. */
export function charge(call: FilterCall, visits: number): void {
  for (let charged = 0; charged < visits; charged++) call.context.renderLimit.check(0);
}

/**
 * Returns whether the value can be shown as text. A list cannot. Liquid's nil cannot either, because it is an object.
 */
export function isPrintable(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
