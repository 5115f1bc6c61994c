// Checks whether the service can do its work: rejects while its database does not respond.
import type { Services } from "../ports/services.ts";

export function checkHealth({ health }: Pick<Services, "health">): Promise<void> {
  return health.check();
}
