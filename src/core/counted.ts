// A number with its noun, for messages.

/** `counted(1, "image")` is "1 image", `counted(4, "image")` is "4 images". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
