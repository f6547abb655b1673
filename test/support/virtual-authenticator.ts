import type { CDPSession, Page } from 'playwright-core'

/** A virtual device of the browser. Its keys are real, and a test decides whether it verifies its user. */
export class VirtualAuthenticator {
  readonly #cdp: CDPSession
  readonly #authenticatorId: string

  private constructor(cdp: CDPSession, authenticatorId: string) {
    this.#cdp = cdp
    this.#authenticatorId = authenticatorId
  }

  /** Adds a device to a page. Its user is present and verified. */
  static async on(page: Page): Promise<VirtualAuthenticator> {
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return new VirtualAuthenticator(cdp, authenticatorId)
  }

  /** Sets whether the device verifies its user. If not, it reports a failure to the browser. */
  async verifies(isUserVerified: boolean): Promise<void> {
    await this.#cdp.send('WebAuthn.setUserVerified', {
      authenticatorId: this.#authenticatorId,
      isUserVerified,
    })
  }

  /** Deletes all passkeys, as if the device were lost. */
  async forget(): Promise<void> {
    await this.#cdp.send('WebAuthn.clearCredentials', { authenticatorId: this.#authenticatorId })
  }

  /** Counts the stored passkeys. */
  async count(): Promise<number> {
    const { credentials } = await this.#cdp.send('WebAuthn.getCredentials', {
      authenticatorId: this.#authenticatorId,
    })
    return credentials.length
  }
}
