// The location in the console, which is the fragment of the address: `#/documents?status=failed`. The service never sees
// it.
import { useEffect, useState } from "preact/hooks";
import { percentDecoded } from "colophon-base/encoding";

export type Query = Record<string, string | undefined>;
/** `parts` contains the decoded path segments. */
export type Route = { parts: string[]; query: Record<string, string> };

export function useRoute(): Route {
  const [route, setRoute] = useState(currentRoute);
  useEffect(() => {
    const update = () => setRoute(currentRoute());
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  return route;
}

function currentRoute(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#/, "").split(/\?(.*)/s);
  const parts = path.split("/").map(percentDecoded);
  // A URL cannot have `.` and `..` as path segments.
  return {
    parts: parts.filter((part) => !["", ".", ".."].includes(part)),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/**
 * Returns the address of a location. The segments may contain any characters. Undefined and empty query values are dropped.
 */
export function address(parts: string[], query: Query = {}): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const text = given.length > 0 ? `?${new URLSearchParams(given)}` : "";
  return `#/${parts.map(encodeURIComponent).join("/")}${text}`;
}
