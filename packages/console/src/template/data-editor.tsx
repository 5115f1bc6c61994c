// The data of a preview: a form made from the fields, and the same data as JSON.
import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import type { Field as TemplateField } from "colophon-template-model/template";
import { asProblem } from "../api.ts";
import { isObject, ObjectForm, type Data } from "./object-form.tsx";

type Props = {
  fields: TemplateField[];
  sample: Data;
  /** What the reader has edited. It is kept there, so that it outlives the editor. */
  edited: RefObject<Data | null>;
  /** Called with null if the JSON cannot be read. */
  onChange: (data: Data | null) => void;
};

export function DataEditor({ fields, sample, edited, onChange }: Props) {
  const [data, setData] = useState(edited.current ?? sample);
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState("");
  const change = (next: Data) => {
    edited.current = next;
    setData(next);
    onChange(next);
    setProblem("");
  };
  const read = (next: string) => {
    setText(next);
    try {
      const parsed: unknown = JSON.parse(next);
      if (isObject(parsed)) return change(parsed);
      setProblem("The data must be a JSON object.");
    } catch (error) {
      setProblem(asProblem(error).message);
    }
    onChange(null);
  };
  const jsonOf = (value: Data) => JSON.stringify(value, null, 2);
  return (
    <fieldset class="data">
      <legend>Data</legend>
      <p class="actions">
        <button type="button" aria-pressed={text === null} disabled={problem !== ""} onClick={() => setText(null)}>
          Form
        </button>
        <button type="button" aria-pressed={text !== null} onClick={() => setText(text ?? jsonOf(data))}>
          JSON
        </button>
        <button type="button" onClick={() => (text === null ? change(sample) : read(jsonOf(sample)))}>
          Reset to sample data
        </button>
      </p>
      {text === null ? (
        <ObjectForm fields={fields} value={data} onChange={change} />
      ) : (
        <>
          <textarea
            class="json"
            aria-label="Data as JSON"
            aria-invalid={problem !== ""}
            spellcheck={false}
            value={text}
            onInput={({ currentTarget: { value } }) => read(value)}
          />
          <p role="status" class="place">
            {problem}
          </p>
        </>
      )}
    </fieldset>
  );
}
