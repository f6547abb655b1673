import { totpCode, totpStep } from '../../src/auth/totp.ts'
import type { TestService } from './app.ts'
import { must } from './client.ts'
import { inSession } from './passkeys.ts'
import type { LoggedIn } from './session.ts'

/** An authenticator app whose clock is the service's, which stands still until a new code is needed. */
export class AuthenticatorApp {
  readonly #service: TestService
  readonly #secret: string
  #now: Date

  constructor(service: TestService, secret: string, now: Date) {
    this.#service = service
    this.#secret = secret
    this.#now = now
  }

  /** Returns the code of the next step, which has not been shown yet; the service's clock moves there. */
  next(): string {
    this.#now = new Date(this.#now.getTime() + 30_000)
    this.#service.setClock(this.#now)
    return this.code()
  }

  /** Returns the code at the time of the clock, or so many steps from it. */
  code(steps = 0): string {
    return totpCode(this.#secret, totpStep(this.#now) + steps)
  }
}

/** Sets up an authenticator app for the session's user, who needs it for the next login. */
export async function aTotp(service: TestService, session: Pick<LoggedIn, 'client' | 'token'>) {
  const own = inSession(session)
  const now = new Date()
  service.setClock(now)
  const { secret, challenge } = must(200, await own.post('/auth/totp/options'))
  const app = new AuthenticatorApp(service, secret, now)
  must(200, await own.post('/auth/totp', { challenge, code: app.code() }))
  return { app, own, secret: secret as string }
}
