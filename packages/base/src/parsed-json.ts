/** Returns the value of a JSON text, or null if the text is not JSON. */
export function parsedJson(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}
