// Reads a JSON object from a file that the user names.
import { readFile, stat } from "node:fs/promises";
import { parseJsonFile, type JsonFile } from "colophon-template-model/json-file";
import { isPlainObject, maxDataDepth } from "colophon-template-model/template-data";
import { maxFileBytes } from "colophon-template-model/template-files";
import { decodeText } from "colophon-template-model/text-file";
import { CommandError } from "../command.ts";
import { problemLines } from "./problem-lines.ts";

/** Throws `CommandError` if the file cannot be read, is too large for sample data, or contains something else. */
export async function jsonObjectIn(
  file: string,
): Promise<Pick<JsonFile, "lineOf"> & { value: Record<string, unknown> }> {
  const text = await textIn(file);
  const parsed = parseJsonFile(text, maxDataDepth);
  if (parsed.status === "malformed") {
    throw new CommandError(problemLines(parsed.problems.map((problem) => ({ file, ...problem }))).join("\n"));
  }
  const { value, lineOf } = parsed.json;
  if (!isPlainObject(value)) throw new CommandError(`${file}:1: the file must contain a JSON object`);
  return { value, lineOf };
}

async function textIn(file: string): Promise<string> {
  const maxBytes = maxFileBytes("sample.json");
  const stats = await stat(file).catch(() => null);
  if (!stats?.isFile()) throw new CommandError(`there is no file ${file}`);
  if (stats.size > maxBytes) throw new CommandError(`${file} is larger than ${maxBytes.toLocaleString("en-US")} bytes`);
  const decoded = decodeText(await readFile(file));
  if (decoded.status === "text") return decoded.text;
  throw new CommandError(`${file}:${decoded.line}: ${decoded.reason}`);
}
