// Numbers the calls of several accounts so that the accounts take turns: in each turn, every account has one call. An
// account that has not called for a while starts with the current turn, or with a short head start, so it neither waits
// behind all calls of a busier account nor saves up more turns than that.

export class Turns {
  readonly #headStart: number;
  #current = 0;
  /** The turn of each account's last admitted call, unless that turn is over. */
  readonly #lastAdmitted = new Map<string, number>();

  /**
   * Turns are counted in groups of `headStart`. An account that has not called for a while starts with the first turn of
   * the group before the current one. With 0, it starts with the current turn.
   */
  constructor(headStart = 0) {
    this.#headStart = headStart;
  }

  /** Returns the turn of the account's next call. `waiting` contains the turns of its waiting calls. */
  next(accountId: string, waiting: number[]): number {
    const admitted = this.#lastAdmitted.get(accountId) ?? -Infinity;
    return Math.max(this.#firstTurn(), admitted + 1, ...waiting.map((turn) => turn + 1));
  }

  /** Call this when a call is admitted. */
  admitted(accountId: string, turn: number): void {
    this.#lastAdmitted.set(accountId, turn);
    if (turn <= this.#current) return;
    this.#current = turn;
    const first = this.#firstTurn();
    for (const [account, last] of this.#lastAdmitted) if (last < first) this.#lastAdmitted.delete(account);
  }

  #firstTurn(): number {
    if (this.#headStart === 0) return this.#current;
    return (Math.floor(this.#current / this.#headStart) - 1) * this.#headStart;
  }
}
