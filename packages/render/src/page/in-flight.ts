/**
 * Sends a message as soon as fewer than `max` of those in `inFlight` are on their way, so that only these are in memory, and adds it.
 * If a message fails, the caller finds out when it waits for all of them.
 */
export async function sendWhenFew(inFlight: Promise<unknown>[], max: number, send: () => Promise<unknown>) {
  if (inFlight.length >= max) await inFlight.shift();
  const sent = send();
  sent.catch(() => {});
  inFlight.push(sent);
}
