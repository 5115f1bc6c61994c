// Shows problems and warnings, each at its file and line: as a list in the panel, and over the document if there is none to
// show.
import { byId, element } from "./dom.ts";
import type { FolderState, Problem, RenderResult } from "../src/dev/messages.ts";

/** What is wrong now. `result` is that of the last render; null if there was none since the folder has changed. */
export type Findings = { state: FolderState; result: RenderResult | null };

type Kind = "problem" | "warning";

const maxInOverlay = 5;

export function showFindings({ state, result }: Findings): void {
  const failures = failuresOf(state, result);
  showOverlay(failures, state.moreProblems);
  const notes = result?.status === "rendered" ? result.warnings : [];
  const samples = (state.template?.samples ?? []).flatMap(({ problems }) => problems);
  const problems = [...failures, ...samples.filter((problem) => !failures.includes(problem))];
  showCount(problems.length + state.moreProblems, state.warnings.length + state.moreWarnings + notes.length);
  byId("problems", HTMLElement).replaceChildren(
    ...problems.map((problem) => block(problem, "problem")),
    ...more(state.moreProblems, "problem"),
    ...state.warnings.map((warning) => block(warning, "warning")),
    ...more(state.moreWarnings, "warning"),
    ...notes.map((message) => block({ file: "", line: 0, message, source: [] }, "warning")),
    ...(problems.length + state.warnings.length + notes.length === 0 ? [noProblems()] : []),
  );
}

/** Returns why there is no new document; nothing if there is one. */
function failuresOf({ problems }: FolderState, result: RenderResult | null): Problem[] {
  if (problems.length > 0) return problems;
  if (result?.status !== "failed") return [];
  if (result.problems.length > 0) return result.problems;
  const details = result.details.map(({ path, message }) => ({ file: path, line: 0, message, source: [] }));
  return details.length > 0 ? details : [{ file: "", line: 0, message: result.message, source: [] }];
}

function showOverlay(failures: Problem[], unnamed: number): void {
  const overlay = byId("overlay", HTMLElement);
  overlay.hidden = failures.length === 0;
  const left = Math.max(0, failures.length - maxInOverlay) + unnamed;
  overlay.replaceChildren(
    ...failures.slice(0, maxInOverlay).map((problem) => block(problem, "problem")),
    ...more(left, "problem"),
  );
}

function showCount(problems: number, warnings: number): void {
  const summary = byId("problems-count", HTMLElement);
  const count = problems + warnings;
  summary.textContent = count > 0 ? `Problems (${count})` : "Problems";
  summary.classList.toggle("has-problems", problems > 0);
}

function block({ file, line, column, message, source }: Problem, kind: Kind): HTMLElement {
  const place = [file, ...(line > 0 ? [line] : []), ...(column === undefined ? [] : [column])].join(":");
  const lines = source.map(({ number, text }) =>
    element(
      "span",
      { className: number === line ? "marked" : "" },
      element("b", { textContent: String(number) }),
      text || " ",
    ),
  );
  return element(
    "div",
    { className: `problem ${kind}` },
    ...(place ? [element("span", { className: "place", textContent: place })] : []),
    element("strong", { textContent: message }),
    ...(lines.length > 0 ? [element("div", { className: "source" }, ...lines)] : []),
  );
}

function more(count: number, noun: Kind): HTMLElement[] {
  if (count === 0) return [];
  return [element("p", { className: "quiet", textContent: `and ${count} more ${noun}${count > 1 ? "s" : ""}` })];
}

function noProblems(): HTMLElement {
  return element("p", { className: "quiet", textContent: "No problems." });
}
