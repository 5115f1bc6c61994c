// A text that is written piece by piece. Its memory is in proportion to its length: JavaScript alone would keep 32 bytes
// for each piece until the text is read.

/** How many pieces are kept before they are joined. */
const maxPieces = 1_000;

export class TextBuffer {
  length = 0;
  #joined = "";
  readonly #pieces: string[] = [];

  append(piece: string): void {
    this.length += piece.length;
    this.#pieces.push(piece);
    if (this.#pieces.length === maxPieces) this.#join();
  }

  get text(): string {
    this.#join();
    return this.#joined;
  }

  #join(): void {
    this.#joined += this.#pieces.join("");
    this.#pieces.length = 0;
  }
}
