/** Ends an exchange that takes too long, or that the caller no longer wants. */
export class TimeLimit {
  readonly ms: number;
  /** Aborted when the time is over, and when the caller aborts. */
  readonly signal: AbortSignal;
  readonly #caller: AbortSignal | undefined;
  readonly #expired = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number, caller: AbortSignal | undefined) {
    this.ms = ms;
    this.#caller = caller;
    this.signal = caller === undefined ? this.#expired.signal : AbortSignal.any([caller, this.#expired.signal]);
  }

  get isExpired(): boolean {
    return this.#expired.signal.aborted;
  }

  /** Gives the exchange its whole time, from now on. */
  start(): void {
    this.stop();
    this.#timer = setTimeout(() => this.#expired.abort(), this.ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Throws the caller's reason if the caller has aborted. */
  throwIfAborted(): void {
    this.#caller?.throwIfAborted();
  }
}
