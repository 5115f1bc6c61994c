// The command that previews a template folder while it is edited. Its code is loaded only when it runs, because it needs the
// browser and the bundler.
import type { FileCommand } from "../command.ts";

export const dev: FileCommand = {
  usage: "DIR [--port 8790] [--lenient]",
  runOnFiles: async (options) => {
    const { buildRenderFiles } = await import("../render/build-files.ts");
    await buildRenderFiles();
    const { runTemplateDev } = await import("../dev/run-dev.ts");
    await runTemplateDev(options);
    return {};
  },
  text: () => "Ended.",
};
