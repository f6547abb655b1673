import type { TFunction } from 'i18next'
import { ApiProblem } from '../../data/send.ts'
import { problemMessage } from '../../ui/problem-messages.ts'

/** Explains a failure by the error's name, the only part on which browsers agree. */
export function ceremonyMessage(error: unknown, t: TFunction): string {
  if (error instanceof ApiProblem) return refusalMessage(error, t)
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'AbortError':
      return t('account.cancelled')
    case 'InvalidStateError':
      return t('account.known')
    case 'SecurityError':
      return t('account.elsewhere')
    default:
      return problemMessage(error, t)
  }
}

function refusalMessage(error: ApiProblem, t: TFunction): string {
  if (error.is('invalid_credentials')) return t('account.wrongPasskey')
  if (error.is('login_expired')) return t('account.expired')
  if (error.is('proof_required')) return t('account.proved')
  const code = error.body.errors?.[0]?.code
  if (code === 'known_passkey') return t('account.known')
  if (code === 'invalid_passkey') return t('account.notAccepted')
  return problemMessage(error, t)
}
