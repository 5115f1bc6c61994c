// Pushes a template when its folder is dropped. Shows the changes first, and problems at the lines of their files.
import { useState } from "preact/hooks";
import type { ErrorDetail } from "colophon-client";
import type { AccountRequests, DataOf, TemplateRecord } from "colophon-client/manage";
import { excerpt } from "colophon-ui/excerpt";
import { FindingNotice } from "colophon-ui/finding";
import { asProblem, type ApiProblem } from "../api.ts";
import { useConsole } from "../console.ts";
import { useAction } from "../load.ts";
import { ActionButton, Field, Problem } from "../parts/parts.tsx";
import { chosenFiles, droppedFiles, readFolder, zipOf, type FolderFile, type TemplateFolder } from "./folder-files.ts";

type Pushed = DataOf<AccountRequests["PUT /templates/{template}"]>;

/** The largest upload takes 80 s at 2 Mbit/s. */
const uploadTimeoutMs = 120_000;

type Result =
  | { pushed: Pushed }
  | { folder: TemplateFolder; tried: Pushed }
  | { folder: TemplateFolder; problem: ApiProblem };

/** Without `template`, the folder's name identifies the template. */
export function Push({ template, onPushed }: { template?: TemplateRecord; onPushed: () => void }) {
  const { manage } = useConsole();
  const action = useAction();
  const [result, setResult] = useState<Result | null>(null);
  const put = (folder: TemplateFolder, query: { dryRun?: "1" }, version?: number) =>
    manage.call("PUT /templates/{template}", {
      path: { template: template?.folder ?? folder.name },
      query,
      header: version === undefined ? {} : { "If-Match": `"${version}"` },
      body: new Blob([zipOf(folder)], { type: "application/zip" }),
      timeoutMs: uploadTimeoutMs,
    });
  const attempt = async (folder: TemplateFolder, work: () => Promise<Result>) => {
    setResult(await work().catch((error: unknown) => ({ folder, problem: asProblem(error) })));
  };
  const check = async (files: FolderFile[]) => {
    setResult(null);
    const folder = await readFolder(files);
    await attempt(folder, async () => ({ folder, tried: await put(folder, { dryRun: "1" }, template?.version) }));
  };
  const push = (folder: TemplateFolder, { template: { version }, changed }: Pushed) =>
    attempt(folder, async () => {
      // The push replaces the version that the reader has seen, or fails.
      const pushed = await put(folder, {}, changed ? version - 1 : version);
      onPushed();
      return { pushed };
    });
  return (
    <>
      <DropZone
        name={template ? `“${template.folder}”` : "a template"}
        isBusy={action.isRunning}
        onFiles={(files) => void action.run(async () => check(await files))}
      />
      <div role="status">
        {action.isRunning && <p>Checking…</p>}
        {result && "pushed" in result && <Success {...result.pushed} />}
      </div>
      <Problem of={action.problem} />
      {result && "tried" in result && (
        <Ready {...result} push={() => push(result.folder, result.tried)} cancel={() => setResult(null)} />
      )}
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
        checked, and pushed when you have seen what it is.
      </p>
      <Field label="Or choose the folder">
        <input
          type="file"
          // Makes all current browsers ask for a folder instead of files.
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

type ReadyProps = { folder: TemplateFolder; tried: Pushed; push: () => Promise<void>; cancel: () => void };

/** Asks for confirmation if the folder belongs to a different template, because it would replace this one. */
function Ready({ folder, tried, push, cancel }: ReadyProps) {
  const { template, previousTitle, warnings, changed } = tried;
  const isOther = previousTitle !== null && (previousTitle !== template.title || folder.name !== template.folder);
  const what = `“${template.title}” from the folder “${folder.name}”`;
  const question = isOther ? `Replace “${previousTitle}” by ${what}?` : undefined;
  return (
    <section>
      <p>
        {previousTitle === null ? "This creates the template" : `This creates version ${template.version} of`} “
        {template.folder}”: {what}. {changed ? "" : "Nothing has changed."}
      </p>
      <InFiles folder={folder} found={warnings} kind="warning" />
      <p class="actions">
        <ActionButton work={push} {...(question && { question })}>
          Push
        </ActionButton>
        <button type="button" onClick={cancel}>
          Do not push
        </button>
      </p>
    </section>
  );
}

function Success({ template: { folder, version }, changed }: Pushed) {
  const { link } = useConsole();
  return (
    <p class="notice success">
      {changed
        ? `Version ${version} of “${folder}” was pushed.`
        : "Nothing has changed: the newest version is identical."}{" "}
      <a href={link(["templates", folder])}>Open it</a>
    </p>
  );
}

/** Problems in files are shown at their lines, and others as they are. */
function Refused({ folder, problem }: { folder: TemplateFolder; problem: ApiProblem }) {
  const { details = [] } = problem;
  const inFiles = details.filter(({ line }) => line !== undefined);
  if (inFiles.length === 0) return <Problem of={problem} />;
  return (
    <div role="alert">
      <p>Nothing was pushed. Correct these lines, and drop the folder again.</p>
      <InFiles folder={folder} found={inFiles} kind="problem" />
      <Problem of={details.length > inFiles.length ? problem : null} />
    </div>
  );
}

type InFilesProps = { folder: TemplateFolder; found: ErrorDetail[]; kind: "problem" | "warning" };

function InFiles({ folder, found, kind }: InFilesProps) {
  return (
    <>
      {found.map(({ path, line = 1, message }) => {
        const of = { file: path, line, message, source: excerpt(folder.bytes[path], line) };
        return <FindingNotice key={`${path}:${line} ${message}`} of={of} kind={kind} />;
      })}
    </>
  );
}
