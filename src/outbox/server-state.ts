/** Whether a server takes messages, as the attempts of this process show. */
export class ServerState {
  #failures = 0
  #lastFailure = Number.NEGATIVE_INFINITY
  #lastAnswer = Number.NEGATIVE_INFINITY

  get failures(): number {
    return this.#failures
  }

  answered(): void {
    this.#failures = 0
    this.#lastAnswer = performance.now()
  }

  /** Records a failure since `start`. Returns false if it is the mail's own: the server has answered another meanwhile. */
  failed(start: number): boolean {
    if (this.#lastAnswer > start) return false
    if (this.#lastFailure <= start) this.#failures += 1
    this.#lastFailure = performance.now()
    return true
  }

  get sinceFailure(): number {
    return performance.now() - this.#lastFailure
  }
}
