/**
 * The headers of every answer; static files and the documentation have policies of their own. Answers with an entity tag may not be
 * stored either: a browser would keep them beyond the logout. Clients that poll keep body and tag themselves.
 */
export const BASE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  // In lower case, as the plugin writes that would else add it where it compresses, and only there.
  vary: 'Origin, accept-encoding',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** The response headers that scripts of listed origins may read. */
export const EXPOSED_HEADERS = [
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Retry-After',
  'X-Request-Id',
] as const
