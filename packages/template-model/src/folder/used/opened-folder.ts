// The files of a template folder and of the shared folder, by path, and the problems found in them so far.
import { fileNameProblems } from "../file-names.ts";
import {
  sharedFolder,
  sharedSubfolders,
  type FileProblem,
  type TemplateFile,
  type TemplateFiles,
} from "../template-files.ts";
import { decodeText } from "../text-file.ts";

export type OpenedFolder = ReturnType<typeof openFolder>;

export function openFolder({ files, problems: unread }: TemplateFiles) {
  const problems = unread.filter(({ file }) => !isShared(file));
  const shared = unread.filter(({ file }) => isShared(file));
  let asksForShared = false;
  const byPath = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const inside = (subfolder: string): TemplateFile[] =>
    files
      .filter(({ path }) => path.startsWith(`${subfolder}/`))
      .map(({ path, bytes }) => ({ path: path.slice(subfolder.length + 1), bytes }));
  const bytesOf = (path: string) => {
    asksForShared ||= isShared(path);
    return byPath.get(path);
  };
  return {
    problems,
    /** Returns the files of a subfolder, with their names as paths. */
    inside,
    has: (path: string) => bytesOf(path) !== undefined,
    /**
     * The problems of the shared folder as a whole. There are none unless one of its files has been requested, because the template may not
     * use the folder.
     */
    sharedProblems: () => (asksForShared ? [...shared, ...sharedNameProblems(inside)] : []),
    /** Returns the text of a file; null if it does not exist, or if it is not text, which is reported as a problem. */
    text(path: string): string | null {
      const bytes = bytesOf(path);
      if (!bytes) return null;
      const decoded = decodeText(bytes);
      if (decoded.status === "text") return decoded.text;
      problems.push({ file: path, line: decoded.line, reason: decoded.reason });
      return null;
    },
    /** Returns whether the path is missing from the folder, rather than just unreadable. */
    isMissing: (path: string) => !byPath.has(path) && !unread.some(({ file }) => file === path),
  };
}

function isShared(path: string): boolean {
  return path === sharedFolder || path.startsWith(`${sharedFolder}/`);
}

function sharedNameProblems(inside: OpenedFolder["inside"]): FileProblem[] {
  return sharedSubfolders.flatMap((name) => {
    const folder = `${sharedFolder}/${name}`;
    const names = inside(folder).map(({ path }) => path);
    return fileNameProblems(folder, names);
  });
}
