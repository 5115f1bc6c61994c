// Changes methods of the platform's bindings in the Worker of a benchmark. The Worker and its objects share the bindings.

export type Method = (...values: unknown[]) => unknown;

/** Replaces methods of a binding, or of all objects with this prototype. A replacement gets the original object as `this`. */
export function changeMethods(
  target: object,
  names: string[],
  changed: (method: Method, name: string) => Method,
): void {
  const methods = target as Record<string, Method>;
  for (const name of names) methods[name] = changed(methods[name] as Method, name);
}
