import { expect, it } from "vitest";
import { prepareLocalBrowser } from "../../src/browser/browser.ts";

it.each(["", "12x", "127.0.0", "-1", "0127", "99999", "latest", "../127"])(
  "the version %j of Chromium is refused",
  async (version) => {
    await expect(prepareLocalBrowser({ CHROMIUM_VERSION: version })).rejects.toThrow(
      `The version of Chromium must be a major version such as 127, or \`current\`, not \`${version}\`.`,
    );
  },
);

it("a version of Chromium is refused together with a path", async () => {
  const prepared = prepareLocalBrowser({ CHROMIUM_VERSION: "127", CHROME_PATH: "/usr/bin/chromium" });

  await expect(prepared).rejects.toThrow("Set either CHROME_PATH or a version of Chromium, not both.");
});
