// The switches above the document: format, sample, locale and size.
import { documentFormats } from "colophon-page/document-format";
import { maxPagePx, minPagePx } from "colophon-page/page-geometry";
import { Select } from "colophon-ui/select";
import type { RenderRequest, TemplateState } from "../src/dev/messages.ts";

/** The values of the controls, by name. */
export type Choices = Record<string, string>;

type Props = { template: TemplateState | null; onChange: (choices: Choices) => void };

export function Switches({ template, onChange }: Props) {
  const samples = template?.samples ?? [];
  const options = samples.map(({ file, problems }) => ({
    value: file,
    label: problems.length > 0 ? `${file} (has problems)` : file,
  }));
  return (
    <form onChange={({ currentTarget }) => onChange(Object.fromEntries(new FormData(currentTarget)) as Choices)}>
      <fieldset class="switch" aria-label="Format">
        {documentFormats.map((format) => (
          <label key={format}>
            <input type="radio" name="format" value={format} defaultChecked={format === "pdf"} />
            {format.toUpperCase()}
          </label>
        ))}
      </fieldset>
      <label>
        Sample <Select id="sample" name="sample" options={options} />
      </label>
      <label>
        Locale <input id="locale" name="locale" list="locales" size={7} maxLength={35} placeholder={template?.locale} />
      </label>
      <datalist id="locales">
        {template?.locales.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
      <span>
        <label>
          Size <Length name="width" label="Width in CSS pixels" placeholder={template?.page.width} />
        </label>
        ×
        <Length name="height" label="Height in CSS pixels" placeholder={template?.page.height} /> px
      </span>
    </form>
  );
}

function Length({ name, label, placeholder = "" }: { name: string; label: string; placeholder?: number | string }) {
  const range = { min: minPagePx, max: maxPagePx };
  return <input id={name} name={name} type="number" {...range} aria-label={label} placeholder={String(placeholder)} />;
}

/** Returns the chosen sample if it still exists, or else the first one. */
export function sampleOf(template: TemplateState | null, { sample = "" }: Choices): string {
  const files = template?.samples.map(({ file }) => file) ?? [];
  return files.includes(sample) ? sample : (files[0] ?? "");
}

/** Returns everything in the request except the data. Empty values are left to the template. */
export function requestOf(template: TemplateState | null, choices: Choices): RenderRequest {
  const { format, locale = "", width, height } = choices;
  return {
    sample: sampleOf(template, choices),
    format: documentFormats.find((known) => known === format) ?? "pdf",
    ...(locale.trim() && { locale: locale.trim() }),
    ...(width && { width: Number(width) }),
    ...(height && { height: Number(height) }),
  };
}
