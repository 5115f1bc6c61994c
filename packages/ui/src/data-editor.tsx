// The data of a document: a form generated from the template's fields, and the same data as JSON.
import { useRef, useState } from "preact/hooks";
import { parseJsonFile } from "colophon-template-model/json-file";
import type { Field } from "colophon-template-model/template";
import { isPlainObject, maxDataDepth } from "colophon-template-model/template-data";
import { ObjectForm, type Data } from "./object-form.tsx";

export type { Data };

type Props = {
  fields: Field[];
  sample: Data;
  /** The edited data; null if nothing was edited. */
  edited: Data | null;
  /** If the JSON is invalid, `isValid` is false and `edited` is unchanged. */
  onChange: (edited: Data | null, isValid: boolean) => void;
};

type LineProblem = { line: number; reason: string };

export function DataEditor({ fields, sample, edited, onChange }: Props) {
  const [isJson, setJson] = useState(false);
  /** The JSON as it was typed; null if it was not edited. */
  const [typed, setTyped] = useState<string | null>(null);
  const [problems, setProblems] = useState<LineProblem[]>([]);
  const data = edited ?? sample;
  const change = (next: Data | null) => {
    setTyped(null);
    setProblems([]);
    onChange(next, true);
  };
  const type = (text: string) => {
    const read = readData(text);
    const isValid = !Array.isArray(read);
    setTyped(text);
    setProblems(isValid ? [] : read);
    onChange(isValid ? read : edited, isValid);
  };
  return (
    <fieldset class="data">
      <legend>Data</legend>
      <p class="actions">
        <button type="button" aria-pressed={!isJson} disabled={problems.length > 0} onClick={() => setJson(false)}>
          Form
        </button>
        <button type="button" aria-pressed={isJson} onClick={() => setJson(true)}>
          JSON
        </button>
        <button type="button" onClick={() => change(null)}>
          Reset to sample data
        </button>
      </p>
      {isJson ? (
        <JsonText text={typed ?? JSON.stringify(data, null, 2)} problems={problems} onInput={type} />
      ) : (
        <ObjectForm fields={fields} value={data} onChange={change} />
      )}
    </fieldset>
  );
}

function readData(text: string): Data | LineProblem[] {
  const parsed = parseJsonFile(text, maxDataDepth);
  if (parsed.status === "malformed") return parsed.problems;
  const { value } = parsed.json;
  return isPlainObject(value) ? value : [{ line: 1, reason: "the data must be a JSON object" }];
}

type JsonProps = { text: string; problems: LineProblem[]; onInput: (text: string) => void };

function JsonText({ text, problems, onInput }: JsonProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  return (
    <>
      <div role="status" class="json-problems">
        {problems.map(({ line, reason }) => (
          <button key={line} type="button" onClick={() => area.current && selectLine(area.current, line)}>
            Line {line}: {reason}
          </button>
        ))}
      </div>
      <textarea
        ref={area}
        class="json"
        aria-label="Data as JSON"
        aria-invalid={problems.length > 0}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget: { value } }) => onInput(value)}
      />
    </>
  );
}

function selectLine(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split("\n");
  const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  area.scrollTop = Math.max(0, (line - 4) * (area.scrollHeight / lines.length));
}
