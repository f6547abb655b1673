import { promises as dns } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

const DNS_MS = 1_000
const DNS_TRIES = 2
const DNS_LIMIT_MS = 4_000

/** The fault of a private and of an unknown address: a difference would reveal which names exist in the operator's network. */
export const NO_PUBLIC_ADDRESS = 'no_public_address'

export class RefusedAddress extends Error {
  constructor() {
    super(NO_PUBLIC_ADDRESS)
  }
}

type Address = { readonly address: string; readonly family: 4 | 6 }

type Dns = {
  readonly servers?: readonly string[]
  readonly limit?: number
}

export type AddressSettings = { readonly allowed: readonly string[]; readonly dns: Dns }

export class Addresses {
  readonly #allowed: BlockList
  readonly #dns: Dns
  /** The arguments, from which another thread makes the same. */
  readonly settings: AddressSettings

  constructor(allowed: readonly string[], dns: Dns = {}) {
    this.settings = { allowed, dns }
    this.#allowed = new BlockList()
    for (const range of allowed) addRange(this.#allowed, range)
    this.#dns = dns
  }

  /** Returns the addresses of a host. Throws `RefusedAddress` if there is none, or if one is not allowed. */
  async of(hostname: string, signal = new AbortController().signal): Promise<readonly Address[]> {
    const host = hostname.replace(/^\[|\]$/g, '')
    const found = isIP(host) ? [host] : await this.#resolve(host, signal)
    signal.throwIfAborted()
    if (found.length === 0 || !found.every((address) => this.#mayReceive(address))) throw new RefusedAddress()
    return found.map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }))
  }

  /** Returns the addresses of a host in the networks that the operator has allowed. Throws `RefusedAddress` like `of`. */
  async ofOwnNetworks(hostname: string, signal: AbortSignal): Promise<readonly Address[]> {
    const found = await this.of(hostname, signal)
    const isOwn = found.every(({ address }) => {
      const parsed = ipaddr.process(address)
      return this.#allowed.check(parsed.toString(), parsed.kind())
    })
    if (!isOwn) throw new RefusedAddress()
    return found
  }

  /** Queries DNS directly: the system's resolver would occupy the threads that check passwords. */
  async #resolve(host: string, signal: AbortSignal): Promise<readonly string[]> {
    const { servers, limit = DNS_LIMIT_MS } = this.#dns
    const resolver = new dns.Resolver({ timeout: DNS_MS, tries: DNS_TRIES })
    if (servers) resolver.setServers(servers)
    const end = AbortSignal.any([AbortSignal.timeout(limit), signal])
    const cancel = () => resolver.cancel()
    end.addEventListener('abort', cancel)
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    end.removeEventListener('abort', cancel)
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }

  #mayReceive(address: string): boolean {
    const parsed = ipaddr.process(address)
    return isPublic(parsed) || this.#allowed.check(parsed.toString(), parsed.kind())
  }
}

/** The networks for examples, which contain no machines (RFC 5737). */
const DOCUMENTATION = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
)

/** The routed part of IPv6; `unicast` also includes `::127.0.0.1` and unassigned addresses. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3')

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address instanceof ipaddr.IPv6) return address.range() === 'unicast' && address.match(GLOBAL)
  return address.range() === 'unicast' || DOCUMENTATION.some((range) => address.match(range))
}

function addRange(list: BlockList, range: string): void {
  const [network = '', prefix] = range.split('/')
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
  if (prefix === undefined) list.addAddress(network, family)
  else list.addSubnet(network, Number(prefix), family)
}

/** Returns a lookup function for only these addresses, so that a connection uses one that was checked. */
export function pinnedTo(addresses: readonly Address[]): LookupFunction {
  return (_hostname, { all }, done) => {
    const [first] = addresses
    if (all) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family)
  }
}
