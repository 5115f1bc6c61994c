import { expect, it } from "vitest";
import { address } from "../src/route.ts";

it("an address of the console can contain any part and any value, encoded", () => {
  expect(address(["templates", "a/b?c#d"], { "metadata[order]": "1 & 2" })).toBe(
    "#/templates/a%2Fb%3Fc%23d?metadata%5Border%5D=1+%26+2",
  );
});

it("an address of the console leaves out empty conditions", () => {
  expect(address(["documents"], { status: "", format: undefined })).toBe("#/documents");
  expect(address(["documents"], { status: "failed", cursor: undefined })).toBe("#/documents?status=failed");
});
