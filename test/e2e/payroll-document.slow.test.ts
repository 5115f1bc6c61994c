// The payroll in docs/private-files.md, run in a customer's project with fewer employees; `npm run test:long` runs it unchanged.
import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clientProject, type ClientProject } from "./client-project.ts";
import { newAccount, pushSample, read, startService, type Account, type RunningService } from "./service.ts";

const documented = 500;
/** More than a page of results, or of a list. */
const employees = Number(process.env["PAYSLIPS"] ?? 120);

let service: RunningService;
let account: Account;
let project: ClientProject;

beforeAll(async () => {
  [service, project] = await Promise.all([startService({}, undefined, "serve"), clientProject()]);
  account = await newAccount(service, "enterprise");
  await mkdir(join(project.folder, "payslip/pages"), { recursive: true });
  const page = await readFile(new URL("../../docs/private-files.md", import.meta.url).pathname, "utf8");
  for (const [, path = "", content = ""] of page.matchAll(/^`([\w./]+)`\n\n```\w+\n([^]*?)^```$/gm))
    await project.write(path, content.replace(`length: ${documented} `, `length: ${employees} `));
  await pushSample(service, account, join(project.folder, "payslip"));
}, 240_000);

afterAll(async () => {
  await service.stop();
  await project.remove();
});

type Listed = { documents: { access: string; pdfUrl: string }[] };

it("the documented payroll makes private payslips, and each opens only with its own password", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["payroll.mjs"], {
    cwd: project.folder,
    env: { ...process.env, BASE_URL: service.baseUrl, API_KEY: account.key },
  });

  expect(stdout).toContain(`\n${employees} payslips in the folder payslips\n`);
  const names = await readdir(join(project.folder, "payslips"));
  expect(names).toHaveLength(employees);
  for (const name of names) {
    const number = Number(/^payslip-2026-11-E-(\d{4})\.pdf$/.exec(name)?.[1]);
    const bytes = await readFile(join(project.folder, "payslips", name));
    const opened = (password: string) => getDocumentProxy(new Uint8Array(bytes), { password, verbosity: 0 });
    await expect(opened(passwordOf(number + 1))).rejects.toThrow("Incorrect Password");
    const { text } = await extractText(await opened(passwordOf(number)), { mergePages: true });
    expect(text).toContain(`Employee ${number - 1000}, E-${number}`);
  }
  const { documents } = await read<Listed>(service, account, "/documents?limit=100");
  const links = documents.filter(({ access, pdfUrl }) => access === "private" && pdfUrl.includes("/links/"));
  expect(links).toHaveLength(100);
}, 700_000);

function passwordOf(number: number): string {
  return createHmac("sha256", "only for trying this").update(`E-${number}`).digest("base64url").slice(0, 20);
}
