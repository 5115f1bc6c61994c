// `npm run backup -- FILE` and `npm run restore -- FILE`. A backup contains the service's secrets. Exits with 2 without a file.
import { resolve } from "node:path";
import { restoreBackup, writeBackup } from "./backup/state-backup.ts";
import { stateDir } from "./paths.ts";

async function run(action: string | undefined, file: string): Promise<string> {
  if (action === "restore") {
    await restoreBackup(stateDir, resolve(file));
    return `${file} was restored to ${stateDir}`;
  }
  const { files, stoppedMs } = await writeBackup(stateDir, resolve(file));
  return `${file} contains ${files} files of ${stateDir}; requests waited for ${stoppedMs} ms`;
}

process.umask(0o077);
const [, , action, file] = process.argv;
if (!file) {
  console.error("usage: npm run backup -- FILE, or npm run restore -- FILE");
  process.exit(2);
}
await run(action, file).then(console.log, (error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
