// SPDX-License-Identifier: Apache-2.0
// The database's clock, as far as the browser can know it.

const KEPT = 5;

/**
 * Tells the time by the X-Now header of answers. The median of the last five offsets is not moved
 * by one slow answer. Without any X-Now, the browser's own clock is used.
 */
export class ServerClock {
  readonly #offsets: number[] = [];
  readonly #local: () => number;

  constructor(local: () => number = () => Date.now()) {
    this.#local = local;
  }

  /** Takes the header of an answer; the server read its clock between `sentAt` and `receivedAt`. */
  observe(header: string | null, sentAt: number, receivedAt: number): void {
    const server = header === null ? NaN : Date.parse(header);
    if (Number.isNaN(server)) return;
    this.#offsets.push(server - (sentAt + receivedAt) / 2);
    if (this.#offsets.length > KEPT) this.#offsets.shift();
  }

  /** Milliseconds that the server is ahead of the browser. */
  get offset(): number {
    const sorted = [...this.#offsets].sort((a, b) => a - b);
    const middle = sorted.length >> 1;
    const upper = sorted[middle] ?? 0;
    return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
  }

  now(): number {
    return this.#local() + this.offset;
  }
}

export const serverClock = new ServerClock();
