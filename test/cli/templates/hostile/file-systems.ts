// Folders with entries that are not ordinary files: symbolic links, pipes, sockets, devices, and too much of everything.
import { execFileSync } from "node:child_process";
import { chmod, link, mkdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { gif } from "../../../fixtures/template-files.ts";
import { accepted, refused, refusedAfter, type HostileFolder } from "../../../fixtures/hostile-folder.ts";

const link_ = /^this is a symbolic link; a template folder must not contain any$/;
const special = /^this is not a file, but a device, a socket or a named pipe$/;

/** Replaces the entry with a symbolic link to `target`. */
const linkTo = (target: string, entry: string) => async (directory: string) => {
  await rm(join(directory, entry), { force: true, recursive: true });
  await symlink(target, join(directory, entry));
};

/** Moves the entry out of the folder and leaves a symbolic link to it. */
const movedOut = (entry: string) => async (directory: string) => {
  const outside = `${directory}-${entry.replaceAll("/", "-")}`;
  await rename(join(directory, entry), outside);
  await symlink(outside, join(directory, entry));
};

const pipe = (entry: string) => async (directory: string) => {
  await rm(join(directory, entry), { force: true });
  execFileSync("mkfifo", [join(directory, entry)]);
};

const socket = (entry: string) => (directory: string) =>
  new Promise<void>((resolve) => {
    const server = createServer().listen(join(directory, entry), () => {
      server.unref();
      resolve();
    });
  });

const folderAt = (entry: string) => async (directory: string) => {
  await rm(join(directory, entry), { force: true });
  await mkdir(join(directory, entry), { recursive: true });
};

const singleFiles = ["template.json", "sample.json", "style.css", "header.liquid", "footer.liquid"];

export const fileSystems: HostileFolder[] = [
  ...singleFiles.map((file) =>
    refusedAfter(`${file} is a symbolic link to a file of the host`, linkTo("/etc/passwd", file), file, link_),
  ),
  refusedAfter("a page is a symbolic link", linkTo("/etc/passwd", "pages/1.liquid"), "pages/1.liquid", link_),
  refusedAfter(
    "a second page is a symbolic link to the first",
    linkTo("1.liquid", "pages/2.liquid"),
    "pages/2.liquid",
    link_,
  ),
  refusedAfter("pages/ is a symbolic link to a folder", movedOut("pages"), "pages", link_),
  refusedAfter("assets/ is a symbolic link to a folder of the host", linkTo("/etc", "assets"), "assets", link_),
  refusedAfter("assets/ is a symbolic link to the folder itself", linkTo(".", "assets"), "assets", link_),
  refusedAfter("assets/ is a symbolic link to nothing", linkTo("nowhere", "assets"), "assets", link_),
  refusedAfter("an asset is a symbolic link", linkTo("/etc/passwd", "assets/a.svg"), "assets/a.svg", link_, {
    "assets/b.gif": gif,
  }),
  refusedAfter("an asset is a symbolic link to a folder", linkTo("/etc", "assets/a"), "assets/a", link_, {
    "assets/b.gif": gif,
  }),
  refusedAfter("a hidden asset is a symbolic link", linkTo("/etc/passwd", "assets/.a.svg"), "assets/.a.svg", link_, {
    "assets/b.gif": gif,
  }),
  refusedAfter("a symbolic link leads to itself", linkTo("style.css", "style.css"), "style.css", link_),
  refusedAfter("a symbolic link leads to nothing", linkTo("nowhere", "style.css"), "style.css", link_),
  refusedAfter(
    "a symbolic link leads through itself",
    linkTo("pages/1.liquid/x", "pages/2.liquid"),
    "pages/2.liquid",
    link_,
  ),
  refusedAfter("a file that is not read is a symbolic link", linkTo("/etc/passwd", "README.md"), "README.md", link_),
  refusedAfter("a folder that is not read is a symbolic link", linkTo("/", "drafts"), "drafts", link_),
  refusedAfter("a hidden file is a symbolic link", linkTo("/etc/passwd", ".env"), ".env", link_),
  refusedAfter(
    "two symbolic links lead to each other",
    async (directory) => {
      await symlink("header.liquid", join(directory, "footer.liquid"));
      await symlink("footer.liquid", join(directory, "header.liquid"));
    },
    "header.liquid",
    link_,
  ),
  refusedAfter("style.css is a named pipe that nobody writes to", pipe("style.css"), "style.css", special),
  refusedAfter("template.json is a named pipe", pipe("template.json"), "template.json", special),
  refusedAfter("a page is a named pipe", pipe("pages/1.liquid"), "pages/1.liquid", special),
  refusedAfter("an asset is a named pipe", pipe("assets/a.png"), "assets/a.png", special, { "assets/b.gif": gif }),
  refusedAfter(
    "pages/ is a named pipe",
    async (directory) => {
      await rm(join(directory, "pages"), { recursive: true });
      await pipe("pages")(directory);
    },
    "pages",
    special,
  ),
  refusedAfter("header.liquid is a socket", socket("header.liquid"), "header.liquid", special),
  refusedAfter("an asset is a socket", socket("assets/a.png"), "assets/a.png", special, { "assets/b.gif": gif }),
  ...singleFiles.map((file) =>
    refusedAfter(`${file} is a folder`, folderAt(file), file, /^this is a folder, but must be a file$/),
  ),
  refusedAfter(
    "a page is a folder",
    folderAt("pages/2.liquid"),
    "pages/2.liquid",
    /^this is a folder, but must be a file$/,
  ),
  refusedAfter(
    "the assets contain a folder",
    folderAt("assets/icons"),
    "assets/icons",
    /^this is a folder, but must be a file$/,
  ),
  refused(
    "pages is a file",
    { "pages/1.liquid": null, pages: "x" },
    "pages",
    1,
    /^this is a file, but must be a folder$/,
  ),
  refused("assets is a file", { assets: "x" }, "assets", 1, /^this is a file, but must be a folder$/),
  refusedAfter(
    "a page claims a terabyte",
    (directory) => truncate(join(directory, "pages/1.liquid"), 2 ** 40),
    "pages/1.liquid",
    /^the file is larger than 2,000,000 bytes$/,
  ),
  refusedAfter(
    "an asset claims a terabyte",
    (directory) => truncate(join(directory, "assets/a.gif"), 2 ** 40),
    "assets/a.gif",
    /^the file is larger than 20,000,000 bytes$/,
    { "assets/a.gif": gif },
  ),
  refusedAfter(
    "style.css claims 3 MB",
    (directory) => truncate(join(directory, "style.css"), 3_000_000),
    "style.css",
    /^the file is larger than 2,000,000 bytes$/,
    { "style.css": "" },
  ),
  refused(
    "template.json has 300 kB",
    { "template.json": " ".repeat(300_000) },
    "template.json",
    1,
    /^the file is larger than 250,000 bytes$/,
  ),
  refused(
    "sample.json has 2 MB",
    { "sample.json": " ".repeat(2_000_000) },
    "sample.json",
    1,
    /larger than 1,048,000 bytes/,
  ),
  refused(
    "two assets have 12 MB each",
    { "assets/a.gif": gif + "x".repeat(12_000_000), "assets/b.gif": gif + "x".repeat(12_000_000) },
    "assets/b.gif",
    1,
    /^with this file, the template is larger than 20 MB$/,
  ),
  refusedAfter(
    "the assets are 1,001 files",
    (directory) =>
      Promise.all(Array.from({ length: 1_000 }, (_, index) => writeFile(join(directory, `assets/${index}.gif`), gif))),
    "assets",
    /^the folder has more than 1000 entries$/,
    { "assets/a.gif": gif },
  ),
  refusedAfter(
    "there are 1,001 pages",
    (directory) =>
      Promise.all(
        Array.from({ length: 1_001 }, (_, index) => writeFile(join(directory, `pages/${index}.liquid`), "x")),
      ),
    "pages",
    /^the folder has more than 1000 entries$/,
  ),
  refusedAfter(
    "pages/ cannot be listed",
    async (directory) => {
      // The superuser can list every ordinary folder, so the folder is replaced with a link to a folder that belongs to a
      // process.
      await rm(join(directory, "pages"), { recursive: true });
      await symlink("/proc/self/fd", join(directory, "pages"));
    },
    "pages",
    link_,
  ),
  {
    ...accepted("an asset has two hard links", { "assets/a.gif": gif }),
    prepare: (directory) => link(join(directory, "assets/a.gif"), join(directory, "assets/b.gif")),
  },
  { ...accepted("a folder that is not read contains a pipe", { "drafts/x": "" }), prepare: pipe("drafts/pipe") },
  {
    ...accepted("its files can be executed", {}),
    prepare: (directory) => chmod(join(directory, "pages/1.liquid"), 0o777),
  },
];
