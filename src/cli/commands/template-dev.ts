// The command that shows a template folder while it is written. Its code is loaded only when it runs, because it needs the
// browser pool and the bundler.
import type { FileCommands } from "./command.ts";

export const templateDevCommands: FileCommands = {
  "template dev": {
    usage: "DIR [--port 8790] [--lenient]",
    required: [],
    optional: ["port"],
    flags: ["lenient"],
    positional: "DIR",
    runOnFiles: async (options) => {
      const { runTemplateDev } = await import("../dev/template-dev.ts");
      await runTemplateDev(options);
      return {};
    },
    text: () => "Ended.",
  },
};
