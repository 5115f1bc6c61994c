// Numbers the calls of several accounts so that the accounts take turns: in each turn, every account has one call. An
// account that has not called for a while starts with the current turn, so it neither waits behind all calls of a busier
// account nor saves up turns.

export class Turns {
  #current = 0;
  /** The turn of each account's last admitted call, unless that turn is over. */
  readonly #lastAdmitted = new Map<string, number>();

  /** Returns the turn of the account's next call. `waiting` contains the turns of its waiting calls. */
  next(accountId: string, waiting: number[]): number {
    const admitted = this.#lastAdmitted.get(accountId) ?? -1;
    return Math.max(this.#current, admitted + 1, ...waiting.map((turn) => turn + 1));
  }

  /** Call this when a call is admitted before its turn. The account has then used this turn, and the current one goes on. */
  admittedOutOfTurn(accountId: string, turn: number): void {
    this.#lastAdmitted.set(accountId, turn);
  }

  /** Call this when a call is admitted. */
  admitted(accountId: string, turn: number): void {
    this.#lastAdmitted.set(accountId, turn);
    if (turn <= this.#current) return;
    this.#current = turn;
    for (const [account, last] of this.#lastAdmitted) if (last < turn) this.#lastAdmitted.delete(account);
  }
}
