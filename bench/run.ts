// Runs the benchmarks. The service and the renderer or version for comparison are measured alternately in one run, so that
// changes in the machine's speed affect both.
import { parseArgs } from "node:util";
import { messageOf } from "colophon-base/message-of";
import { benchBatch, benchBeside } from "./batch.ts";
import { benchBurst } from "./burst.ts";
import { benchCompare } from "./compare.ts";
import { benchMemory } from "./memory/run.ts";
import { printRowSizes } from "./row-sizes.ts";
import { benchScale } from "./scale.ts";
import { benchSpeed } from "./speed.ts";
import { benchStages } from "./stages.ts";

const usage = `npm run bench                      the service beside bare puppeteer; ROUNDS=60
npm run bench -- --compare COMMIT  the speed of this checkout beside that of a commit, or of several with commas, and how much each ms adds that calls take longer; ROUNDS=5, SAMPLES="one line,table"
npm run bench -- --stages COMMIT   the stages of a create, beside those of a commit
npm run bench -- --burst 2000      creates at once on one browser, whose clients come back after Retry-After
npm run bench -- --batch 1000      a batch of so many documents: how many are rendered in a minute
npm run bench -- --beside 2000     single documents alone and beside such a batch of a different account; ROUNDS=4
npm run bench -- --memory          the largest documents: live memory at each stage
npm run bench -- --rows            how many bytes a document and a webhook event take in D1
npm run bench -- --scale           a model of 10 to 1,000 creates a second: which part is how busy, and what an operator sets`;

const options = {
  compare: { type: "string" },
  stages: { type: "string" },
  burst: { type: "string" },
  batch: { type: "string" },
  beside: { type: "string" },
  memory: { type: "boolean" },
  rows: { type: "boolean" },
  scale: { type: "boolean" },
  help: { type: "boolean" },
} as const;

async function bench(): Promise<void> {
  const { compare, stages, burst, batch, beside, memory, rows, scale, help } = readOptions();
  const rounds = (standard: number) => Number(process.env["ROUNDS"] ?? standard);
  if (help) return console.log(usage);
  if (compare) return benchCompare(8880, compare.split(","), rounds(5));
  if (stages) return benchStages(8880, stages);
  if (burst) return benchBurst(Number(burst));
  if (batch) return benchBatch(Number(batch));
  if (beside) return benchBeside(Number(beside), rounds(4));
  if (memory) return benchMemory(8895);
  if (rows) return printRowSizes();
  if (scale) return benchScale();
  return benchSpeed(rounds(60));
}

function readOptions() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${usage}`);
    process.exit(2);
  }
}

await bench();
