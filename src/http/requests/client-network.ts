import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/**
 * Returns the network for counting failed logins and remembering good ones. Uses the proxy's address of the client if it is
 * one; any other text would count as a network of its own.
 */
export function clientNetwork({ ip, socket }: FastifyRequest): string {
  if (isIP(ip)) return networkOf(ip)
  return socket.remoteAddress ? networkOf(socket.remoteAddress) : 'unknown'
}

/**
 * Returns the network of a subscriber: an IPv4 address, or the /64 of an IPv6 address, within which a host can choose any.
 * Mapped IPv4 counts as IPv4; zones are dropped. Expects an address that `isIP` accepts.
 */
export function networkOf(address: string): string {
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])}/64`
}
