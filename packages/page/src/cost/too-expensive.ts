// Refuses documents that would cost the browser far more than their size suggests.
import { bodyElement } from "../dom.ts";

/** The message is for the caller. */
export class TooExpensiveError extends Error {}

/**
 * Empties the page if the work throws a `TooExpensiveError`, so that the browser does not paint or print its content.
 */
export async function orImpossible<T>(work: () => Promise<T>): Promise<T | { status: "impossible"; message: string }> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TooExpensiveError)) throw error;
    bodyElement().replaceChildren();
    return { status: "impossible", message: error.message };
  }
}
