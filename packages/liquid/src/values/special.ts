// The values that a template can name even if there is no data: `nil`, `true`, `false`, `empty` and `blank`.

/** `empty` and `blank` are equal to values that are empty or blank. They print nothing. */
export class EmptyValue {
  readonly name: "empty" | "blank";

  constructor(name: "empty" | "blank") {
    this.name = name;
  }
}

const specialValues = new Map<string, unknown>([
  ["nil", undefined],
  ["null", undefined],
  ["true", true],
  ["false", false],
  ["empty", new EmptyValue("empty")],
  ["blank", new EmptyValue("blank")],
]);

/** Returns the special value of this name, or null when the name is an ordinary variable. */
export function specialValue(name: string): { value: unknown } | null {
  return specialValues.has(name) ? { value: specialValues.get(name) } : null;
}
