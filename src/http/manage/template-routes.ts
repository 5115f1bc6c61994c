// The operations of the management API on the templates of an account. Pushes and downloads are zips.
import { z } from "zod";
import { maxZipBytes } from "colophon-template-model/template-zip";
import { liveAccountId } from "../../core/accounts/account.ts";
import { templateVersionNotFound, validationError } from "../../core/errors.ts";
import {
  removeTemplate,
  storedTemplate,
  storedVersion,
  rollBackTemplate,
} from "../../operations/manage/manage-templates.ts";
import { putTemplate } from "../../operations/manage/put-template.ts";
import { uploadMs } from "../../operations/manage/upload-memory.ts";
import { success } from "../envelope.ts";
import { RequestError } from "../error-status.ts";
import { mediaTypeOf, requirePlainUtf8 } from "../json-body.ts";
import { fileContent, operation, type OperationInput } from "../operation.ts";
import { pageResponse } from "../queries/list-response.ts";
import { beforeLate, readBody } from "../read-body.ts";
import { listOf } from "../response-schemas.ts";
import { listQuery } from "../validation.ts";
import { created, managedTemplateSchema, templateRecord, versionRecord, versionSchema } from "./manage-records.ts";

const changed = z.object({ template: managedTemplateSchema, changed: z.boolean() });

const flag = (name: string) => z.enum(["0", "1"], `\`${name}\` must be 0 or 1.`).optional();

const putTemplateQuery = z.strictObject({ lenient: flag("lenient"), dryRun: flag("dryRun") });

const reads = { access: { scope: "templates:read", tests: true, operator: true }, tag: "Templates" } as const;
const changes = { access: { scope: "templates", operator: true }, tag: "Templates" } as const;

export const templateRows = [
  operation("listManagedTemplates", "GET /templates", {
    ...reads,
    summary: "List templates with their folders",
    query: listQuery,
    data: listOf("templates", managedTemplateSchema),
    handle: ({ manage, account, ...input }) =>
      pageResponse(
        input,
        "templates",
        (page) => manage.templates.list(liveAccountId(account.id), page),
        (template) => templateRecord(template, template.folder),
      ),
  }),
  operation("getManagedTemplate", "GET /templates/{template}", {
    ...reads,
    summary: "Read a template with its folder",
    data: managedTemplateSchema,
    errors: ["templateNotFound"],
    handle: async ({ manage, account, param }) => {
      const template = await storedTemplate(manage, account, param("template"));
      return templateRecord(template, template.folder);
    },
  }),
  operation("putTemplate", "PUT /templates/{template}", {
    ...changes,
    summary: "Push a template",
    description:
      'Creates the template of this folder name, or adds a version to it, from a zip of the folder: `template.json`, `sample.json`, `pages/` and so on, with the files of `shared/` that it uses. At most 21 MB, and 20 MB unpacked. If nothing has changed, no version is added. `If-Match` gives the expected newest version, or `"0"` if the template must not exist. Liquid and markup are checked as by `template push`: mistakes are refused with file and line, or become `warnings` with `lenient=1` if they do not prevent a render. With `dryRun=1`, nothing is stored; the response says what a push would do, and the `id` of a template that would be created is not reserved.',
    query: putTemplateQuery,
    headers: ["If-Match"],
    bodyContent: fileContent("application/zip"),
    data: changed.extend({
      previousTitle: z.string().nullable(),
      warnings: z.array(z.object({ path: z.string(), line: z.int(), message: z.string() })),
    }),
    responses: [created, { status: 200, description: "It succeeded." }],
    errors: ["invalidTemplate", "versionConflict", "zipTooLarge", "unsupportedZip"],
    handle: putTemplateZip,
  }),
  operation("deleteTemplate", "DELETE /templates/{template}", {
    ...changes,
    summary: "Delete a template with all its versions",
    data: z.object({ id: z.string(), deleted: z.literal(true) }),
    errors: ["templateNotFound"],
    handle: async ({ manage, account, actor, param }) => {
      return { id: await removeTemplate(manage, account, { id: param("template"), actor }), deleted: true as const };
    },
  }),
  operation("listTemplateVersions", "GET /templates/{template}/versions", {
    ...reads,
    summary: "List the versions of a template",
    query: listQuery,
    data: listOf("versions", versionSchema),
    errors: ["templateNotFound"],
    handle: async ({ manage, account, param, ...input }) => {
      const { accountId, id } = await storedTemplate(manage, account, param("template"));
      return pageResponse(
        input,
        "versions",
        (page) => manage.templates.listVersions(accountId, id, page),
        versionRecord,
      );
    },
  }),
  operation("getTemplateVersion", "GET /templates/{template}/versions/{version}", {
    ...reads,
    summary: "Read a version of a template",
    data: versionSchema,
    errors: ["templateNotFound", "versionNotFound"],
    handle: async ({ manage, account, param }) =>
      versionRecord(await storedVersion(manage, account, { id: param("template"), version: param("version") })),
  }),
  operation("getTemplateFiles", "GET /templates/{template}/versions/{version}/files", {
    ...reads,
    summary: "Download the files of a version as a zip",
    content: fileContent("application/zip"),
    errors: ["templateNotFound", "versionNotFound"],
    handle: filesResponse,
  }),
  operation("rollBackTemplate", "POST /templates/{template}/rollback", {
    ...changes,
    summary: "Make the content of an earlier version the newest version",
    body: z.strictObject({ version: z.int("`version` must be the number of a version.").min(1) }),
    data: changed,
    errors: ["templateNotFound", "versionNotFound"],
    handle: async ({ manage, account, actor, param, body }) => {
      const { accountId, id, folder } = await storedTemplate(manage, account, param("template"));
      const { template, changed } = await rollBackTemplate(manage, { accountId, id, version: body.version, actor });
      return { template: templateRecord(template, folder), changed };
    },
  }),
];

/** The status is 201 if the template has been created. */
async function putTemplateZip({
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
  const readZip = (claim: (bytes: number) => Promise<void>) =>
    beforeLate(uploadMs, readBody(context.req.raw, maxBody, claim));
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

/** Returns the version in the header; undefined without a header. */
function versionOf(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined) return undefined;
  const [, digits] = /^"?(\d{1,9})"?$/.exec(ifMatch.trim()) ?? [];
  if (digits !== undefined) return Number(digits);
  throw validationError([{ path: "If-Match", message: '`If-Match` must be the number of a version, such as "3".' }]);
}

async function filesResponse({ context, manage, account, param }: OperationInput): Promise<Response> {
  const version = await storedVersion(manage, account, { id: param("template"), version: param("version") });
  const files = await manage.templates.files(version);
  if (!files) throw templateVersionNotFound(version.version, version.version);
  return context.body(files, 200, { "Content-Type": "application/zip" });
}
