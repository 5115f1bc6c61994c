// Pushes a template by dropping its folder, and shows the problems in the lines of its files.
import { useState } from "preact/hooks";
import { asProblem, type ApiProblem } from "../api.ts";
import { useConsole } from "../console.ts";
import { useAction } from "../load.ts";
import { Field, Problem } from "../parts/parts.tsx";
import { SourceLines } from "../parts/source-lines.tsx";
import type { TemplateRecord } from "../records.ts";
import { chosenFiles, droppedFiles, readFolder, zipOf, type FolderFile, type TemplateFolder } from "./folder-files.ts";

type Pushed = { template: TemplateRecord; changed: boolean };
type Result = { pushed: Pushed } | { folder: TemplateFolder; problem: ApiProblem };

/** Without `template`, the folder's name decides which template it is. */
export function Push({ template, onPushed }: { template?: TemplateRecord; onPushed: () => void }) {
  const { manage } = useConsole();
  const action = useAction();
  const [result, setResult] = useState<Result | null>(null);
  const push = async (files: FolderFile[]) => {
    setResult(null);
    const folder = await readFolder(files);
    const name = template?.folder ?? folder.name;
    try {
      const path = `/templates/${encodeURIComponent(name)}`;
      setResult({ pushed: await manage.putZip<Pushed>(path, zipOf(folder), template?.version) });
      onPushed();
    } catch (error) {
      setResult({ folder, problem: asProblem(error) });
    }
  };
  return (
    <>
      <DropZone
        name={template ? `“${template.folder}”` : "a template"}
        isBusy={action.isRunning}
        onFiles={(files) => void action.run(async () => push(await files))}
      />
      <div role="status">
        {action.isRunning && <p>Pushing…</p>}
        {result && "pushed" in result && <Success {...result.pushed} />}
      </div>
      <Problem of={action.problem} />
      {result && "problem" in result && <Refused {...result} />}
    </>
  );
}

type DropZoneProps = { name: string; isBusy: boolean; onFiles: (files: Promise<FolderFile[]>) => void };

function DropZone({ name, isBusy, onFiles }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer && !isBusy) onFiles(droppedFiles(event.dataTransfer.items));
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div class={isOver ? "drop over" : "drop"} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
      <p>
        Drop the folder of {name} here. If it uses shared files, drop their folder <code>shared</code> with it. It is
        pushed at once.
      </p>
      <Field label="Or choose the folder">
        <input
          type="file"
          // A folder instead of files, in every current browser.
          {...{ webkitdirectory: true }}
          disabled={isBusy}
          onChange={({ currentTarget }) => {
            if (currentTarget.files) onFiles(Promise.resolve(chosenFiles(currentTarget.files)));
            currentTarget.value = "";
          }}
        />
      </Field>
    </div>
  );
}

function Success({ template: { folder, version }, changed }: Pushed) {
  const { link } = useConsole();
  return (
    <p class="notice success">
      {changed
        ? `Version ${version} of “${folder}” was pushed.`
        : "Nothing has changed: the newest version is the same."}{" "}
      <a href={link(["templates", folder])}>Open it</a>
    </p>
  );
}

/** Problems of files are shown in their lines, anything else as it is. */
function Refused({ folder, problem }: { folder: TemplateFolder; problem: ApiProblem }) {
  const inFiles = problem.details.filter(({ line }) => line !== undefined);
  if (inFiles.length === 0) return <Problem of={problem} />;
  return (
    <div role="alert">
      <p>Nothing was pushed. Correct these lines, and drop the folder again.</p>
      {inFiles.map(({ path, line = 1, message }) => (
        <div key={`${path}:${line} ${message}`} class="notice problem">
          <span class="place">{`${path}:${line}`}</span> <strong>{message}</strong>
          <SourceLines path={path} line={line} bytes={folder.bytes[path]} />
        </div>
      ))}
      <Problem of={problem.details.length > inFiles.length ? problem : null} />
    </div>
  );
}
