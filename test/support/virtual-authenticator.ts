import type { CDPSession, Page } from 'playwright-core'

/** A device of the browser's own making: its keys are real, and what its user does is said here. */
export class VirtualAuthenticator {
  readonly #cdp: CDPSession
  readonly #authenticatorId: string

  private constructor(cdp: CDPSession, authenticatorId: string) {
    this.#cdp = cdp
    this.#authenticatorId = authenticatorId
  }

  /** Gives a page a device, whose user is there and lets it verify who that is. */
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

  /** Whether the device finds out that its user is the one; where not, it tells the browser that nothing came of it. */
  async verifies(isUserVerified: boolean): Promise<void> {
    await this.#cdp.send('WebAuthn.setUserVerified', {
      authenticatorId: this.#authenticatorId,
      isUserVerified,
    })
  }

  /** As if the device were lost. */
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
