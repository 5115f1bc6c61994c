// The switches above the document: format, sample, locale and size.
import { documentFormats } from "../core/documents/document.ts";
import { paperGeometry, pageSizeNames, type Orientation } from "../core/rendering/page-geometry.ts";
import { byId, element } from "./dom.ts";
import type { RenderRequest, TemplateState } from "./messages.ts";

export type Switches = {
  /** Offers what the template has. Keeps what is chosen, if it still exists. */
  update(template: TemplateState): void;
  /** The file of the chosen sample. */
  sample(): string;
  /** Everything about the request except for the data. */
  request(): RenderRequest;
};

/** Offered for a template without messages, which can be in any language. */
const commonLocales = [
  "en-US",
  "en-GB",
  "de-DE",
  "fr-FR",
  "es-ES",
  "it-IT",
  "nl-NL",
  "pt-BR",
  "pl-PL",
  "ar",
  "he",
  "ja-JP",
  "zh-CN",
  "hi-IN",
];
const templateSize = "template";
const customSize = "custom";

/** `onSample` is called when another sample is chosen, and `onChange` after every other change. */
export function switches(onChange: () => void, onSample: () => void): Switches {
  const sample = byId("sample", HTMLSelectElement);
  const locale = byId("locale", HTMLInputElement);
  const size = byId("size", HTMLSelectElement);
  const [width, height] = [byId("width", HTMLInputElement), byId("height", HTMLInputElement)];
  size.append(...sizeOptions());
  const onSize = () => {
    byId("custom-size", HTMLElement).hidden = size.value !== customSize;
    onChange();
  };
  sample.addEventListener("change", onSample);
  size.addEventListener("change", onSize);
  for (const input of [locale, width, height, ...formatInputs()]) input.addEventListener("change", onChange);
  return {
    update(template) {
      updateSamples(sample, template);
      const offered = template.locales.length > 0 ? template.locales : commonLocales;
      byId("locales", HTMLDataListElement).replaceChildren(...offered.map((value) => element("option", { value })));
      locale.placeholder = template.locale;
      locale.title = `Empty: ${template.locale}, the locale of the template`;
      const { pageSize, page } = template;
      const measure = `${page.width} × ${page.height}`;
      const own = size.options[0];
      if (own) own.textContent = `Template (${pageSize === "Custom" ? measure : pageSize})`;
      width.placeholder = String(page.width);
      height.placeholder = String(page.height);
    },
    sample: () => sample.value,
    request: () => ({
      sample: sample.value,
      format: documentFormats.find((format) => format === checkedInput()?.value) ?? "pdf",
      ...(locale.value.trim() ? { locale: locale.value.trim() } : {}),
      ...sizeOf(size.value, width.value, height.value),
    }),
  };
}

function formatInputs(): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>("input[name=format]")];
}

function checkedInput(): HTMLInputElement | undefined {
  return formatInputs().find(({ checked }) => checked);
}

function sizeOptions(): HTMLOptionElement[] {
  const papers = pageSizeNames.flatMap((name) => [
    element("option", { value: `${name} portrait`, textContent: name }),
    element("option", { value: `${name} landscape`, textContent: `${name} landscape` }),
  ]);
  return [
    element("option", { value: templateSize, textContent: "Template" }),
    ...papers,
    element("option", { value: customSize, textContent: "Custom…" }),
  ];
}

/** Returns the size as a request to the API names it; nothing for the size of the template. */
function sizeOf(choice: string, width: string, height: string): Pick<RenderRequest, "width" | "height"> {
  if (choice === templateSize) return {};
  if (choice === customSize) {
    return { ...(width ? { width: Number(width) } : {}), ...(height ? { height: Number(height) } : {}) };
  }
  const [name, orientation] = choice.split(" ");
  const paper = pageSizeNames.find((known) => known === name);
  if (!paper) return {};
  const page = paperGeometry(paper, orientation as Orientation);
  return { width: page.width, height: page.height };
}

function updateSamples(select: HTMLSelectElement, { samples }: TemplateState): void {
  const chosen = select.value;
  const options = samples.map(({ file, problems }) =>
    element("option", { value: file, textContent: problems.length > 0 ? `${file} (has problems)` : file }),
  );
  select.replaceChildren(...options);
  if (samples.some(({ file }) => file === chosen)) select.value = chosen;
}
