// The order in which the bodies of Liquid blocks begin and end.
import type { LiquidBody } from "./markup-text.ts";

/** The place at which a body of Liquid begins or ends. */
export type BodyEvent = { at: number; body: LiquidBody; enters: boolean };

/** Returns the beginnings and ends of the bodies in the order in which they occur. */
export function bodyEvents(bodies: LiquidBody[]): BodyEvent[] {
  const events = bodies.flatMap((body): BodyEvent[] => [
    { at: body.start, body, enters: true },
    { at: body.end, body, enters: false },
  ]);
  // An empty body is entered before it is left.
  return events.sort((a, b) => a.at - b.at || (a.body === b.body ? Number(b.enters) - Number(a.enters) : Number(a.enters) - Number(b.enters)));
}
