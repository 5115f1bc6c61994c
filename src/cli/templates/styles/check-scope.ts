// What the checks of a piece of CSS share.

/** `index` is the position in the CSS that the message is about. */
export type StyleMessage = { index: number; message: string };

export type Report = (index: number, message: string) => void;

/**
 * `isFull` is true once enough messages have been reported. `references` are the positions of the page references and leaders
 * that the service itself prints; null for CSS outside `style.css`, which can have none.
 */
export type CheckScope = { report: Report; isFull(): boolean; references: ReadonlySet<number> | null };
