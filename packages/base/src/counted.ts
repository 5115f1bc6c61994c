// Formats a number with its noun, for messages.

/** Returns "1 image" for `counted(1, "image")`, and "4 images" for `counted(4, "image")`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
