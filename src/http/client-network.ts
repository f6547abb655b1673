import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/**
 * The network by which a client's failed logins are counted and its good ones remembered. It is what a proxy says of the
 * client, if that is an address; text of any other kind would be a network of its own.
 */
export function clientNetwork({ ip, socket }: FastifyRequest): string {
  if (isIP(ip)) return networkOf(ip)
  return socket.remoteAddress ? networkOf(socket.remoteAddress) : 'unknown'
}

/**
 * What one subscriber holds: an IPv4 address, or the /64 around an IPv6 address, all of whose addresses are one host's to
 * choose from. IPv4 written as IPv6 is IPv4; a zone is this machine's own and names nobody. Takes an address that
 * `isIP` knows.
 */
export function networkOf(address: string): string {
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])}/64`
}
