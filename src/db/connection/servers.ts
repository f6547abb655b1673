/** The scheme with login, the hosts, and the rest. Several hosts, as libpq allows, are not a valid URL to other parsers. */
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

const SESSION_ATTRIBUTES = 'target_session_attrs'

const WRITABLE = ['read-write', 'primary']

export type Servers = { readonly addresses: readonly string[]; readonly mustTakeWrites: boolean }

/** Parses `postgres://user@first:5432,second:5433/name?target_session_attrs=read-write`; undefined if invalid. */
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

export function userIn(address: string): string {
  const [first = address] = serversOf(address)?.addresses ?? []
  return decodeURIComponent(new URL(first).username)
}
