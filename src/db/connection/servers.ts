/** Scheme and login, then the hosts, then the rest: libpq's spelling of several servers is no URL to anybody else. */
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

const SESSION_ATTRIBUTES = 'target_session_attrs'

/** The names in libpq for the server that takes writes. */
const WRITABLE = ['read-write', 'primary']

/** The addresses of PostgreSQL's servers, and whether only one that takes writes will do. */
export type Servers = { readonly addresses: readonly string[]; readonly mustTakeWrites: boolean }

/**
 * The servers of an address such as `postgres://user@first:5432,second:5433/name?target_session_attrs=read-write`; nothing
 * where it is not one. Of several only the one that takes writes will do, and of one if the address says so.
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

/** Returns the user that logs in at an address: the same on each of its servers. Empty if it names none. */
export function userOf(address: string): string {
  const [first = address] = serversOf(address)?.addresses ?? []
  return decodeURIComponent(new URL(first).username)
}
