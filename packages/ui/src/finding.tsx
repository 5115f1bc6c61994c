// Shows a problem or a warning with its file, its line, and the lines around it.
import type { Finding, SourceLine } from "./excerpt.ts";

export function FindingNotice({ of, kind }: { of: Finding; kind: "problem" | "warning" }) {
  const { file, line, column, message, source } = of;
  const place = [file, ...(line > 0 ? [line] : []), ...(column === undefined ? [] : [column])].join(":");
  return (
    <div class={`notice ${kind}`}>
      {place && <span class="place">{place}</span>} <strong>{message}</strong>
      <SourceLines path={file} line={line} source={source} />
    </div>
  );
}

/** Highlights the line. Shows nothing if there are no lines. */
export function SourceLines({ path, line, source }: { path: string; line: number; source: SourceLine[] }) {
  if (source.length === 0) return null;
  return (
    <div class="source" tabIndex={0} role="group" aria-label={`${path}, line ${line}`}>
      {source.map(({ number, text }) => (
        <span key={number} class={number === line ? "marked" : ""}>
          <b>{number}</b>
          {text || " "}
        </span>
      ))}
    </div>
  );
}
