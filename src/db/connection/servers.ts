/** Scheme and login, hosts, rest: several servers as in libpq, which is no URL to other parsers. */
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

const SESSION_ATTRIBUTES = 'target_session_attrs'

/** The names in libpq for the server that takes writes. */
const WRITABLE = ['read-write', 'primary']

/** The servers' addresses, and whether only a writable one will do. */
export type Servers = { readonly addresses: readonly string[]; readonly mustTakeWrites: boolean }

/**
 * Parses an address such as `postgres://user@first:5432,second:5433/name?target_session_attrs=read-write`; undefined if it is
 * none. With several servers only a writable one will do, with one only if the address says so.
 */
export function serversOf(address: string): Servers | undefined {
  const [, login = '', hosts = '', rest = ''] = ADDRESS.exec(address) ?? []
  const addresses = hosts.split(',').map((host) => `${login}${host}${rest}`)
  const isList = addresses.length > 1
  if (login === '' || !addresses.every((one) => URL.canParse(one))) return undefined
  if (isList && hosts.split(',').includes('')) return undefined
  const wanted = new URL(addresses[0] ?? '').searchParams.get(SESSION_ATTRIBUTES)
  if (wanted !== null && !WRITABLE.includes(wanted)) return undefined
  return { addresses, mustTakeWrites: isList || wanted !== null }
}

/** Returns the user in an address, or an empty text. */
export function userOf(address: string): string {
  const [first = address] = serversOf(address)?.addresses ?? []
  return decodeURIComponent(new URL(first).username)
}
