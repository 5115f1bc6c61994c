// Pushes a template that arrives as a zip, after the same checks of Liquid and markup as in the author's commands. The CSS checks
// need data that is too large for a Worker, so only the commands include them.
import { counted, sentence } from "colophon-base/text";
import { advice } from "colophon-template-checks/check-template";
import type { FileWarning } from "colophon-template-model/template";
import type { FileProblem, TemplateFile } from "colophon-template-model/template-files";
import { openTemplateZip, type OpenedZip } from "colophon-template-model/template-zip";
import { validateTemplate } from "colophon-template-model/validate-template";
import { type Account, liveAccountId } from "../../core/accounts/account.ts";
import { validationError } from "../../core/errors.ts";
import { folderNameProblem } from "../../core/templates/template-name.ts";
import type { OperatorServices, Services } from "../../ports/services.ts";
import { sha256Of, pushTemplate, type Pushed } from "../templates/push-template.ts";
import { yieldToOthers } from "../yield-to-others.ts";
import { uploadMemory } from "./upload-memory.ts";

export type TemplateInput = {
  /** The name of the folder. */
  folder: string;
  /** Calls `claim` before it buffers more than 1 MiB, with the maximum number of bytes that it will return. */
  readZip(claim: (bytes: number) => Promise<void>): Promise<Uint8Array>;
  ifVersion?: number | undefined;
  /** Whether mistakes that do not prevent a render become warnings. */
  lenient: boolean;
  /** Whether to store nothing. The id of a template that would be created is then meaningless. */
  dryRun: boolean;
  actor: string;
};

/** The maximum number of problems and warnings in a response; a template may have thousands. */
const maxNamed = 100;
/** The memory that an unpacked file takes, as a multiple of its size: its bytes, and their base64 or string. */
const unpackedCopies = 1 + 4 / 3;

/** Throws VALIDATION_ERROR with each file and line, VERSION_CONFLICT, or SERVICE_UNAVAILABLE. */
export async function putTemplate(
  services: Services,
  manage: OperatorServices,
  account: Account,
  { folder, readZip, lenient, ...input }: TemplateInput,
): Promise<Pushed & { warnings: FileWarning[] }> {
  const problem = folderNameProblem(folder);
  if (problem) throw validationError([{ path: "folder", message: `The name of a template ${problem}.` }]);
  const accountId = liveAccountId(account.id);
  const memory = uploadMemory(services, accountId);
  try {
    const bytes = await readZip(memory.claimBody);
    const zip = openTemplateZip(bytes);
    if (zip.problems.length > 0) throw refused(zip.problems);
    await memory.claimAll(bytes.length + unpackedCopies * zip.sizeBytes);
    await yieldToOthers(services, account, services.now());
    const { content, warnings, digest } = unpacked(zip, lenient);
    memory.resize(bytes.length + (unpackedCopies - 1) * zip.sizeBytes);
    const upload = { zip: zip.parts(), digest };
    const pushed = await pushTemplate(manage, { accountId, folder, content, upload, ...input });
    return { ...pushed, warnings: warnings.slice(0, maxNamed) };
  } finally {
    memory.release();
  }
}

/** Reads all files in a function of their own scope, so that they are in memory only while it runs. */
function unpacked(zip: OpenedZip, lenient: boolean) {
  const read = zip.read();
  if (read.problems.length > 0) throw refused(read.problems);
  const validated = validateTemplate(read, { advise: advice({ lenient }) });
  if (validated.status === "broken") throw refused(validated.problems);
  const { content, warnings } = validated;
  return { content, warnings, digest: digestOf(read.files) };
}

function refused(problems: FileProblem[]) {
  const named = problems.slice(0, maxNamed);
  const details = named.map(({ file, line, reason }) => ({ path: file, line, message: reason }));
  const [first] = details;
  const others = problems.length > 1 ? ` And ${counted(problems.length - 1, "more problem")}.` : "";
  const message = `The template cannot be used: ${first?.path}, line ${first?.line}: ${sentence(first?.message ?? "")}${others}`;
  return validationError(details, message);
}

/** Depends only on the names and bytes of the files, not on how they were compressed. */
function digestOf(files: TemplateFile[]): string {
  const lines = files.map(({ path, bytes }) => `${path} ${sha256Of([bytes])}`);
  return sha256Of([lines.toSorted().join("\n")]);
}
