// Folders with entries that are not ordinary files: symbolic links, pipes, sockets, devices, and too much of everything.
import { execFileSync } from "node:child_process";
import { chmod, link, mkdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import type { HostileFolder } from "colophon-test-kit/hostile-folder";
import { gif, type Files } from "colophon-test-kit/template-files";

/** The changed files of a folder, or what changes it in a way that no list of files can express. */
export type Entries = Files | ((directory: string) => Promise<unknown> | unknown);
export type ChangedFolder = [what: string, change: Entries, problem: HostileFolder[2]];

const linkTo = (target: string, entry: string) => (directory: string) => symlink(target, join(directory, entry));

const pipe = (entry: string) => (directory: string) => execFileSync("mkfifo", [join(directory, entry)]);

const socket = (entry: string) => (directory: string) =>
  new Promise<void>((resolve) => {
    const server = createServer().listen(join(directory, entry), () => {
      server.unref();
      resolve();
    });
  });

const folderAt = (entry: string) => (directory: string) => mkdir(join(directory, entry));

const sized = (entry: string, bytes: number) => async (directory: string) => {
  await writeFile(join(directory, entry), gif);
  await truncate(join(directory, entry), bytes);
};

const manyFiles = (folder: string, extension: string) => (directory: string) =>
  Promise.all(
    Array.from({ length: 1_001 }, (_, index) => writeFile(join(directory, `${folder}/${index}${extension}`), gif)),
  );

/** A folder in which this replaces the entry. */
const replaced = (entry: string, what: string, make: (directory: string) => unknown, reason: string): ChangedFolder => [
  `${entry} ${what}`,
  async (directory) => {
    await rm(join(directory, entry), { force: true, recursive: true });
    await make(directory);
  },
  `${entry}:1 ${reason}`,
];

const singleFiles = ["template.json", "sample.json", "style.css", "header.liquid", "footer.liquid"];
const links = [
  ...[...singleFiles, "pages/1.liquid", "assets/a.svg", "assets/.a.svg"].map(
    (entry) => [entry, "/etc/passwd"] as const,
  ),
  // Entries that are not read.
  ...["README.md", ".env", "drafts"].map((entry) => [entry, "/"] as const),
  ["style.css", "style.css"],
  ["style.css", "nowhere"],
  ["pages/2.liquid", "1.liquid"],
  ["pages/2.liquid", "pages/1.liquid/x"],
  ["assets", "/etc"],
  ["assets", "."],
  ["assets", "nowhere"],
  ["assets/a", "/etc"],
] as const;

const isLink = "this is a symbolic link; a template folder must not contain any";
const isFolder = "this is a folder, but must be a file";
const isSpecial = "this is not a file, but a device, a socket or a named pipe";

export const fileSystems: ChangedFolder[] = [
  ...links.map(([entry, target]) => replaced(entry, `is a symbolic link to ${target}`, linkTo(target, entry), isLink)),
  [
    "pages is a symbolic link to the pages",
    async (directory) => {
      await rename(join(directory, "pages"), join(directory, "others"));
      await symlink("others", join(directory, "pages"));
    },
    `pages:1 ${isLink}`,
  ],
  ...["style.css", "pages/1.liquid", "assets/a.png", "pages"].map((entry) =>
    replaced(entry, "is a named pipe that nobody writes to", pipe(entry), isSpecial),
  ),
  replaced("header.liquid", "is a socket", socket("header.liquid"), isSpecial),
  ...singleFiles.map((entry) => replaced(entry, "is a folder", folderAt(entry), isFolder)),
  ...["pages/2.liquid", "assets/icons"].map((entry) =>
    replaced(entry, "is a folder", folderAt(entry), `${isFolder}; move its files to ${entry.split("/")[0]}/`),
  ),
  ["pages is a file", { "pages/1.liquid": null, pages: "x" }, "pages:1 this is a file, but must be a folder"],
  ["assets is a file", { assets: "x" }, "assets:1 this is a file, but must be a folder"],
  ...(
    [
      ["pages/1.liquid", 2 ** 40, "2,000,000"],
      ["assets/a.gif", 2 ** 40, "20,000,000"],
      ["style.css", 3_000_000, "2,000,000"],
      ["template.json", 300_000, "250,000"],
      ["sample.json", 2_000_000, "1,048,000"],
    ] as const
  ).map(([entry, bytes, max]) =>
    replaced(entry, `has ${bytes} bytes`, sized(entry, bytes), `the file is larger than ${max} bytes`),
  ),
  [
    "two assets have 12 MB each",
    { "assets/a.gif": gif + "x".repeat(12_000_000), "assets/b.gif": gif + "x".repeat(12_000_000) },
    "assets/b.gif:1 with this file, the template is larger than 20 MB",
  ],
  ["there are 1,001 assets", manyFiles("assets", ".gif"), "assets:1 the folder has more than 1000 entries"],
  ["there are more than 1,000 pages", manyFiles("pages", ".liquid"), "pages:1 the folder has more than 1000 entries"],
  [
    "an asset has two hard links",
    async (directory) => {
      await writeFile(join(directory, "assets/a.gif"), gif);
      await link(join(directory, "assets/a.gif"), join(directory, "assets/b.gif"));
    },
    "",
  ],
  [
    "a folder that is not read contains a pipe",
    async (directory) => {
      await mkdir(join(directory, "drafts"));
      pipe("drafts/pipe")(directory);
    },
    "",
  ],
  ["its files can be executed", (directory) => chmod(join(directory, "pages/1.liquid"), 0o777), ""],
];
