// Reports which of the supported Chromium versions support a CSS feature, from the data that browser makers and MDN publish.
// The data is large, so only the commands that read a template folder load this module.
import data from "@mdn/browser-compat-data" with { type: "json" };
import type { Identifier, SimpleSupportStatement } from "@mdn/browser-compat-data/types";
import { similarName } from "colophon-base/similar-name";
import { quoted } from "colophon-base/text";

/** Documents must look the same in this version and all later supported versions. */
const oldestVersion = 126;
const newestVersion = 153;

export type Features = Record<string, Identifier>;

export const properties: Features = data.css.properties ?? {};
export const atRules: Features = data.css["at-rules"] ?? {};
export const selectors: Features = data.css.selectors ?? {};

const types = data.css.types as Features;

/** The functions in values. If two have the same name, the older one is used. */
export const functions: Features = {
  ...Object.fromEntries(Object.values(types).flatMap(partsOf)),
  ...types,
  shape: types["basic-shape"]?.["shape"] ?? {},
  type: types["image"]?.["image-set"] ?? {},
};

function partsOf({ __compat, ...parts }: Identifier): [string, Identifier][] {
  return Object.entries(parts as Features);
}

/** Returns the feature with that name; undefined if the data does not contain it. */
export function find(features: Features | undefined, name: string): Identifier | undefined {
  return features && name !== "__compat" && Object.hasOwn(features, name) ? features[name] : undefined;
}

/**
 * Returns a message if some version does not support the feature; null if all versions do. `shown` is its name in the message.
 */
export function supportProblem({ __compat: compat }: Identifier, shown: string): string | null {
  const ranges = [compat?.support.chrome ?? []].flat().filter(isOwnName).map(rangeOf);
  const isIn = (version: number) => ranges.some(({ since, until }) => since <= version && version < until);
  if (!compat || (isIn(oldestVersion) && isIn(newestVersion))) return null;
  const first = Math.min(...ranges.map(({ since }) => since).filter((since) => since > oldestVersion));
  if (isIn(newestVersion)) return `Chromium ${first - 1} and older do not support ${shown}`;
  const end = Math.max(...ranges.map(({ until }) => until));
  return isIn(oldestVersion)
    ? `Chromium ${end} and newer do not support ${shown}`
    : `Chromium does not support ${shown}`;
}

function isOwnName({ prefix, alternative_name: otherName, flags }: SimpleSupportStatement): boolean {
  return !prefix && !otherName && !flags;
}

/** Returns the first version that supports the feature, and the first one after it that does not. */
function rangeOf({ version_added: added, version_removed: removed }: SimpleSupportStatement) {
  const versionOf = (text: unknown) => Number(/\d+/.exec(String(text))?.[0] ?? Infinity);
  return { since: versionOf(added), until: versionOf(removed) };
}

/** Returns the prefixed name, such as `-webkit-box-flex`, that all versions support. */
export function prefixedName(feature: Identifier, name: string): string | null {
  for (const statement of [feature.__compat?.support.chrome ?? []].flat()) {
    const { since, until } = rangeOf(statement);
    if (since > oldestVersion || until <= newestVersion || statement.flags) continue;
    if (statement.prefix) return `${statement.prefix}${name}`;
    if (statement.alternative_name) return statement.alternative_name;
  }
  return null;
}

/** Whether some version supports the feature with a prefix, but not for all elements. */
export function isPrefixPartial({ __compat: compat }: Identifier): boolean {
  return [compat?.support.chrome ?? []].flat().some((each) => each.prefix && each.partial_implementation);
}

/**
 * Returns a message about a name that is not in `features`. `shown` is its form in messages, and `mark` the prefix of similar
 * names.
 */
export function unknownName(name: string, features: Iterable<string>, shown: string, mark = ""): string {
  const similar = similarName(name, features);
  return `Chromium does not support ${shown}${similar === null ? "" : `; did you mean ${quoted(`${mark}${similar}`)}?`}`;
}

/** Returns the names of the features that all versions support. */
export function namesIn(features: Features): string[] {
  return Object.keys(features).filter((name) => {
    const feature = find(features, name);
    return feature?.__compat !== undefined && supportProblem(feature, "") === null;
  });
}
