// Validates PDF files with veraPDF, in one call. Prints a line for each file, with the clauses that it violates.
//   npm run test:conformance -- 2b FILE...     also 2u, 3b, 3u, ua1 and the other flavours of veraPDF
import { basename } from "node:path";
import { verdictsOf } from "./verapdf.ts";

const [flavour, ...files] = process.argv.slice(2);
try {
  if (!flavour || files.length === 0)
    throw new Error("Pass a flavour and files: npm run test:conformance -- 2b FILE...");
  for (const { file, problems } of await verdictsOf(flavour, files)) {
    if (problems.length > 0) process.exitCode = 1;
    console.log(
      `${problems.length === 0 ? "conforms" : "violates"} ${basename(file)} ${problems.join(" | ")}`.trimEnd(),
    );
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
