// An executable that stands in for wrangler. The account is in a file of the current folder, so that it outlives a command.
import { readFileSync, writeFileSync } from "node:fs";
import { runCommand, type FakeAccount } from "./fake-account.ts";

const file = "fake-account.json";
const account = JSON.parse(readFileSync(file, "utf8")) as FakeAccount;
const { status, stdout, stderr } = runCommand(account, process.cwd(), process.argv.slice(2));
writeFileSync(file, JSON.stringify(account));
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = status;
