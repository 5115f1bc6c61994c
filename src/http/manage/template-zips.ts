// Templates as zips: the body of a push, and the download of a version's files.
import { storedVersion } from "../../operations/manage/manage-templates.ts";
import { putTemplate } from "../../operations/manage/put-template.ts";
import { maxZipBytes } from "colophon-template-model/template-zip";
import { templateVersionNotFound, validationError } from "../../core/errors.ts";
import { z } from "zod";
import { success } from "../envelope.ts";
import { RequestError } from "../error-status.ts";
import { mediaTypeOf, requirePlainUtf8 } from "../json-body.ts";
import type { OperationInput } from "../operation.ts";
import { templateRecord } from "./manage-records.ts";
import { readUpload } from "./read-upload.ts";

const flag = (name: string) => z.enum(["0", "1"], `\`${name}\` must be 0 or 1.`).optional();

export const putTemplateQuery = z.strictObject({ lenient: flag("lenient"), dryRun: flag("dryRun") });

/** The status is 201 if the template has been created. */
export async function putTemplateZip({
  context,
  services,
  manage,
  account,
  actor,
  param,
  query,
}: OperationInput<z.output<typeof putTemplateQuery>>): Promise<Response> {
  if (mediaTypeOf(context) !== "application/zip")
    throw new RequestError(415, "The Content-Type must be application/zip.", "");
  requirePlainUtf8(context);
  const ifVersion = versionOf(context.req.header("If-Match"));
  const folder = param("template").normalize("NFC");
  const maxBody = { bytes: maxZipBytes, text: `${maxZipBytes / 1e6} MB` };
  const readZip = (claim: (bytes: number) => Promise<void>) => readUpload(context.req.raw, maxBody, claim);
  const [lenient, dryRun] = [query.lenient === "1", query.dryRun === "1"];
  const input = { folder, readZip, ifVersion, lenient, dryRun, actor };
  const { template, previous, changed, warnings } = await putTemplate(services, manage, account, input);
  const data = {
    template: templateRecord(template, folder),
    changed,
    previousTitle: previous?.manifest.title ?? null,
    warnings: warnings.map(({ file, line, message }) => ({ path: file, line, message })),
  };
  return success(context, data, previous || dryRun ? 200 : 201);
}

/** Returns the version that the header asks for; undefined without a header. */
function versionOf(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined) return undefined;
  const [, digits] = /^"?(\d{1,9})"?$/.exec(ifMatch.trim()) ?? [];
  if (digits !== undefined) return Number(digits);
  throw validationError([{ path: "If-Match", message: '`If-Match` must be the number of a version, such as "3".' }]);
}

export async function filesResponse({ context, manage, account, param }: OperationInput): Promise<Response> {
  const version = await storedVersion(manage, account, { id: param("template"), version: param("version") });
  const files = await manage.templates.files(version);
  if (!files) throw templateVersionNotFound(version.version, version.version);
  return context.body(files, 200, { "Content-Type": "application/zip" });
}
