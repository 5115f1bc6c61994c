// Reads and changes values inside the data of the form.

export type Path = (string | number)[];
export type Data = Record<string, unknown>;

export function isObject(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)];
    return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }, data);
}

/** Returns the data with another value at the path. `undefined` removes a key. Missing objects on the way are created. */
export function withValue(data: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list: unknown[] = Array.isArray(data) ? [...(data as unknown[])] : [];
    list[step] = withValue(list[step], rest, value);
    return list;
  }
  const object = isObject(data) ? data : {};
  const inner = withValue(Object.hasOwn(object, step) ? object[step] : undefined, rest, value);
  const others = Object.entries(object).filter(([key]) => key !== step);
  if (inner === undefined) return Object.fromEntries(others);
  // A key that exists keeps its place, so that the JSON does not jump around while one types.
  const entries = Object.hasOwn(object, step)
    ? Object.entries(object).map(([key, old]): [string, unknown] => [key, key === step ? inner : old])
    : [...others, [step, inner] as [string, unknown]];
  return Object.fromEntries(entries);
}
