// Finds arguments that a part does not read. If the part reads another name instead, which nothing passes, the mistake is
// reported once, at the tag, instead of wherever the part reads the name.
import type { ParsedLiquid } from "../../../liquid/liquid.ts";
import { allNodes, contentsOf } from "../../../liquid/syntax/node-contents.ts";
import type { Expression } from "../../../liquid/syntax/tree.ts";
import { quoted } from "../../styles/support/style-message.ts";
import { similarName } from "../../../similar-name.ts";
import type { Finding } from "../finding.ts";
import type { PartUser, UseOfPart } from "./part-arguments.ts";
import { namesIn } from "./part-arguments.ts";
import type { Properties, Property } from "./value-type.ts";

/** `given` is what the part can read, and `data` are the fields of the template. */
type Input = {
  part: string;
  parsed: ParsedLiquid;
  uses: readonly { user: PartUser; use: UseOfPart }[];
  given: Properties;
  data: Properties;
};

/** `meant` are the names that the part reads, with the types of the arguments that were passed under other names. */
export type Misnamed = { findings: Finding[]; meant: Properties };

const maxFindings = 50;
const maxNames = 100;

export function misnamedArguments({ part, parsed, uses, given, data }: Input): Misnamed {
  const findings: Finding[] = [];
  const meant = new Map<string, Property>();
  const reads = readsOf(parsed);
  // A layout reads arguments too, and blocks can read what the layout is given.
  if (!reads || parsed.layout || uses.some(({ use }) => use.tag === "layout")) return { findings, meant };
  const own = namesIn(parsed);
  const missing = [...reads.keys()].filter((name) => !given.has(name) && !own.has(name)).slice(0, maxNames);
  for (const { user, use } of uses) {
    const unread = [...use.values].filter(([name]) => name !== "forloop" && !reads.has(name));
    for (const [name, type] of unread) {
      if (findings.length === maxFindings) return { findings, meant };
      const [only] = missing;
      const isOnly = missing.length === 1 && unread.length === 1 && only !== undefined && !data.has(only);
      const other = similarName(name, missing) ?? (isOnly ? only : null);
      const place = { file: user.file.file, line: use.line };
      if (other === null) {
        findings.push({ severity: "warning", ...place, message: `the part ${quoted(part)} does not read ${quoted(name)}` });
      } else if ((reads.get(other) ?? 0) > 1) {
        const message = `the part ${quoted(part)} does not read ${quoted(name)}; did you mean ${quoted(other)}?`;
        findings.push({ severity: "error", ...place, message });
        meant.set(other, { type, fields: [] });
      }
    }
  }
  return { findings, meant };
}

/** Returns how often each name is read; null if a name is known only when the part is rendered. */
function readsOf({ nodes }: ParsedLiquid): Map<string, number> | null {
  const reads = new Map<string, number>();
  let isKnown = true;
  const visit = (expression: Expression): void => {
    if (expression.kind === "range") [expression.from, expression.to].forEach(visit);
    if (expression.kind !== "path") return;
    if (typeof expression.root === "string") reads.set(expression.root, (reads.get(expression.root) ?? 0) + 1);
    else isKnown = false;
    for (const step of expression.steps) if (typeof step !== "string") visit(step);
  };
  for (const node of allNodes(nodes)) contentsOf(node).expressions.forEach(visit);
  return isKnown ? reads : null;
}
