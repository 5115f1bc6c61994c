// The commands for authors of templates, by their names. They need no service.
import type { FileCommands } from "./command.ts";
import { authoringCommands } from "./commands/authoring.ts";
import { check } from "./commands/check.ts";
import { dev } from "./commands/dev.ts";
import { render } from "./commands/render.ts";

export const authorCommands: FileCommands = { ...authoringCommands, check, render, dev };
