// Reads the style sheets, for the builds of pages.
import { readFile } from "node:fs/promises";

/** `frame` has the colours, the type and the bar at the top; `controls` has everything else. */
export async function uiStyles(): Promise<{ frame: string; controls: string }> {
  const [frame = "", controls = ""] = await Promise.all(
    ["frame", "controls"].map((name) => readFile(`${import.meta.dirname}/src/${name}.css`, "utf8")),
  );
  return { frame, controls };
}
