// The panels beside the document. Problems and warnings have their files and lines; they are also shown over the document if there is none
// to show.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { counted } from "colophon-base/text";
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

/**
 * The test report. While the panel is open, each request makes the server run the tests until the folder changes. `revision` is the
 * folder's revision, and `rendered` the last document's, which is rendered before its tests run.
 */
export function Tests({ revision, rendered }: { revision: number; rendered: number }) {
  const [isOpen, setOpen] = useState(false);
  const [outcome, setOutcome] = useState("");
  const report = useRef<HTMLIFrameElement>(null);
  useEffect(() => setOutcome(""), [revision]);
  useEffect(() => {
    if (!isOpen) return;
    setOutcome("running…");
    report.current?.contentWindow?.location.replace("/tests");
  }, [isOpen, rendered]);
  return (
    <details name="panel" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary id="tests-state" class={outcome.endsWith("failed") ? "has-problems" : ""}>
        {outcome === "" ? "Tests" : `Tests (${outcome})`}
      </summary>
      <iframe
        ref={report}
        id="report"
        title="Test results"
        onLoad={({ currentTarget }) => setOutcome(currentTarget.contentDocument?.title ?? "")}
      />
    </details>
  );
}
