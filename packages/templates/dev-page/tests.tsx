// The panel with the report of the tests. The server runs them for each request, until the folder changes.
import { useEffect, useRef, useState } from "preact/hooks";

/**
 * Runs the tests while the panel is open. `revision` belongs to the folder, and `rendered` to the last document, which is rendered
 * before its tests run.
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
        title="Results of the tests"
        onLoad={({ currentTarget }) => setOutcome(currentTarget.contentDocument?.title ?? "")}
      />
    </details>
  );
}
