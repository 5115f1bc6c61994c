// The values that exist while a template is rendered, in addition to JSON values, and the values that a template can name even if there is
// no data: `nil`, `true`, `false`, `empty` and `blank`.

/** Text that is already HTML, so it is printed without escaping. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

/** `(1..5)`: the whole numbers from `from` to `to`, both included. */
export class Range {
  readonly from: number;
  readonly to: number;

  constructor(from: number, to: number) {
    this.from = from;
    this.to = to;
  }

  get length(): number {
    return Math.max(0, this.to - this.from + 1);
  }
}

/**
 * A value with additional properties, such as `forloop`. `value` is the data's value with the same name, for example if
 * a template has a field named `document`; null if there is none.
 */
export class WithProperties {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly value: unknown;

  constructor(properties: Readonly<Record<string, unknown>>, value: unknown = null) {
    this.properties = properties;
    this.value = value;
  }
}

/** Returns whether the value is `nil`: null or absent. */
export function isNil(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Only `nil` and `false` are false. */
export function isTruthy(value: unknown): boolean {
  return value !== false && !isNil(value);
}

/** Returns whether the value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

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

/** Returns the special value with this name, or null if the name is an ordinary variable. */
export function specialValue(name: string): { value: unknown } | null {
  return specialValues.has(name) ? { value: specialValues.get(name) } : null;
}
