// `npm run deploy`: deploys an environment. Exits with 0 on success, with 1 if a step fails, and with 2 if an argument,
// a variable or a recorded value is wrong.
import { buildAssets } from "./assets/build-assets.ts";
import { projectRoot } from "./bindings.ts";
import { deployUsage, UsageError } from "./deploy/deploy-options.ts";
import { deploy } from "./deploy/deploy.ts";
import { smokeTest } from "./smoke/smoke-test.ts";
import { wranglerIn } from "./wrangler.ts";

/** How long the first deployment to a new domain may take until the domain has a certificate and responds. */
const firstResponseMs = 5 * 60_000;

const variables = process.env;
const print = (line: string) => console.log(line);

try {
  await buildAssets(projectRoot);
  await deploy(process.argv.slice(2), {
    root: projectRoot,
    wrangler: wranglerIn(projectRoot),
    variables,
    print,
    smokeTest: (baseUrl) => smokeTest({ baseUrl, variables, print, firstResponseMs }),
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof UsageError) console.error(deployUsage);
  else
    console.error(
      "\nCorrect the cause and run the same command again. Steps that are done are found and not repeated.",
    );
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
