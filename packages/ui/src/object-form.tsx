// A data form that is generated from the fields of a template. A field's type decides its control; a value of a different type can only be
// edited as JSON.
import { useId } from "preact/hooks";
import type { Field, ScalarType } from "colophon-template-model/template";
import { isPlainObject } from "colophon-template-model/template-data";
import { Select } from "./select.tsx";

export type Data = Record<string, unknown>;

type ValueProps = { field: Field; value: unknown; onChange: (value: unknown) => void };

type FormProps = { fields: Field[]; value: Data; onChange: (value: Data) => void };

export function ObjectForm({ fields, value, onChange }: FormProps) {
  if (fields.length === 0) return <p class="quiet">The template has no fields. Any JSON is accepted.</p>;
  return (
    <>
      {fields.map((field) => (
        <Value
          key={field.key}
          field={field}
          value={Object.hasOwn(value, field.key) ? value[field.key] : undefined}
          onChange={(next) => {
            const { [field.key]: _, ...others } = value;
            onChange(next === undefined ? others : { ...value, [field.key]: next });
          }}
        />
      ))}
    </>
  );
}

function Value(props: ValueProps) {
  const { field, value, onChange } = props;
  if (field.type === "object") {
    return (
      <fieldset>
        <legend>{labelOf(field)}</legend>
        <ObjectForm fields={field.fields ?? []} value={isPlainObject(value) ? value : {}} onChange={onChange} />
      </fieldset>
    );
  }
  if (field.type === "list") return <List {...props} />;
  return <Scalar {...props} type={field.type} />;
}

function labelOf({ label, key, required }: Field): string {
  return `${label || key}${required ? " (required)" : ""}`;
}

function List({ field, value, onChange }: ValueProps) {
  const items = Array.isArray(value) ? value : [];
  const replace = (index: number, item: unknown) => onChange(items.with(index, item ?? null));
  const itemField: Field = { ...field, required: false };
  const nameOf = (index: number) => `${field.label || field.key} ${index + 1}`;
  return (
    <fieldset class="list">
      <legend>{labelOf(field)}</legend>
      {items.map((item, index) => (
        // The position of an item is its only identity.
        <details key={index}>
          <summary>{nameOf(index)}</summary>
          {field.items ? (
            <Scalar
              field={{ ...itemField, label: nameOf(index) }}
              type={field.items}
              value={item}
              onChange={(next) => replace(index, next)}
            />
          ) : (
            <ObjectForm
              fields={field.fields ?? []}
              value={isPlainObject(item) ? item : {}}
              onChange={(next) => replace(index, next)}
            />
          )}
          <button
            type="button"
            aria-label={`Remove ${nameOf(index)}`}
            onClick={() => onChange(items.toSpliced(index, 1))}
          >
            Remove
          </button>
        </details>
      ))}
      <button
        type="button"
        onClick={() => onChange([...items, field.items ? "" : structuredClone(items.at(-1) ?? {})])}
      >
        Add {field.label ? `to “${field.label}”` : "an item"}
      </button>
    </fieldset>
  );
}

const inputTypes: Partial<Record<ScalarType, string>> = { date: "date", number: "number", integer: "number" };

function Scalar({ field, value, onChange, type }: ValueProps & { type: ScalarType }) {
  const id = useId();
  const isNumber = inputTypes[type] === "number";
  const text = value === undefined || value === null ? "" : String(value);
  const set = (value: string) => onChange(value === "" ? undefined : parsed(value, type));
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value);
  const isText = type === "string" || type === "text";
  const isLong = type === "text" || text.includes("\n");
  // A value that is not allowed stays visible.
  const values = field.enum && [...new Set([...field.enum.map(String), text])].filter((value) => value !== "");
  const options = type === "boolean" ? ["true", "false"] : values;
  // Which of these attributes an input may have depends on its type.
  const common: Record<string, unknown> = {
    id,
    value: text,
    placeholder: field.default,
    "aria-describedby": field.description && `${id}-hint`,
    ...(!options && !isLong && { type: inputTypes[type] ?? "text" }),
    ...(type === "decimal" && { inputMode: "decimal" }),
    ...(isNumber && { step: type === "integer" ? 1 : "any", min: field.minimum, max: field.maximum }),
    ...(isText && { minLength: field.minLength, maxLength: field.maxLength }),
  };
  return (
    <div class="field">
      <label for={id}>{labelOf(field)}</label>
      {options && <Select {...common} any="not given" options={options} onValue={set} />}
      {!options && isLong && <textarea {...common} rows={3} onInput={onInput} />}
      {!options && !isLong && <input {...common} onInput={onInput} />}
      {type === "image" && <ImageInput label={labelOf(field)} onChange={onChange} />}
      {field.description && (
        <small id={`${id}-hint`} class="quiet">
          {field.description}
        </small>
      )}
    </div>
  );
}

function parsed(text: string, type: ScalarType): unknown {
  if (type === "boolean") return text === "true";
  return inputTypes[type] === "number" ? Number(text) : text;
}

/** Converts an image file to a `data:` URI. */
function ImageInput({ label, onChange }: { label: string; onChange: (value: string) => void }) {
  return (
    <input
      type="file"
      accept="image/*"
      aria-label={`File for ${label}`}
      onChange={({ currentTarget: { files } }) => {
        const reader = new FileReader();
        reader.addEventListener("load", () => onChange(String(reader.result)));
        if (files?.[0]) reader.readAsDataURL(files[0]);
      }}
    />
  );
}
