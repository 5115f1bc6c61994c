// The commands for authors of templates, by their names. The first four need no service.
import type { FileCommands } from "./command.ts";
import { check } from "./commands/check.ts";
import { dev } from "./commands/dev.ts";
import { diff } from "./commands/diff.ts";
import { init } from "./commands/init.ts";
import { pull } from "./commands/pull.ts";
import { push } from "./commands/push.ts";
import { render } from "./commands/render.ts";
import { list, rollback, versions } from "./commands/versions.ts";

export const authorCommands: FileCommands = { init, check, render, dev, push, pull, diff, list, versions, rollback };
