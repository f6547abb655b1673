/** The effect of a busy time on bookings: none, a warning or a refusal. */
export const BUSY_POLICIES = ['ignore', 'warn', 'refuse'] as const
export type BusyPolicy = (typeof BUSY_POLICIES)[number]

export const BUSY_FAILURES = [
  'no_public_address',
  'unreachable',
  'timeout',
  'not_https',
  'too_many_redirects',
  'forbidden',
  'not_found',
  'http_error',
  'too_large',
  'not_a_calendar',
  'incomplete',
  'too_complex',
  'address_lost',
] as const
export type BusyFailure = (typeof BUSY_FAILURES)[number]
