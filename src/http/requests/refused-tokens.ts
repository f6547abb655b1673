import type { FastifyRequest } from 'fastify'

/** The most rejected tokens to log per minute. More are only counted, so that a client cannot fill the log. */
const MAX_LINES_PER_MINUTE = 60

type Refusal = {
  readonly token: 'access' | 'refresh'
  readonly reason: 'invalid' | 'expired' | 'session_ended'
  readonly tenant_id?: string
  readonly user_id?: string
}

/** Logs rejected tokens, up to a limit. The next line has the number of those left out. */
export class RefusedTokens {
  readonly #now: () => Date
  #minute = Number.NaN
  #lines = 0
  #unlogged = 0

  constructor(now: () => Date) {
    this.#now = now
  }

  /** Logs the kind of token, the reason, and the user if the signature is valid. */
  log(request: FastifyRequest, refusal: Refusal): void {
    const minute = Math.floor(this.#now().getTime() / 60_000)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#lines = 0
    }
    if (this.#lines === MAX_LINES_PER_MINUTE) {
      this.#unlogged += 1
      return
    }
    const unlogged = this.#unlogged > 0 ? { unlogged: this.#unlogged } : {}
    request.log.info({ event: 'token_refused', ip: request.ip, ...refusal, ...unlogged }, 'token refused')
    this.#lines += 1
    this.#unlogged = 0
  }
}
