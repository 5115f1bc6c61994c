// Reads JSON objects from files that do not belong to a template.
import { readFile, stat } from "node:fs/promises";
import { parseJsonFile, type JsonFile } from "colophon-template-model/json-file";
import { isPlainObject, maxDataDepth } from "colophon-template-model/template-data";
import { maxFileBytes, type FileProblem } from "colophon-template-model/template-files";
import { decodeText } from "colophon-template-model/text-file";
import { CommandError } from "../command.ts";
import { problemLines } from "./problem-lines.ts";

type JsonObject = { status: "read"; value: Record<string, unknown>; json: JsonFile };
export type DataFile = JsonObject | { status: "broken"; problems: FileProblem[] };

/** `file` is the name of the file in problems. */
export function dataFile(file: string, bytes: Uint8Array): DataFile {
  const broken = (reason: string, line = 1): DataFile => ({ status: "broken", problems: [{ file, line, reason }] });
  const decoded = decodeText(bytes);
  if (decoded.status !== "text") return broken(decoded.reason, decoded.line);
  const parsed = parseJsonFile(decoded.text, maxDataDepth);
  if (parsed.status === "malformed") {
    return { status: "broken", problems: parsed.problems.map((problem) => ({ file, ...problem })) };
  }
  const { json } = parsed;
  if (!isPlainObject(json.value)) return broken("the file must contain a JSON object");
  return { status: "read", value: json.value, json };
}

/**
 * Reads a file that the user named. Throws `CommandError` if it cannot be read, is too large for sample data, or contains anything
 * but an object.
 */
export async function jsonObjectIn(file: string): Promise<JsonObject> {
  const maxBytes = maxFileBytes("sample.json");
  const stats = await stat(file).catch(() => null);
  if (!stats?.isFile()) throw new CommandError(`there is no file ${file}`);
  if (stats.size > maxBytes) throw new CommandError(`${file} is larger than ${maxBytes.toLocaleString("en-US")} bytes`);
  const read = dataFile(file, await readFile(file));
  if (read.status === "broken") throw new CommandError(problemLines(read.problems).join("\n"));
  return read;
}
