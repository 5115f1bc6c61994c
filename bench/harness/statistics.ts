// The statistics that the benchmarks print.

export function median(values: number[]): number {
  return percentile(values, 0.5);
}

/** Returns the value below which the given share of the values lies. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
