import { expect, it } from "vitest";
import { readServeOptions } from "../../../src/cli/serve/serve-options.ts";

function read(env: Record<string, string>) {
  return readServeOptions({ STATE_DIR: "/tmp/x", ...env });
}

it.each([
  ...["10.0.0.0/", "10.0.0.0/0x8", "10.0.0.0/33", "10.0.0.0/-1", "0.0.0.0/0", "::/0", "10.0.0.0/8/8", "10.0.0.0/08"],
  ...["10.0.0.0/255.0.0.0", "/8", ",", "10.0.0.1,", "10.0.0.1 10.0.0.2", "10.0.0", "010.0.0.1", "nginx", "*", "[::1]"],
  ...["fe80::1%eth0", "2001:db8::/129", "::ffff:10.0.0.0/8", "0:0:0:0:0:ffff:a00:1", "::FFFF:10.0.0.1"],
])("a start with the value %j in TRUSTED_PROXY fails and names the variable", (list) => {
  expect(() => read({ TRUSTED_PROXY: list })).toThrow(/^TRUSTED_PROXY must list addresses, or networks/);
});

it("TRUSTED_PROXY makes the service trust exactly the listed addresses and networks", () => {
  const { trustedProxies } = read({ TRUSTED_PROXY: " 10.0.0.0/8 ,192.0.2.7,2001:db8::/32, ::1" });

  expect(["10.9.9.9", "192.0.2.7"].map((address) => trustedProxies.check(address))).toEqual([true, true]);
  expect(["11.0.0.1", "192.0.2.8", "127.0.0.1"].map((address) => trustedProxies.check(address))).not.toContain(true);
  const ofSix = ["2001:db8:1::1", "::1", "2001:db9::1", "::2"].map((address) => trustedProxies.check(address, "ipv6"));
  expect(ofSix).toEqual([true, true, false, false]);
});

it("an empty TRUSTED_PROXY makes the service trust nobody", () => {
  expect(read({ TRUSTED_PROXY: "" }).trustedProxies.rules).toEqual([]);
});

it.each([
  [{ PUBLIC_URL: "http://pdf.example.com" }, "PUBLIC_URL must begin with https://"],
  [{ PUBLIC_URL: "http://10.0.0.5:8787" }, "PUBLIC_URL must begin with https://"],
  [{ PUBLIC_URL: "https://:password@pdf.example.com" }, "PUBLIC_URL must be a URL without a path"],
  [{ PORT: "0x1f90" }, "PORT must be a number"],
  [{ PORT: "" }, "PORT must be a number"],
])("a start with %j fails", (env, message) => {
  expect(() => read(env)).toThrow(message);
});

it("an empty HOST stands for this machine only, not for every address", () => {
  expect(read({ HOST: "" }).host).toBe("127.0.0.1");
});
