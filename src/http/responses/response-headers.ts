const text = { type: 'string' } as const

/** The headers of responses, as the OpenAPI document describes them once. */
export const RESPONSE_HEADERS = {
  ETag: {
    description:
      'The version of the response. Send it as `If-None-Match` to read the resource only if it has changed, or as `If-Match` to change or delete that version only.',
    schema: text,
  },
  Location: { description: 'The path of the created resource.', schema: text },
  Link: {
    description: '`<path>; rel="next"`, the path of the next page. Absent on the last page.',
    schema: text,
  },
  'Retry-After': {
    description: 'The seconds to wait before the next attempt. On a 409 only with `request_in_progress`.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Idempotency-Replayed': {
    description:
      '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`, and nothing was done now; absent otherwise.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const
export type ResponseHeader = keyof typeof RESPONSE_HEADERS
