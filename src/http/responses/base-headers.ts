/**
 * The headers of every response; static files and the documentation have their own policies. Not even responses with an entity
 * tag may be stored, or a browser would keep them after logout. Polling clients keep body and tag themselves.
 */
export const BASE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  // In lower case like the compression plugin's, which would otherwise add it to compressed responses only.
  vary: 'Origin, accept-encoding',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

export const EXPOSED_HEADERS = [
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Retry-After',
  'X-Request-Id',
] as const
