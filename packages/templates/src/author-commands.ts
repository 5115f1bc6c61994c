// The commands for authors of templates, by their names. They need no service.
import type { FileCommands } from "./command.ts";
import { check } from "./commands/check.ts";
import { dev } from "./commands/dev.ts";
import { init } from "./commands/init.ts";
import { render } from "./commands/render.ts";

export const authorCommands: FileCommands = { init, check, render, dev };
