/** Returns the cursor in the `Link` of a page; undefined after the last page. */
export function cursorIn(headers: Headers): string | undefined {
  const [, address] = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
  return address && (new URL(address, 'http://service.invalid').searchParams.get('cursor') ?? undefined)
}
