// The versions of a template: the differences between two versions, their files, and a rollback.
import { useState } from "preact/hooks";
import type { TemplateRecord, VersionRecord } from "colophon-client/manage";
import { fileSize } from "colophon-ui/file-size";
import { Select } from "colophon-ui/select";
import { useConsole } from "../console.ts";
import { useLoad } from "../load.ts";
import { saveFile } from "../parts/file-view.tsx";
import { ActionButton, Field, Loaded, Time } from "../parts/parts.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { diffVersions, type FileDiff } from "./version-diff.ts";

const files = "GET /templates/{template}/versions/{version}/files";

type Props = { template: TemplateRecord; reload: () => void };

export function Versions({ template, reload }: Props) {
  const { manage } = useConsole();
  const [path, query] = [{ template: template.id }, { limit: 100 }];
  const versions = useLoad(`${template.id} ${template.version}`, (signal) =>
    manage.call("GET /templates/{template}/versions", { path, query, signal }),
  );
  return (
    <Loaded of={versions}>
      {({ versions, pagination }) => (
        <>
          <VersionTable template={template} versions={versions} reload={reload} />
          {pagination.nextCursor && <p class="quiet">These are the newest {versions.length} versions.</p>}
          <h2>Differences</h2>
          {versions.length < 2 ? (
            <p class="empty">There is only one version. After the next push, the differences are shown here.</p>
          ) : (
            <Compare template={template.id} numbers={versions.map(({ version }) => version)} />
          )}
        </>
      )}
    </Loaded>
  );
}

function VersionTable({
  template: { id, folder, version: newest },
  versions,
  reload,
}: Props & { versions: VersionRecord[] }) {
  const { manage, session } = useConsole();
  const save = (version: number) => async () =>
    saveFile((await manage.file(files, { path: { template: id, version } })).blob, `${folder}-${version}.zip`);
  const rollBack = (version: number) => async () => {
    await manage.call("POST /templates/{template}/rollback", { path: { template: id }, body: { version } });
    reload();
  };
  const columns: Column<VersionRecord>[] = [
    { label: "Version", isNumber: true, cell: ({ version }) => version },
    { label: "Pushed", cell: ({ createdAt }) => <Time at={createdAt} /> },
    { label: "Title", cell: ({ title }) => <span class="clamped">{title}</span> },
    { label: "Files", cell: ({ version }) => <ActionButton work={save(version)}>Download</ActionButton> },
    {
      label: "Rollback",
      cell: ({ version }) => {
        if (version === newest) return "current";
        if (session.kind === "test") return "–";
        return (
          <ActionButton work={rollBack(version)} question={`Make version ${version} the newest again?`}>
            Roll back
          </ActionButton>
        );
      },
    },
  ];
  return <Table caption="Versions" items={versions} keyOf={({ version }) => version} columns={columns} />;
}

function Compare({ template, numbers }: { template: string; numbers: number[] }) {
  const { manage } = useConsole();
  const [older, setOlder] = useState(numbers[1]);
  const [newer, setNewer] = useState(numbers[0]);
  const diffs = useLoad(`${template} ${older} ${newer}`, async (signal) => {
    const zip = async (version = 1) => (await manage.file(files, { path: { template, version }, signal })).blob;
    return diffVersions(...(await Promise.all([zip(older), zip(newer)])));
  });
  const options = numbers.map((number) => ({ value: String(number), label: `version ${number}` }));
  return (
    <>
      <div class="filters">
        <Field label="From">
          <Select options={options} value={String(older)} onValue={(value) => setOlder(Number(value))} />
        </Field>
        <Field label="To">
          <Select options={options} value={String(newer)} onValue={(value) => setNewer(Number(value))} />
        </Field>
      </div>
      <Loaded of={diffs}>
        {(files) =>
          files.length === 0 ? (
            <p class="empty">The files of these versions are identical.</p>
          ) : (
            files.map((file) => <Diff key={file.path} of={file} />)
          )
        }
      </Loaded>
    </>
  );
}

function Diff({ of: { path, change, oldSize, newSize, lines } }: { of: FileDiff }) {
  const signs = { added: "+", removed: "−", same: " " };
  return (
    <section class="diff">
      <h3>
        <code>{path}</code> <span class={`badge ${change}`}>{change}</span>
      </h3>
      {lines ? (
        <div class="source" tabIndex={0} role="group" aria-label={`Differences of ${path}`}>
          {lines.map((line, index) => (
            <span key={index} class={line?.kind ?? "gap"}>
              <b>{line ? signs[line.kind] : "⋯"}</b>
              {line?.text.slice(0, 500) || " "}
            </span>
          ))}
        </div>
      ) : (
        <p class="quiet">
          This file is not text, or differs too much to show its lines: {oldSize > 0 ? fileSize(oldSize) : "nothing"} →{" "}
          {newSize > 0 ? fileSize(newSize) : "nothing"}
        </p>
      )}
    </section>
  );
}
