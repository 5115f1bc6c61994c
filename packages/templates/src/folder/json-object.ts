// Reads JSON objects from files that do not belong to a template.
import { readFile, stat } from "node:fs/promises";
import { parseJsonObject, type JsonObjectResult } from "colophon-template-model/json-file";
import { maxDataDepth } from "colophon-template-model/template-data";
import { maxFileBytes } from "colophon-template-model/template-files";
import { decodeText } from "colophon-template-model/text-file";
import { CommandError } from "../command.ts";
import { problemLines } from "./problem-lines.ts";

/** `file` is the name of the file in problems. */
export function dataFile(file: string, bytes: Uint8Array): JsonObjectResult {
  const decoded = decodeText(bytes);
  if (decoded.status === "text") return parseJsonObject(file, decoded.text, maxDataDepth);
  return { status: "broken", problems: [{ file, line: decoded.line, reason: decoded.reason }] };
}

/**
 * Reads a file that the user named. Throws `CommandError` if it cannot be read, is too large for sample data, or contains anything
 * but an object.
 */
export async function jsonObjectIn(file: string): Promise<JsonObjectResult & { status: "read" }> {
  const maxBytes = maxFileBytes("sample.json");
  const stats = await stat(file).catch(() => null);
  if (!stats?.isFile()) throw new CommandError(`there is no file ${file}`);
  if (stats.size > maxBytes) throw new CommandError(`${file} is larger than ${maxBytes.toLocaleString("en-US")} bytes`);
  const read = dataFile(file, await readFile(file));
  if (read.status === "broken") throw new CommandError(problemLines(read.problems).join("\n"));
  return read;
}
