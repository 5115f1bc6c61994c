// The names by which a request may refer to a template: its id or its folder name.
import { parseUuid } from "../uuid.ts";

const maxNameChars = 100;

/** Returns the id in lower case or the folder name, or null if it can be neither. */
export function parseTemplateName(text: string): string | null {
  const name = text.normalize("NFC");
  return parseUuid(name) ?? (folderNameProblem(name) === null ? name : null);
}

/** Returns why a template folder may not have this name, which must be in NFC; null if it may. */
export function folderNameProblem(name: string): string | null {
  if (name !== name.trim()) return "must not begin or end with white space";
  if (name === "" || name.length > 2 * maxNameChars || [...name].length > maxNameChars)
    return `must have 1 to ${maxNameChars} characters`;
  if (parseUuid(name) !== null) return "must not be a UUID";
  if (/[\p{Cc}\p{Cs}/\\]/u.test(name)) return "must not contain control characters or slashes";
  if (/[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufffd]/u.test(name))
    return "must not contain invisible characters";
  if (name === "shared") return "must not be `shared`, which is the folder of shared files";
  return name === "." || name === ".." ? "must not be `.` or `..`" : null;
}
