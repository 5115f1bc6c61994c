// Finds the lines of a template at which the elements of problems begin, so that an author need not search for them.
import { allNodes, type ParsedLiquid } from "colophon-liquid/syntax";
import { maxProblems, type ConformanceProblem } from "colophon-pdf-conformance/problem";
import type { CompiledTemplate } from "colophon-template-model/compile-template";
import type { RenderResult } from "./render-result.ts";

/** The source from the name of an element up to the next tag, with `printed` instead of Liquid. */
type Start = { file: string; line: number; source: string };

const printed = "\0";

/** Adds files and lines to the problems of a document that cannot conform, and the first of them to the message. */
export function withPlaces(result: RenderResult, template: CompiledTemplate): RenderResult {
  if (result.status !== "failed" || !result.problems) return result;
  const starts = [...template.pages, ...template.parts.values()].flatMap(startsIn);
  const { problems: all } = result;
  const problems = all.map((problem) => ({ ...problem, ...placeOf(problem, { starts, all }) }));
  const first = problems.find(({ file }) => file !== undefined);
  const message = first ? `${result.message} See ${first.file}, line ${first.line}.` : result.message;
  return { ...result, message, problems };
}

function startsIn({ file, nodes }: ParsedLiquid): Start[] {
  const starts: Start[] = [];
  for (const node of allNodes(nodes)) {
    const [before = "", ...sources] = node.kind === "text" ? node.text.split("<") : [printed];
    const last = starts.at(-1);
    if (last) last.source += before;
    let line = node.line + newlinesIn(before);
    for (const source of sources) {
      starts.push({ file, line, source });
      line += newlinesIn(source);
    }
  }
  return starts;
}

function newlinesIn(text: string): number {
  return text.split("\n").length - 1;
}

type Context = { starts: readonly Start[]; all: readonly ConformanceProblem[] };

/**
 * Returns the only place where the element can begin. If there are as many places as problems of such elements, each problem gets its own.
 * Otherwise, returns the place of the element around it that its name contains.
 */
function placeOf(problem: ConformanceProblem, { starts, all }: Context): Partial<Start> {
  const { element = "", message } = problem;
  const text = /“(.*?)…?”/.exec(element)?.[1] ?? "";
  for (const [index, [, name = "", attributes = ""]] of [...element.matchAll(/<([\w-]+)([^>]*)>/g)].entries()) {
    const isCut = attributes.split('"').length % 2 === 0;
    if (isCut) continue;
    const own = index === 0 ? { text, lacksDescription: message.includes(" has no ") } : {};
    const places = starts.filter(({ source }) => mayBe(source, { name, attributes, ...own }));
    const equal = index === 0 ? all.filter((other) => kindOf(other) === kindOf(problem)) : [];
    const isMatch = places.length === equal.length || (places.length > equal.length && all.length === maxProblems);
    const place = places.length === 1 ? places[0] : isMatch ? places[equal.indexOf(problem)] : undefined;
    if (place) return { file: place.file, line: place.line };
  }
  return {};
}

/** Returns the start tag and what is wrong with it. */
function kindOf({ element = "", message }: ConformanceProblem): string {
  return `${element.split(" in <")[0]} ${message.includes(" has no ")}`;
}

type Named = { name: string; attributes: string; text?: string; lacksDescription?: boolean };

function mayBe(source: string, { name, attributes, text = "", lacksDescription = false }: Named): boolean {
  const [, ownName = "", own = "", after = ""] = /^([\w-]+)((?:"[^"]*"|'[^']*'|[^>"'])*)>?([^]*)/.exec(source) ?? [];
  if (ownName.toLowerCase() !== name.toLowerCase()) return false;
  const isDecoration = /(?:^|[^\w-])alt\s*=/i.test(own) && !/(?:^|[^\w-])role\s*=/i.test(own);
  const isDescribed = /(?:^|[^\w-])(?:alt|aria-label)\s*=\s*["']?[^"'\s]/i.test(own);
  if (lacksDescription && (isDecoration || isDescribed)) return false;
  const content = after.replace(/\s+/g, " ").trim();
  if (content !== "" && !/[\0&]/.test(content) && !content.startsWith(text)) return false;
  if (own.replace(/"[^"]*"|'[^']*'/g, "").includes(printed)) return true;
  return ["id", "class"].every((key) => {
    const value = valueIn(own, key);
    return value.includes(printed) || value === valueIn(attributes, key);
  });
}

function valueIn(attributes: string, name: string): string {
  const found = new RegExp(String.raw`(?:^|[^\w-])${name}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`, "i").exec(
    attributes,
  );
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? "";
}
