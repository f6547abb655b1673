/** Where the `Link` of a page leads on to; nothing after the last one. */
export function cursorIn(headers: Headers): string | undefined {
  const [, address] = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
  return address && (new URL(address, 'http://service.invalid').searchParams.get('cursor') ?? undefined)
}
