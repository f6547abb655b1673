import type { TFunction } from 'i18next'

const MAX_SECONDS = 120

/** Returns the time to wait after too many attempts: in seconds up to two minutes, in minutes beyond. */
export function waitText(seconds: number, t: TFunction): string {
  if (seconds <= MAX_SECONDS) return t('login.throttled', { count: seconds })
  return t('login.throttledMinutes', { count: Math.ceil(seconds / 60) })
}
