// Checks whether the service can work. The promise rejects if the database does not respond.
import type { Services } from "../ports/services.ts";

export function checkHealth({ health }: Pick<Services, "health">): Promise<void> {
  return health.check();
}
