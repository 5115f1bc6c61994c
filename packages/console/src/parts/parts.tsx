// The small components that the pages consist of.
import { cloneElement, type ComponentChildren, type VNode } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ErrorDetail } from "colophon-client";
import type { ApiProblem } from "../api.ts";
import { useConsole } from "../console.ts";
import { capitalized, shortId, timeText } from "../format.ts";
import { useAction, type Load } from "../load.ts";

type LoadedProps<T> = { of: Load<T>; heading?: string; children: (value: T) => ComponentChildren };

/** Shows the loaded value, or why loading failed. Until then, `heading` is the page's heading. */
export function Loaded<T>({ of: { state, reload }, heading, children }: LoadedProps<T>) {
  if (state.status === "loaded") return <>{children(state.value)}</>;
  return (
    <>
      {heading && <h1>{heading}</h1>}
      {state.status === "loading" && <p class="quiet loading">Loading…</p>}
      {state.status === "failed" && <Problem of={state.problem} retry={reload} />}
    </>
  );
}

/** An API failure with its code, message, details and request id. */
export function Problem({ of, retry }: { of: ApiProblem | null; retry?: () => void }) {
  if (!of) return null;
  const { code, message, requestId, details = [] } = of;
  return (
    <div class="notice problem" role="alert">
      <p>
        {code && <strong>{code}</strong>} {message}
      </p>
      <Details of={details} />
      {requestId && (
        <p class="quiet">
          Request id <code>{requestId}</code>
        </p>
      )}
      {retry && <ActionButton work={async () => retry()}>Try again</ActionButton>}
    </div>
  );
}

/** The individual problems, unless the message of the error says the same. */
export function Details({ of }: { of: ErrorDetail[] }) {
  if (of.length < 2 && of[0]?.line === undefined) return null;
  return (
    <ul>
      {of.map(({ path, file = path, line, page, message }) => (
        <li>
          {file && <code>{line === undefined ? file : `${file}:${line}`}</code>} {page && `Page ${page}: `}
          {message}
        </li>
      ))}
    </ul>
  );
}

export function Time({ at, none = "–" }: { at: string | null; none?: string }) {
  if (at === null) return <>{none}</>;
  return (
    <time dateTime={at} title={at}>
      {timeText(at)}
    </time>
  );
}

/** A status as a coloured word. */
export function Badge({ of, noun = "" }: { of: string; noun?: string }) {
  return <span class={`badge ${of}`}>{`${of} ${noun}`.trim()}</span>;
}

/** A control with its label. */
export function Field({ label, hint, children }: { label: string; hint?: string; children: VNode<{ id?: string }> }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {cloneElement(children, { id, ...(hint && { "aria-describedby": `${id}-hint` }) })}
      {hint && (
        <small id={`${id}-hint`} class="quiet">
          {hint}
        </small>
      )}
    </div>
  );
}

type ButtonProps = { work: () => Promise<unknown>; children: ComponentChildren; question?: string };

/**
 * A button. If it has a question, the question is asked before the action, which cannot be undone. A failure is shown
 * next to the button.
 */
export function ActionButton({ work, children, question }: ButtonProps) {
  const action = useAction();
  const [isAsking, setAsking] = useState<boolean | null>(null);
  const [main, no] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)];
  // The focused button may have been replaced, so its replacement gets the focus.
  useEffect(() => (isAsking === null ? undefined : (isAsking ? no : main).current?.focus()), [isAsking]);
  useLayoutEffect(() => () => followFocus(main.current?.parentElement), []);
  const run = () => void action.run(work).then(() => isAsking && setAsking(false));
  return (
    <span class="actions" role="group">
      {isAsking && question}
      {isAsking && (
        <button type="button" ref={no} onClick={() => setAsking(false)}>
          No
        </button>
      )}
      <button
        type="button"
        ref={main}
        class={isAsking ? "danger" : ""}
        aria-disabled={action.isRunning}
        // The first click of a double click asks the question; the second must not confirm it.
        onClick={({ detail }) => (isAsking && detail > 1 ? undefined : question && !isAsking ? setAsking(true) : run())}
      >
        {children}
      </button>
      <Problem of={action.problem} />
    </span>
  );
}

/** If the focused element is being removed, for example with a list row, the page content gets the focus. */
function followFocus(removed: Element | null | undefined): void {
  if (removed?.contains(document.activeElement)) document.querySelector("main")?.focus({ preventScroll: true });
}

type FormProps = {
  submit: (form: HTMLFormElement) => Promise<unknown>;
  label: string;
  children: ComponentChildren;
  class?: string;
};

/** A form with a submit button. A failure is shown below it. */
export function ActionForm({ submit, label, children, class: className = "filters" }: FormProps) {
  const action = useAction();
  return (
    <form
      class={className}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        void action.run(() => submit(form));
      }}
    >
      {children}
      <button class="primary" aria-disabled={action.isRunning}>
        {action.isRunning ? `${label}…` : label}
      </button>
      <Problem of={action.problem} />
    </form>
  );
}

type LinksProps = { label: string; names: string[]; current: string; link: (name: string) => string };

/** A row of links to pages. */
export function PageLinks({ label, names, current, link }: LinksProps) {
  return (
    <nav class="pages" aria-label={label}>
      {names.map((name) => (
        <a key={name} href={link(name)} {...(name === current && { "aria-current": "page" })}>
          {capitalized(name)}
        </a>
      ))}
    </nav>
  );
}

/** A list of names and values, without null values. */
export function Properties({ of }: { of: Record<string, ComponentChildren> }) {
  const given = Object.entries(of).filter(([, value]) => value !== null);
  return (
    <dl class="properties">
      {given.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <button type="button" onClick={() => void copy().catch(() => {})}>
      {isCopied ? "Copied" : "Copy"}
    </button>
  );
}

/** The name of a template, with its version. */
export function TemplateLink({ id, version }: { id: string; version: number }) {
  const { templates, link } = useConsole();
  const name = templates.find((template) => template.id === id)?.folder ?? shortId(id);
  return (
    <a href={link(["templates", id])}>
      {name}, version {version}
    </a>
  );
}
