// Creates and finds elements of the page.

type Properties = Partial<{
  className: string;
  textContent: string;
  id: string;
  value: string;
  type: string;
  title: string;
  hidden: boolean;
  width: number;
  height: number;
  ariaLabel: string;
}>;

/** Returns a new element. A text becomes a text node, so nothing in it is read as markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag);
  Object.assign(created, properties);
  created.append(...children);
  return created;
}

/** Returns the element with this id. Throws if it is missing or of another kind. */
export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return found;
}

/** Resolves when the browser has painted what the page shows now. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    // A hidden tab paints nothing.
    if (document.hidden) return resolve();
    requestAnimationFrame(() => setTimeout(resolve));
  });
}
