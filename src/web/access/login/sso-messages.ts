import type { TFunction } from 'i18next'
import { ApiProblem } from '../../data/send.ts'
import { problemMessage } from '../../ui/problem-messages.ts'

const CODES = ['sso_failed', 'not_linked', 'identity_taken', 'sso_required'] as const

/** Explains why a login at an issuer failed. */
export function ssoMessage(error: unknown, t: TFunction): string {
  const code = error instanceof ApiProblem ? CODES.find((one) => error.is(one)) : undefined
  return code === undefined ? problemMessage(error, t) : t(`sso.${code}`)
}

/** Returns the host of an issuer, by which people know it. */
export function hostOf(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).host : issuer
}
