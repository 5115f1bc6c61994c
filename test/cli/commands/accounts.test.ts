import { expect, it } from "vitest";
import { accountCommands } from "../../../src/cli/commands/accounts.ts";
import type { NewAccount } from "../../../src/core/accounts/account.ts";
import type { OperatorServices } from "../../../src/ports/services.ts";

/** Runs `account create`. Returns the account that was stored, and what the command prints. */
async function createAccount(options: Record<string, string>) {
  const stored: NewAccount[] = [];
  const services = {
    accounts: { insertAccount: async (account: NewAccount) => void stored.push(account) },
    newId: () => "a1",
    now: () => 0,
  } as unknown as OperatorServices;
  const command = accountCommands["account create"];
  const printed = await command?.run(services, { name: "Ada", plan: "pro", ...options });
  return { stored: stored.map(({ region }) => region), printed };
}

it("`account create` stores the home region", async () => {
  const { stored, printed } = await createAccount({ region: "weur" });

  expect(stored).toEqual(["weur"]);
  expect(printed).toEqual({
    account: { id: "a1", name: "Ada", plan: "pro", retentionDays: "plan", region: "weur" },
  });
});

it("`account create` leaves the home region open if none is given", async () => {
  expect((await createAccount({})).stored).toEqual([null]);
});

it.each(["eu", "WEUR", "", "apac-ne"])(
  "`account create` refuses the region %j and names the regions",
  async (region) => {
    await expect(createAccount({ region })).rejects.toThrow(
      `there is no region ${region}; the regions are wnam, enam, weur, eeur, apac, oc`,
    );
  },
);
