// The commands for template authors, by name. The first five need no service.
import type { FileCommands } from "./command.ts";
import { check } from "./commands/check.ts";
import { dev } from "./commands/dev.ts";
import { diff } from "./commands/diff.ts";
import { init } from "./commands/init.ts";
import { pull } from "./commands/pull.ts";
import { push } from "./commands/push.ts";
import { render } from "./commands/render.ts";
import { test } from "./commands/test.ts";
import { list, rollback, versions } from "./commands/versions.ts";

const serviceCommands: FileCommands = { push, pull, diff, list, versions, rollback };

export const authorCommands: FileCommands = { init, check, render, dev, test, ...serviceCommands };
