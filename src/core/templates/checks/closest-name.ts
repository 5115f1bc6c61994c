// Finds the name that was probably meant, when a template names something that does not exist.
import { similarName } from "../styles/support/names/similar-name.ts";

/** Returns a name that differs only in case and in `_` or `-`, or else one that is spelt similarly; null if there is none. */
export function closestName(written: string, names: Iterable<string>): string | null {
  const all = [...names];
  const plain = plainName(written);
  return all.find((name) => plainName(name) === plain) ?? similarName(written, all);
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}
