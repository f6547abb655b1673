import { Seals } from '../auth/seals.ts'

/** Seals the client secrets of identity providers, each for its own school. */
export class ProviderSecrets extends Seals {
  constructor(jwtSecret: string) {
    super(jwtSecret, 'fahrplan identity provider')
  }
}
