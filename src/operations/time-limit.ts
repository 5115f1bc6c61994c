// Limits the time to wait for work that goes on afterwards.

/**
 * Settles like `work`, or like `onLate` if `work` takes longer than `limitMs`. `onLate` may throw. The work is not stopped,
 * but its outcome is ignored after the limit, even if it fails.
 */
export async function withinTime<T, Late>(limitMs: number, work: Promise<T>, onLate: () => Late): Promise<T | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs))).then(onLate);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
