// Shows problems and warnings, each with its file and line: as a list in the panel, and over the document if there is no document
// to show.
import type { ComponentChildren } from "preact";
import { counted } from "colophon-base/counted";
import type { Finding } from "colophon-ui/excerpt";
import { FindingNotice } from "colophon-ui/finding";
import type { FolderState, RenderResult } from "../src/dev/messages.ts";

/** The displayed state. `result` is the result of the last render; null if there was none. */
export type Shown = { state: FolderState; result: RenderResult | null };

type Kind = "problem" | "warning";

const maxInOverlay = 5;

export function Overlay({ of }: { of: Shown }) {
  const failures = failuresOf(of);
  const left = Math.max(0, failures.length - maxInOverlay) + of.state.moreProblems;
  return (
    <div id="overlay" role="alert">
      <Notices of={failures.slice(0, maxInOverlay)} more={left} kind="problem" />
    </div>
  );
}

export function Findings({ of }: { of: Shown | null }) {
  const failures = of ? failuresOf(of) : [];
  const { problems: broken = [], moreProblems = 0, warnings = [], moreWarnings = 0, template } = of?.state ?? {};
  const inSamples = (template?.samples ?? []).flatMap(({ problems }) => problems);
  const problems = [...failures, ...inSamples.filter((problem) => !failures.includes(problem))];
  const notes = broken.length === 0 && of?.result?.status === "rendered" ? of.result.warnings : [];
  const allWarnings = [...warnings, ...notes.map(withoutPlace)];
  const [problemCount, warningCount] = [problems.length + moreProblems, allWarnings.length + moreWarnings];
  const count = problemCount + warningCount;
  return (
    <details name="panel" open>
      <summary class={problemCount > 0 ? "has-problems" : ""}>{count > 0 ? `Problems (${count})` : "Problems"}</summary>
      <div>
        <Notices of={problems} more={moreProblems} kind="problem" />
        <Notices of={allWarnings} more={moreWarnings} kind="warning" />
        {of && count === 0 && <Quiet>No problems.</Quiet>}
      </div>
    </details>
  );
}

/** Returns why there is no new document; empty if there is one. */
function failuresOf({ state: { problems }, result }: Shown): Finding[] {
  if (problems.length > 0 || result?.status !== "failed") return problems;
  if (result.problems.length > 0) return result.problems;
  const details = result.details.map(({ path, message }) => ({ ...withoutPlace(message), file: path }));
  return details.length > 0 ? details : [withoutPlace(result.message)];
}

function withoutPlace(message: string): Finding {
  return { file: "", line: 0, message, source: [] };
}

function Notices({ of, more, kind }: { of: Finding[]; more: number; kind: Kind }) {
  return (
    <>
      {of.map((finding, index) => (
        <FindingNotice key={index} of={finding} kind={kind} />
      ))}
      {more > 0 && <Quiet>and {counted(more, `more ${kind}`)}</Quiet>}
    </>
  );
}

function Quiet({ children }: { children: ComponentChildren }) {
  return <p class="quiet">{children}</p>;
}
