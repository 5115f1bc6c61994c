// Pushes a template that arrives as a zip: the same checks as those of the author's commands that keep a render safe and possible.
// Advice to authors stays with their commands.
import type { Account } from "../../core/accounts/account.ts";
import { liveAccountId } from "../../core/accounts/test-account.ts";
import { serviceUnavailable, validationError } from "../../core/errors.ts";
import { folderNameProblem } from "../../core/templates/template-name.ts";
import { sha256Hex } from "colophon-base/encoding";
import { counted } from "colophon-base/counted";
import type { FileProblem, TemplateFile } from "colophon-template-model/template-files";
import { readTemplateZip } from "colophon-template-model/template-zip";
import { validateTemplate } from "colophon-template-model/validate-template";
import type { OperatorServices, Services } from "../../ports/services.ts";
import { pushTemplate, type Pushed } from "../templates/push-template.ts";

export type TemplateInput = {
  /** The name of the folder. */
  folder: string;
  /** The most bytes that `readZip` returns. It is called when there is memory for them. */
  maxBytes: number;
  readZip(): Promise<Uint8Array>;
  ifVersion?: number | undefined;
  actor: string;
};

/** The problems that a response names; a template may have thousands. */
const maxNamed = 100;
/** While a zip arrives and is unpacked. What is made of it takes as much again, but only of one at a time. */
const copies = 2;
const memoryMs = { maxWaitMs: 20_000, expiresInMs: 60_000 };

/** Throws VALIDATION_ERROR with each file and line, VERSION_CONFLICT, or SERVICE_UNAVAILABLE. */
export async function putTemplate(
  services: Services,
  manage: OperatorServices,
  account: Account,
  { folder, maxBytes, readZip, ifVersion, actor }: TemplateInput,
): Promise<Pushed> {
  const problem = folderNameProblem(folder);
  if (problem) throw validationError([{ path: "folder", message: `The name of a template ${problem}.` }]);
  const accountId = liveAccountId(account.id);
  const memory = await services.memory.acquire("uploads", { accountId, amount: copies * maxBytes, ...memoryMs });
  if (!memory) throw serviceUnavailable({ retryAfterSeconds: 5, cause: undefined });
  try {
    const zip = await readZip();
    const read = readTemplateZip(zip);
    if (read.problems.length > 0) throw refused(read.problems);
    const validated = validateTemplate(read);
    if (validated.status === "broken") throw refused(validated.problems);
    const upload = { zip, digest: await digestOf(read.files) };
    const { content } = validated;
    return await pushTemplate(manage, { accountId, folder, content, upload, ifVersion, actor });
  } finally {
    memory.release();
  }
}

function refused(problems: FileProblem[]) {
  const named = problems.slice(0, maxNamed);
  const details = named.map(({ file, line, reason }) => ({ path: file, line, message: reason }));
  const [first] = details;
  const others = problems.length > 1 ? ` And ${counted(problems.length - 1, "more problem")}.` : "";
  const message = `The template cannot be used: ${first?.path}, line ${first?.line}: ${first?.message}.${others}`;
  return validationError(details, message);
}

/** Depends on the names and bytes of the files, not on how they were packed. */
async function digestOf(files: TemplateFile[]): Promise<string> {
  const lines = files.map(async ({ path, bytes }) => `${path} ${await sha256Hex(new Uint8Array(bytes))}`);
  return sha256Hex((await Promise.all(lines)).toSorted().join("\n"));
}
