// The panel with the test report. The server runs the tests for each request until the folder changes.
import { useEffect, useRef, useState } from "preact/hooks";

/**
 * Runs the tests while the panel is open. `revision` is the folder's revision, and `rendered` the last document's, which is
 * rendered before its tests run.
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
