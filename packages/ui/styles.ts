// Reads the style sheets for building pages.
import { readFile } from "node:fs/promises";

/** `frame` contains the colours, the typography and the bar at the top; `controls` contains everything else. */
export async function uiStyles(): Promise<{ frame: string; controls: string }> {
  const [frame = "", controls = ""] = await Promise.all(
    ["frame", "controls"].map((name) => readFile(`${import.meta.dirname}/src/${name}.css`, "utf8")),
  );
  return { frame, controls };
}
