import type { Fault } from './problem.ts'

/** Returns the syntax faults of the address. `webhooks/addresses.ts` checks its target. */
export function httpsFaultsFor({ url }: { readonly url?: string }): readonly Fault[] {
  if (url === undefined) return []
  const fault = (code: string, detail: string) => [{ pointer: '/url', code, detail }]
  if (/[\s\p{Cc}]/u.test(url) || !URL.canParse(url) || !/^https:\/\//i.test(url))
    return fault('invalid_format', 'url must be an address that begins with https://.')
  const { username, password } = new URL(url)
  if (username || password || /^https:\/\/[^/?#]*@/i.test(url))
    return fault('not_allowed', 'url must not have a user or a password.')
  return []
}
