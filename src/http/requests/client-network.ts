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
 * Returns the network of one subscriber: an IPv4 address, or the /64 around an IPv6 address, because one host can choose any
 * address in it. IPv4 written as IPv6 is IPv4; a zone is this machine's own and is dropped. Takes an address that `isIP` knows.
 */
export function networkOf(address: string): string {
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])}/64`
}
