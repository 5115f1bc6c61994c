/**
 * Waits until fewer than `max` of the messages in `inFlight` are pending, to limit memory; then sends a message and adds it. The
 * caller learns of a failure when it awaits all messages.
 */
export async function sendWhenFew(inFlight: Promise<unknown>[], max: number, send: () => Promise<unknown>) {
  if (inFlight.length >= max) await inFlight.shift();
  const sent = send();
  sent.catch(() => {});
  inFlight.push(sent);
}
