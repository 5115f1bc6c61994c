import { runInNewContext } from "node:vm";
import type { CDPSession } from "@cloudflare/puppeteer";
import { expect, it } from "vitest";
import { pageFunctions } from "../../src/page/page-functions.ts";

type Command = { functionDeclaration: string };

/** Sends the parts to a page that runs the functions like a browser. Returns what has arrived in the page. */
async function arrivedIn(parts: string[]): Promise<unknown[]> {
  const arrived: unknown[] = [];
  const pageScript = { receiveFiles: (part: unknown) => void arrived.push(part) };
  const send = async (_: string, { functionDeclaration }: Command) => {
    (runInNewContext(`(${functionDeclaration})`) as () => void).call(pageScript);
    return { result: {} };
  };
  const sent = await pageFunctions({ send } as unknown as CDPSession, "1").sendFiles(parts);
  await sent.arrived;
  return arrived;
}

it("the first part of a document's files is marked as the first", async () => {
  expect(await arrivedIn(["data:", "image/png"])).toEqual([
    { isFirst: true, text: "data:" },
    { isFirst: false, text: "image/png" },
  ]);
});

it.each(['"})}; throw 1; ({"', "\\", "`${1}`", "</script>", "\u2028\n\0\ud800"])(
  "the text %j in a file arrives unchanged, although it is sent as a part of a script",
  async (text) => {
    expect(await arrivedIn([text])).toEqual([{ isFirst: true, text }]);
  },
);
