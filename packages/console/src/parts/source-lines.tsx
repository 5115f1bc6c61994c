// A line of a file, with those around it.

const linesAround = 2;
const maxLineChars = 300;

/** Shows nothing if the file has no such line. `line` counts from 1. */
export function SourceLines({ path, line, bytes }: { path: string; line: number; bytes: Uint8Array | undefined }) {
  const lines = new TextDecoder().decode(bytes).split("\n");
  if (!bytes || lines.length < line) return null;
  const first = Math.max(1, line - linesAround);
  return (
    <div class="source" tabIndex={0} role="group" aria-label={`${path}, line ${line}`}>
      {lines.slice(first - 1, line + linesAround).map((text, index) => (
        <span key={index} class={first + index === line ? "marked" : ""}>
          <b>{first + index}</b>
          {text.slice(0, maxLineChars) || " "}
        </span>
      ))}
    </div>
  );
}
